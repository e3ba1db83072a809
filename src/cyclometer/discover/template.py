# SPDX-License-Identifier: MIT OR Apache-2.0
"""The files of a new folder of source code: `api.h`, a source with the prototypes, a README, a place for vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import dedent

from cyclometer.errors import CyclometerError, UnknownName
from cyclometer.records.catalogue import Operation

_EXAMPLES = {"bytes": 32, "key_bytes": 32, "nonce_bytes": 12, "tag_bytes": 16, "block_bytes": 64}
_OTHER_SIZE = 32  # bytes, in an api.h that its author completes


def template(operations: Mapping[str, Operation], operation: str, name: str) -> dict[str, str]:
    """Return file name -> text for a new implementation; `UnknownName` for an operation that does not exist."""
    known = {key: each for key, each in operations.items() if each.foreign}
    if operation not in operations:
        raise UnknownName("operation", operation, sorted(known))
    if operation not in known:
        raise CyclometerError(
            f"{operation} has no API for folders; CONTRIBUTING.md says how to add an implementation to this tree"
        )
    vectors = "vectors.json"
    return {
        "api.h": _api(known[operation]),
        f"{name}.c": _source(known[operation]),
        vectors: _vectors(known[operation], name),
        "README.md": _readme(known[operation], name),
    }


def prototypes(operation: Operation) -> list[str]:
    """Return the C prototypes that an implementation defines."""
    assert operation.foreign
    return [
        operation.foreign.functions[suffix].replace("@", operation.name + suffix)
        for suffix in operation.foreign.required_functions
    ]


def macros(operation: Operation) -> list[str]:
    """Return the macros that api.h defines."""
    assert operation.foreign
    return [f"CRYPTO_{size}" for size in operation.foreign.sizes if size not in operation.foreign.optional_sizes]


def _api(operation: Operation) -> str:
    assert operation.foreign
    lines = ["/* The sizes of the primitive. Replace the values by yours. */"]
    for macro in macros(operation):
        meaning = operation.foreign.sizes[macro.removeprefix("CRYPTO_")]
        value = _EXAMPLES.get(meaning, _OTHER_SIZE) if meaning else 0
        lines.append(
            f"#define {macro} {value}" + (f" /* {meaning.replace('_', ' ')} */" if meaning else " /* unused */")
        )
    return "\n".join(lines) + "\n"


def _source(operation: Operation) -> str:
    text = [f'#include "api.h"\n#include "{operation.name}.h"\n']
    for prototype in prototypes(operation):
        names = re.findall(r"(\w+)\s*[,)]", prototype)
        unused = "".join(f"    (void){name};\n" for name in names)
        result = "" if prototype.startswith("void") else "    return -1; /* 0 when it succeeds */\n"
        text.append(f"{prototype.removesuffix(';')}\n{{\n    /* Your code. */\n{unused}{result}}}\n")
    return "\n".join(text)


def _vectors(operation: Operation, name: str) -> str:
    """Return a file of vectors with one whose values are missing."""
    example = ", ".join(f'"{field}": "hex"' for field in _fields(operation))
    head = f'{{"format": "cyclometer-vectors/1", "operation": "{operation.name}", "system": "{name}",\n'
    return f'{head} "source": "where the results come from",\n "vectors": [{{"id": "first", {example}}}]}}\n'


def _fields(operation: Operation) -> Iterator[str]:
    """Yield the names of the fields of a vector."""
    if operation.vectors:
        template = operation.vectors[0]
        yield from dict.fromkeys(re.findall(r"{(\w+)}", f"{template.ask} {template.expect}"))


def _readme(operation: Operation, name: str) -> str:
    return dedent(
        f"""\
        # {name}

        {operation.title}: `{operation.name}`. Write your code into `{name}.c` (more files may stand beside it) and the
        sizes into `api.h`. Then, in the folder above this one:

            cyclometer check ./{name}                      # is it right?
            cyclometer check ./{name} --constant-time      # does its time depend on secrets?
            cyclometer run ./{name}                        # how fast is it?

        If it computes something that Cyclometer knows, `--as {operation.name}/NAME` checks it against the published
        vectors of that system and its reference, and measures both:

            cyclometer check ./{name} --as {operation.name}/NAME
            cyclometer run ./{name} --as {operation.name}/NAME
            cyclometer compare ./{name} NAME

        Otherwise, put published results into `vectors.json`: `cyclometer check ./{name} --vectors {name}/vectors.json`.
        """
    )
