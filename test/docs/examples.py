#!/usr/bin/env python3
"""Checks that every ```mlir example of a Markdown file parses and verifies.

usage: examples.py [--ops DIALECT] TILEGPT_OPT FILE.md

An example is a whole module, or some lines of a kernel or of a model. Lines are wrapped in a kernel or a model that
defines the values and parameters they use; the parser reports the missing ones and their types. With --ops,
every op of the dialect that the file describes must have an example. Prints the number of examples, or the first error
of each example that fails and exits with 1.
"""
import argparse
import re
import subprocess
import sys

TOP_LEVEL = re.compile(r"^(module|func\.func|tile\.kernel|tile\.global|gpt\.model|![\w.]+ = |#[\w.]+ = )", re.M)
UNDECLARED = re.compile(r"<stdin>:(\d+):(\d+): error: use of undeclared SSA value name")
OTHER_TYPE = re.compile(r"use of value '(%[\w.$-]+)' expects different type than prior uses: '(.*)' vs '(.*)'")
PARAMETER = re.compile(r'names the parameter "(\w+)", which')
VARIABLE = re.compile(r"names the type variable '(\w+)', which")


def examples(text):
    """Yields (heading, line, code) for every ```mlir block."""
    heading, code, start = "", None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if code is not None:
            if line.strip() == "```":
                yield heading, start, "\n".join(code) + "\n"
                code = None
            else:
                code.append(line)
        elif line.strip() == "```mlir":
            code, start = [], number + 1
        elif line.startswith("#"):
            heading = line.lstrip("#").strip()


def wrap(code, values, parameters):
    """Wraps lines of a kernel in a kernel, lines of a model in GPT-2, and launches, which need neither, in a function."""
    lines = [f'{name} = "doc.value"() : () -> ({kind})' for name, kind in values.items()]
    if "gpt." in code:
        head = ("gpt.model @example {layers = 12, heads = 12, width = 768, context = 1024, vocab = 50257} {\n"
                "func.func @example() {")
        tail = "return } }"
    elif "tile.launch" in code:
        head, tail = "func.func @example() {", "return }"
    else:
        head, tail = f"tile.kernel @example() params {{{', '.join(parameters)}}} grid [1] {{", "}"
    return "\n".join([head, *lines, code, tail, ""])


def parse(opt, module):
    run = subprocess.run([opt, "--allow-unregistered-dialect", "-o", "/dev/null"], input=module, text=True,
                         capture_output=True, check=False)
    return None if run.returncode == 0 else run.stderr


def complete(opt, code):
    """Parses an example, adding what it omits; returns None or the parser's message."""
    if TOP_LEVEL.search(code):
        return parse(opt, code)
    values, parameters = {}, []
    while True:
        module = wrap(code, values, parameters)
        message = parse(opt, module)
        if message is None:
            return None
        if match := UNDECLARED.search(message):
            line = module.splitlines()[int(match[1]) - 1]
            name = re.match(r"%[\w.$-]+", line[int(match[2]) - 1:])[0]
            if name in values:
                return message
            values[name] = "index"
        elif (match := OTHER_TYPE.search(message)) and values.get(match[1]) not in (None, match[2]):
            if values[match[1]] != "index":
                return message
            values[match[1]] = match[2]
        elif match := PARAMETER.search(message):
            parameters.append(f"{match[1]} = 8")
        elif match := VARIABLE.search(message):
            parameters.append(f"{match[1]}: type = f32")
        else:
            return message


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--ops")
    arguments.add_argument("opt")
    arguments.add_argument("file")
    options = arguments.parse_args()
    with open(options.file, encoding="utf-8") as file:
        text = file.read()
    found = list(examples(text))
    failures = 0
    if options.ops:
        described = re.findall(rf"^### `({options.ops}\.\w+)`", text, re.M)
        if not described:
            sys.exit(f"{options.file}: no op of dialect '{options.ops}' found")
        for op in described:
            if not any(heading.startswith(f"`{op}`") and op in code for heading, _, code in found):
                print(f"{options.file}: '{op}' has no example")
                failures += 1
    for heading, line, code in found:
        message = complete(options.opt, code)
        if message is not None:
            print(f"{options.file}:{line}: example of {heading} fails:\n{message}")
            failures += 1
    if failures:
        sys.exit(1)
    print(f"{len(found)} examples parse")


if __name__ == "__main__":
    main()
