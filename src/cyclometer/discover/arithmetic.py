# SPDX-License-Identifier: MIT OR Apache-2.0
"""Values of simple C expressions, without a compiler."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

_LARGEST = 1 << 16  # right operand: no shift may fill the memory
_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
}


def arithmetic(text: str, variables: Mapping[str, int]) -> int | None:
    """The value of an expression of decimal numbers, + - * / % << and parentheses; None for anything else."""
    text = re.sub(r"(?<=\d)[uUlL]+\b", "", text)
    try:
        return _value(ast.parse(text.strip()[:200], mode="eval").body, variables)
    except (SyntaxError, ValueError, KeyError, ZeroDivisionError, RecursionError):
        return None


def _value(node: ast.expr, variables: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.Name(id=name):
            return variables[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_value(left, variables), min(_value(right, variables), _LARGEST))
    raise ValueError(ast.dump(node))
