# SPDX-License-Identifier: MIT OR Apache-2.0
"""Evaluate simple C expressions without a compiler."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

_MAX_RIGHT_OPERAND = 1 << 16  # so that no shift fills the memory
_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
}


def arithmetic(text: str, variables: Mapping[str, int]) -> int | None:
    """Return the value of a C expression of decimals, variables, + - * / % << and parentheses; None for any other."""
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
            return _OPERATORS[type(op)](_value(left, variables), min(_value(right, variables), _MAX_RIGHT_OPERAND))
    raise ValueError(ast.dump(node))
