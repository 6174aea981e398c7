# Checks docs/Extending.md against the tree: the files that its guides list exist, and every op, kernel, flag and
# architecture occurs in the files of its guide. Only reads text. Usage: extending.py ROOT
import pathlib
import re
import sys

from structure import names_in

# Ops that cannot be computed, launched or lowered on their own.
HELD_BY_OTHERS = {
    "return": "the end of a body", "yield": "the end of a body", "launch": "a call, lowered with the graph",
    "global": "a name", "get_global": "a name, lowered with the graph", "model": "what ops stand in",
    "layers": "what ops stand in", "param": "bound by tile-specialize",
}
# Ops that occur under another name, by location: a dot becomes a tile_gpu op before it is lowered, and logits are a linear
# layer without a bias.
ELSEWHERE = {("lib/Conversion/TileGPUToNVVM/**/*.cpp", "DotOp"): "DotOp",
             ("kernels/*.mlir", "UnembedOp"): "implements(gpt.linear"}
# Ops that are expanded into other tile ops before lowering, by location.
EXPANDED = {"BytesOp": "lib/Conversion/TileToArith/ExpandBytes.cpp",
            "ScratchOp": "lib/Dialect/TileGPU/Transforms/Simplify/PlaceScratch.cpp"}
# Ops that are gone before anything is launched, by guide and location.
RESOLVED = {("A gpt op", "SelectOp"): "lib/Dialect/Gpt/Transforms/UnrollLayers.cpp"}
# Guide -> what to check: files and pattern of the existing entities (groups: name, then word), and the files that must
# mention each, with the text to look for. {name} is the C++ name, {word} its spelling.
GUIDES = {
    "A tile op": (
        "include/TileGPT/Dialect/Tile/IR/*.td", r'^def Tile_(\w+Op) : Tile_\w+<"(\w+)"',
        {"lib/Reference/*.cpp": "tile::{name}", "lib/Conversion/TileToCPU/**/*.cpp": "tile::{name}",
         "lib/Conversion/TileGPUToNVVM/**/*.cpp": "tile::{name}", "test/Dialect/Tile/IR/*.mlir": "tile.{word}",
         "test/Numeric/*.mlir": "tile.{word}"}),
    "A gpt op": (
        "include/TileGPT/Dialect/Gpt/IR/*.td", r'^def Gpt_(\w+Op) : Gpt_\w+<"(\w+)"',
        {"lib/Reference/Gpt/*.cpp": "{name}", "lib/Conversion/GptToTile/*.cpp": "{name}",
         "kernels/*.mlir": "implements(gpt.{word}", "test/Dialect/Gpt/IR/*.mlir": "gpt.{word}"}),
    "A kernel": (
        "kernels/*.mlir", r"^tile\.kernel @()(\w+)", {"test/unit/Numeric/*.cpp": '"{word}"'}),
    "A sampler flag": (
        "include/TileGPT/Runtime/Model/Sampler.h", r"///< ()(--[\w-]+)",
        {"tools/tilegpt-run/Flags/AddFlags.cpp": "{word}", "docs/Running.md": "{word}"}),
    "A GPU architecture": (
        "lib/Target/NVVM/GpuTarget.cpp", r'^      \{"()(sm_\w+)"',
        {"test/unit/Target/NVVM/GpuTargetTest.cpp": "{word}", "docs/GpuImages.md": "{word}"}),
}


def read(root, pattern):
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(root.glob(pattern)))


def check_table(root, guide, section, problems):
    rows = re.findall(r"^\|([^|]*)\|", section, re.MULTILINE)[2:]
    if not rows:
        problems.append(f"docs/Extending.md: '{guide}' has no table of files")
    for cell in rows:
        for name in names_in(cell):
            if not list(root.glob(name)):
                problems.append(f"docs/Extending.md: '{guide}' lists {name}, which does not exist")


def main(root):
    problems = []
    found = 0
    text = (root / "docs/Extending.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.*)\n((?:(?!^## ).*\n)*)", text, re.MULTILINE))
    for guide in sorted(set(GUIDES) ^ set(sections)):
        problems.append(f"docs/Extending.md: the guide '{guide}' and its check do not both exist")
    for guide, (sources, pattern, places) in GUIDES.items():
        if guide not in sections:
            continue
        check_table(root, guide, sections[guide], problems)
        there = {place: read(root, place) for place in places}
        members = re.findall(pattern, read(root, sources), re.MULTILINE)
        if not members:
            problems.append(f"{sources}: nothing found for '{guide}'")
        for name, word in members:
            found += 1
            for place, template in places.items():
                wanted = ELSEWHERE.get((place, name)) or template.format(name=name, word=word)
                if name in EXPANDED and place.startswith("lib/Conversion/"):
                    continue
                if (guide, name) in RESOLVED and place.startswith(("lib/Conversion/", "kernels/")):
                    continue
                if word not in HELD_BY_OTHERS and not re.search(r"(?<!\w)" + re.escape(wanted) + r"(?![\w-])", there[place]):
                    problems.append(f"{place}: does not name {wanted} ({guide} of docs/Extending.md)")
    for name, place in [*EXPANDED.items(), *((name, place) for (_, name), place in RESOLVED.items())]:
        if name not in read(root, place):
            problems.append(f"{place}: does not expand {name}")
    for problem in problems:
        print(problem)
    print(f"{len(sections)} guides, {found} things added so far, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
