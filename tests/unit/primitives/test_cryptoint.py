# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cryptoint headers that implementations of SUPERCOP trees include, compared with Python's integers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.small_tree import REPOSITORY

INCLUDE = REPOSITORY / "adapters" / "supercop" / "include"
WIDTHS = (8, 16, 32, 64)
KINDS = ("int", "uint")

# p, q, x, s: macros that implementations define before they include a header.
PROGRAM = """
#define p 761
#define q 4591
#define x 3
#define s 5
#include "crypto_{kind}{width}.h"
#undef p
#undef q
#undef x
#undef s
#include <stdio.h>
#define T crypto_{kind}{width}
int main(void)
{{
    static const T values[] = {{ {values} }};
    unsigned n = sizeof values / sizeof values[0];
    for (unsigned i = 0; i < n; i++) {{
        T a = values[i];
{unary}
        printf("\\n");
        for (unsigned j = 0; j < n; j++) {{
            T b = values[j];
{binary}
            T low = a, high = b;
            crypto_{kind}{width}_minmax(&low, &high);
            printf("%lld %lld\\n", (long long)low, (long long)high);
        }}
    }}
    return 0;
}}
"""

Function = Callable[..., int]


def _mask(value: bool) -> int:
    return -1 if value else 0


def _unary(kind: str, width: int) -> dict[str, Function]:
    def bits(a: int) -> int:
        return a % (1 << width)

    tests: dict[str, Callable[[int], bool]] = {
        "topbit": lambda a: bool(bits(a) >> (width - 1)),
        "bottombit": lambda a: bool(a & 1),
        "nonzero": lambda a: a != 0,
        "zero": lambda a: a == 0,
    }
    if kind == "int":
        tests |= {"negative": lambda a: a < 0, "positive": lambda a: a > 0}
    found: dict[str, Function] = {}
    for name, test in tests.items():
        found[f"{name}_mask"] = lambda a, test=test: _mask(test(a))
        found[f"{name}_01"] = lambda a, test=test: int(test(a))
    found["ones_num"] = lambda a: bits(a).bit_count()
    found["bottomzeros_num"] = lambda a: (bits(a) & -bits(a)).bit_length() - 1 if a else width
    return found


def _binary(width: int) -> dict[str, Function]:
    found: dict[str, Function] = {
        "shlmod": lambda a, b: a << (b % width),
        "shrmod": lambda a, b: a >> (b % width),
        "bitmod_mask": lambda a, b: _mask(bool(a >> (b % width) & 1)),
        "bitmod_01": lambda a, b: a >> (b % width) & 1,
        "min": min,
        "max": max,
    }
    comparisons: dict[str, Callable[[int, int], bool]] = {
        "unequal": lambda a, b: a != b,
        "equal": lambda a, b: a == b,
        "smaller": lambda a, b: a < b,
        "leq": lambda a, b: a <= b,
    }
    for name, test in comparisons.items():
        found[f"{name}_mask"] = lambda a, b, test=test: _mask(test(a, b))
        found[f"{name}_01"] = lambda a, b, test=test: int(test(a, b))
    return found


def _values(kind: str, width: int) -> list[int]:
    low = -(1 << (width - 1)) if kind == "int" else 0
    high = low + (1 << width) - 1
    ends = (low, low + 1, high // 2, high // 2 + 1, high - 1, high)
    middle = (0, 1, 2, 3, 7, 8, 15, 31, 63, 100, -1, -2, -100, 0x5A)
    return sorted({value for value in (*ends, *middle) if low <= value <= high})


def _wrapped(value: int, kind: str, width: int) -> int:
    """Return a value as the type holds it and printf's %lld shows it."""
    value %= 1 << width
    if kind == "int" or width == 64:
        return value - (1 << width) if value >> (width - 1) else value
    return value


def _expected(kind: str, width: int) -> Iterator[str]:
    def line(values: list[int]) -> str:
        return " ".join(str(_wrapped(value, kind, width)) for value in values)

    values = _values(kind, width)
    for a in values:
        yield line([f(a) for f in _unary(kind, width).values()])
        for b in values:
            yield line([*(f(a, b) for f in _binary(width).values()), min(a, b), max(a, b)])


def _program(kind: str, width: int) -> str:
    def calls(names: list[str], arguments: str) -> str:
        name = f"crypto_{kind}{width}"
        return "\n".join(f'printf("%lld ", (long long){name}_{one}({arguments}));' for one in names)

    suffix = "ull" if kind == "uint" else "ll"
    # The least value of 64 bits cannot be written as a literal.
    literals = [f"(T)(-{-v - 1}{suffix} - 1)" if v < 0 else f"(T){v}{suffix}" for v in _values(kind, width)]
    return PROGRAM.format(
        kind=kind,
        width=width,
        values=", ".join(literals),
        unary=calls(list(_unary(kind, width)), "a"),
        binary=calls(list(_binary(width)), "a, b"),
    )


@pytest.mark.parametrize("compiler", ["gcc", "g++", "clang", "clang++"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_function_is_pythons(compiler: str, kind: str, tmp_path: Path) -> None:
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    for width in WIDTHS:
        source = tmp_path / ("t.cc" if "++" in compiler else "t.c")
        source.write_text(_program(kind, width), encoding="utf-8")
        program = tmp_path / f"t{width}"
        flags = ["-O2", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}", "-o", str(program), str(source)]
        made = subprocess.run([compiler, *flags], capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
        printed = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
        assert [line.strip() for line in printed.splitlines()] == list(_expected(kind, width))


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_are_loaded_and_stored_in_both_orders(kind: str, tmp_path: Path) -> None:
    for width in WIDTHS:
        name, size = f"crypto_{kind}{width}", width // 8
        given = bytes(range(0x91, 0x91 + size))
        text = f"""
            #include "{name}.h"
            #include <stdio.h>
            int main(void)
            {{
                const unsigned char in[] = {{ {", ".join(map(str, given))} }};
                unsigned char out[2][{size}];
                {name}_store(out[0], {name}_load_bigendian(in));
                {name}_store_bigendian(out[1], {name}_load_bigendian(in));
                printf("%lld %lld ", (long long){name}_load(in), (long long){name}_load_bigendian(in));
                for (int i = 0; i < {2 * size}; i++) printf("%02x", out[i / {size}][i % {size}]);
                return 0;
            }}
        """
        source = tmp_path / "t.c"
        source.write_text(text, encoding="utf-8")
        subprocess.run(["gcc", f"-I{INCLUDE}", "-o", str(tmp_path / "t"), str(source)], check=True)
        printed = subprocess.run([str(tmp_path / "t")], capture_output=True, text=True, check=True).stdout
        orders = [_wrapped(int.from_bytes(given, order), kind, width) for order in ("little", "big")]
        assert printed == f"{orders[0]} {orders[1]} {given[::-1].hex()}{given.hex()}"
