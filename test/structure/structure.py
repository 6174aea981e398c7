# Holds the tree against its own description: no folder is crowded, no two files need each other, rooms depend one way
# as the table of docs/Architecture.md says, each pass has its file and its tests under one name, what has one home is
# spelled nowhere else, and names local to a file are unique in their library. Reads text only; nothing has to be built. Usage: structure.py ROOT
import collections
import itertools
import pathlib
import posixpath
import re
import sys

from local_names import check_local_names

MOST_FILES = 25
SOURCES = {".h", ".cpp", ".td"}
# Written by mlir-tblgen, or not ours.
FOREIGN = re.compile(r"(mlir|mlir-c|llvm|llvm-c|lld|clang|gtest|gmock|benchmark)/|.*\.inc$")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<(TileGPT/[^>]+)>)', re.MULTILINE)
TD_INCLUDE = re.compile(r'^[ \t]*include[ \t]*"([^"]+)"()', re.MULTILINE)
# What names of passes begin with in their room.
PREFIXES = ("tile-gpu-", "tile-", "gpt-", "cpu-")


def source_files(root):
    """All source files below lib, include and tools, as paths relative to the root."""
    for top in ("lib", "include", "tools"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SOURCES:
                yield path.relative_to(root)


def unit_of(path):
    """A header and the .cpp of its name are one unit, wherever the header lies: lib/Dialect/Tile/IR/TileOps; a .td is one by
    itself."""
    parts = (path if path.suffix == ".td" else path.with_suffix("")).parts
    return "/".join(("lib",) + parts[2:] if parts[:2] == ("include", "TileGPT") else parts)


def room_of(unit):
    room = unit.rpartition("/")[0]
    return room[len("lib/"):] if room.startswith("lib/") else room


def resolve(root, path, name):
    """The file that `#include "name"` in `path` means; None for one that is not of this tree."""
    if name.startswith("TileGPT/"):
        found = pathlib.Path("include") / name
        return found if (root / found).exists() else None
    for folder in path.parents:
        if (root / folder / name).exists():
            return pathlib.Path(posixpath.normpath(folder / name))
    return None


def read_includes(root, problems):
    """Unit -> units it includes."""
    graph = collections.defaultdict(set)
    for path in source_files(root):
        graph[unit_of(path)]
        text = (root / path).read_text(encoding="utf-8")
        for quoted, bracketed in (TD_INCLUDE if path.suffix == ".td" else INCLUDE).findall(text):
            name = quoted or bracketed
            target = None if FOREIGN.match(name) else resolve(root, path, name)
            if target is not None:
                graph[unit_of(path)].add(unit_of(target))
            elif not FOREIGN.match(name):
                problems.append(f"{path}: '{name}' is in no folder above it and not in include/")
    for unit, targets in graph.items():
        targets.discard(unit)
    return graph


def find_circles(graph):
    """Strongly connected components of more than one unit (Tarjan's algorithm)."""
    index, low, stack, circles = {}, {}, [], []

    def visit(unit):
        index[unit] = low[unit] = len(index)
        stack.append(unit)
        for target in sorted(graph[unit]):
            if target not in index:
                visit(target)
                low[unit] = min(low[unit], low[target])
            elif target in stack:
                low[unit] = min(low[unit], index[target])
        if low[unit] == index[unit]:
            place = stack.index(unit)
            circle = stack[place:]
            del stack[place:]
            if len(circle) > 1:
                circles.append(sorted(circle))

    sys.setrecursionlimit(max(1000, 4 * len(graph)))
    for unit in sorted(graph):
        if unit not in index:
            visit(unit)
    return circles


def spread(name):
    """`Runtime/{Cpu,Cuda}` -> both."""
    match = re.fullmatch(r"(.*)\{(.*)\}(.*)", name)
    return [match[1] + each + match[3] for each in match[2].split(",")] if match else [name]


def table_after(text, header):
    """Rows of the Markdown table whose first line is `header`; cells without their blanks."""
    lines = text.splitlines()
    if header not in lines:
        return None
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[lines.index(header) + 2:])
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]


def names_in(cell):
    return [name for quoted in re.findall(r"`([^`]+)`", cell) for name in spread(quoted)]


def read_rooms(table, problems):
    """Room -> all rooms it may include: those of its row and what these may. Rows stand above those that use them."""
    allowed = {}
    for cells in table:
        below = set()
        for name in names_in(cells[1]):
            if name not in allowed:
                problems.append(f"docs/Architecture.md: {cells[0]} may include `{name}`, which no row above it has")
                continue
            below |= {name} | allowed[name]
        for room in names_in(cells[0]):
            allowed[room] = below
    return allowed


def check_rooms(graph, allowed, problems):
    for room in sorted({room_of(unit) for unit in graph} - set(allowed)):
        problems.append(f"{room}: has no row in the table of docs/Architecture.md")
    for room in sorted(set(allowed) - {room_of(unit) for unit in graph}):
        problems.append(f"docs/Architecture.md: `{room}` holds no source file")
    for unit in sorted(graph):
        for target in sorted(graph[unit]):
            room, other = room_of(unit), room_of(target)
            if room != other and room in allowed and other not in allowed[room]:
                problems.append(f"{unit}: includes {target}, but {room} may not depend on {other}")


def check_crowds(root, problems):
    crowds = collections.Counter(path.parent for path in source_files(root))
    for folder, files in sorted(crowds.items()):
        if files > MOST_FILES:
            problems.append(f"{folder}: holds {files} source files, at most {MOST_FILES} are allowed")


def dashed(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name.removesuffix("Pass")).lower()


def check_passes(root, problems):
    """Each pass has FooBar.cpp, its argument ends in foo-bar, and test/ROOM has foo-bar.mlir or foo-bar-….mlir; and
    each test beside is named for a pass of its room."""
    passes = 0
    for definitions in sorted((root / "include").rglob("Passes.td")):
        place = definitions.parent.relative_to(root / "include/TileGPT")
        tests_of = collections.defaultdict(set)
        text = definitions.read_text(encoding="utf-8")
        for name, argument in re.findall(r'^def (\w+)\s*:\s*Pass<"([\w-]+)"', text, re.MULTILINE):
            passes += 1
            short = dashed(name)
            if argument not in {short} | {prefix + short for prefix in PREFIXES}:
                problems.append(f"{place}: pass {name} is called {argument}, expected a name that ends in {short}")
            files = sorted((root / "lib" / place).rglob(name.removesuffix("Pass") + ".cpp"))
            if len(files) != 1:
                problems.append(f"{place}: expected one {name.removesuffix('Pass')}.cpp for {argument}, "
                                f"found {len(files)}")
                continue
            folder = root / "test" / files[0].parent.relative_to(root / "lib")
            tests = {test for test in folder.rglob("*.mlir") if re.fullmatch(short + r"(-.*)?", test.stem)}
            tests_of[folder] |= tests
            if not tests:
                problems.append(f"{place}: {argument} has no test {folder.relative_to(root)}/{short}.mlir")
        for folder, tests in sorted(tests_of.items()):
            inner = {test for other in tests_of if other != folder for test in other.rglob("*.mlir")}
            for test in sorted(set(folder.rglob("*.mlir")) - tests - inner):
                if "Inputs" not in test.parts:
                    problems.append(f"{test.relative_to(root)}: is named for no pass of its room")
    return passes


def check_homes(root, table, problems):
    """What a row of the second table spells in its last cell stands in no source file but its home."""
    for what, homes, pattern in table:
        homes = names_in(homes)
        for home in homes:
            if not (root / home).exists():
                problems.append(f"docs/Architecture.md: {home}, the home of {what}, does not exist")
        spelling = names_in(pattern)[0].replace(r"\|", "|")
        for path in source_files(root):
            if str(path) not in homes and re.search(spelling, (root / path).read_text(encoding="utf-8")):
                problems.append(f"{path}: spells `{spelling}`; {what}: use {homes[0]}")


def main(root):
    problems = []
    document = (root / "docs/Architecture.md").read_text(encoding="utf-8")
    rooms = table_after(document, "| room | may include |")
    homes = table_after(document, "| what | home | spelled only there |")
    if rooms is None or homes is None:
        print("docs/Architecture.md: expected a table of rooms and a table of homes")
        return 1
    check_crowds(root, problems)
    graph = read_includes(root, problems)
    for circle in find_circles(graph):
        problems.append("these files need each other: " + ", ".join(circle))
    allowed = read_rooms(rooms, problems)
    check_rooms(graph, allowed, problems)
    passes = check_passes(root, problems)
    check_homes(root, homes, problems)
    check_local_names(root, problems)
    for problem in problems:
        print(problem)
    print(f"{len(graph)} units, {len(allowed)} rooms, {passes} passes, {len(problems)} problems")
    return 1 if problems or not graph or not passes else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
