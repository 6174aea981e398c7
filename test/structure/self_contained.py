# Checks that each public header includes what declares the names it uses from the C++ library, LLVM and MLIR: precompiled
# headers would hide a missing include. Compares text: a qualified name has to occur in a header that is included, directly or
# not. Usage: self_contained.py ROOT FOLDER…, where FOLDERs are searched for <headers>.
import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*[<"]([^">]+)[">]', re.MULTILINE)
# Comments and strings.
UNREAD = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)
USE = re.compile(r"\b(?:std|tl|llvm|mlir)(?:::\w+)*::(\w+)")
OWN = re.compile(r"\b(?:class|struct|enum|using)\s+(\w+)")


class Headers:
    """Headers by path: what they include, and which of some words occur in them."""

    def __init__(self, folders, words):
        self.folders = folders
        self.words = words
        self.found = {}
        self.read = {}

    def find(self, name):
        if name not in self.found:
            paths = (folder / name for folder in self.folders)
            self.found[name] = next((path for path in paths if path.is_file()), None)
        return self.found[name]

    def parse(self, path):
        """The paths that a header includes, and the words in it. Names beside the header come first."""
        if path not in self.read:
            text = path.read_text(encoding="utf-8", errors="replace")
            included = []
            for name in INCLUDE.findall(text):
                beside = path.parent / name
                target = beside if beside.is_file() else self.find(name)
                if target is not None:
                    included.append(target)
            self.read[path] = included, self.words.intersection(re.findall(r"\w+", text))
        return self.read[path]

    def words_behind(self, path):
        """The words in all headers that `path` includes."""
        words, seen, todo = set(), set(), list(self.parse(path)[0])
        while todo:
            target = todo.pop()
            if target not in seen:
                seen.add(target)
                included, own = self.parse(target)
                words |= own
                todo += included
        return words


def main():
    root, *folders = map(pathlib.Path, sys.argv[1:])
    used = {}
    for path in sorted((root / "include").rglob("*.h")):
        text = UNREAD.sub(" ", path.read_text(encoding="utf-8"))
        used[path] = set(USE.findall(text)) - set(OWN.findall(text))
    headers = Headers([root / "include", *folders], set().union(*used.values()))
    problems = [f"{path.relative_to(root)}: includes nothing that declares {', '.join(missing)}"
                for path, names in used.items() if (missing := sorted(names - headers.words_behind(path)))]
    print("\n".join([*problems, f"{len(used)} headers, {len(problems)} problems"]))
    return 1 if problems else 0


sys.exit(main())
