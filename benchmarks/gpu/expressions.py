"""Evaluates the expressions of launch facts, which are in postfix order."""

import operator
import re

OPERATIONS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "ceildiv": lambda a, b: -(-a // b),
              "floordiv": operator.floordiv, "mod": operator.mod, "min": min, "max": max}
ARGUMENT = re.compile(r"p(\d+)(?:\[(\d+)\])?")


def evaluate(expression, arguments):
    """The value of an expression over numbers, scalar arguments ("p1") and sizes of axes ("p0[1]"): those of `shape`."""
    stack = []
    for node in expression:
        if node in OPERATIONS:
            right = stack.pop()
            stack.append(OPERATIONS[node](stack.pop(), right))
        elif isinstance(node, str):
            number, axis = ARGUMENT.fullmatch(node).groups()
            argument = arguments[int(number)]
            stack.append(argument.shape[int(axis)] if axis else argument)
        else:
            stack.append(node)
    return stack.pop()
