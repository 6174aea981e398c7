#!/usr/bin/env python3
"""Runs the examples of a Markdown file and compares their output.

A fenced block `mlir file=NAME` is written to NAME. In a fenced block `console`, the shell runs lines that start with `$ `
in a folder that holds those files and the tree's models/, kernels/, examples/ and test/; the lines after a command are
its expected output (stdout and stderr together). `…` matches any text within a line, a line of only `…` any lines.

Usage: run_examples.py FILE.md SOURCE_DIR [COMMAND INSTEAD], with the tools on PATH. Each COMMAND in the text, which must
exist, is replaced by INSTEAD.
"""
import os
import re
import subprocess
import sys
import tempfile


def blocks(text):
    """Yields (info, line number, lines) of every fenced block."""
    info = None
    for number, line in enumerate(text.splitlines(), 1):
        if info is None and line.startswith("```"):
            info, start, lines = line[3:].strip(), number, []
        elif info is not None and line.startswith("```"):
            yield info, start, lines
            info = None
        elif info is not None:
            lines.append(line)


def commands(lines):
    """Yields (offset, command, expected lines) of a console block; a `\\` at the end of a line continues the command."""
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise ValueError(f"expected a line that starts with '$ ', found {lines[at]!r}")
        start, command = at, lines[at][2:]
        at += 1
        while command.endswith("\\"):
            command = command[:-1] + lines[at].lstrip()
            at += 1
        expected = []
        while at < len(lines) and not lines[at].startswith("$ "):
            expected.append(lines[at])
            at += 1
        yield start, command, expected


def pattern(expected):
    parts = []
    for line in expected:
        if line.strip() == "…":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append("[^\n]*".join(re.escape(piece) for piece in line.rstrip().split("…")) + r"[ \t]*\n")
    return re.compile("".join(parts))


def run(path, source, replaced=None, instead=None):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    failures = count = replacements = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("benchmarks", "examples", "kernels", "models", "test"):
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
        for info, number, lines in blocks(text):
            target = re.fullmatch(r"\w+ file=(\S+)", info)
            if target:
                with open(os.path.join(folder, target[1]), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")
            if info != "console":
                continue
            for offset, command, expected in commands(lines):
                count += 1
                if command == replaced:
                    command, replacements = instead, replacements + 1
                result = subprocess.run(["bash", "-c", command], cwd=folder, text=True, timeout=600,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
                output = result.stdout if result.stdout.endswith("\n") or not result.stdout else result.stdout + "\n"
                if not pattern(expected).fullmatch(output):
                    failures += 1
                    print(f"{path}:{number + 1 + offset}: {command}\n--- expected\n" + "\n".join(expected) +
                          f"\n--- found (exit {result.returncode})\n{output}")
    if replaced and replacements == 0:
        print(f"{path}: no example is '{replaced}'")
        return 1
    if count == 0:
        print(f"{path}: no examples found")
        return 1
    print(f"{path}: {count - failures} of {count} examples hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(run(*(os.path.abspath(argument) for argument in sys.argv[1:3]), *sys.argv[3:5]))
