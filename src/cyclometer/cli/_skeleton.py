# SPDX-License-Identifier: MIT OR Apache-2.0
"""The files that `cyclometer new` writes, made of what an operation declares about foreign trees."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from cyclometer.records.catalogue import Catalogue, ForeignOperation, Operation, Primitive
from cyclometer.vectors.templates import FIELD

VECTORS = "vectors.json"
EXAMPLE = "example-vectors.json"
SMALL = 400  # characters of an example's longest field
ARGUMENT = re.compile(r"(\w+)(?=[,)])")

README = """\
# {name}: {title}

1. Give your sizes in `api.h`, and write the functions in `{source}`. Any number of `.c`, `.S`, `.cc`
   and `.h` files may be in this folder. Another version of the same function goes into another folder.

{random}2. Check it. Until it is written, the check says `WRONG`, with the first case that fails:

       {check}
       {check} --constant-time

   `--as {model}` takes the published vectors of that system, and compares with
   its reference. For a function of your own, put vectors into `vectors.json`, as in
   `example-vectors.json`; `check` finds them. With neither, `ok` means only that the property tests pass.

3. Measure it, and compare it:

       {measure}

More: docs/your-code.md and docs/vectors.md of Cyclometer.
"""


RANDOM = """\
   Random bytes come from `randombytes()` of `randombytes.h`, which is there when the folder is checked and
   measured, and from nowhere else: otherwise the check could not repeat a call.

"""
RANDOM_IN_API = '/* Random bytes come from randombytes() of "randombytes.h" and from nowhere else. */'


def described_operations(catalogue: Catalogue) -> list[str]:
    """Return the operations that folders of one's own may have."""
    have = {primitive.operation for primitive in catalogue.primitives.values()}
    return [name for name, operation in catalogue.operations.items() if operation.foreign and name in have]


@dataclass(frozen=True)
class Skeleton:
    """A folder of code for one operation, with the sizes of a primitive, which is `system` if the user named it."""

    operation: Operation
    model: Primitive
    system: str
    folder: Path
    has_own_api: bool  # folders have another API for the operation than our systems

    @property
    def source(self) -> str:
        """The name of the stub."""
        return f"{self.operation.name.removeprefix('crypto_')}.c"

    @property
    def shown(self) -> str:
        """The folder as a command takes it."""
        return shlex.quote(str(self.folder) if self.folder.is_absolute() else f"./{self.folder}")

    @property
    def check(self) -> str:
        """The command that checks the folder."""
        return f"cyclometer check {self.shown}{f' --as {self.system}' if self.system else ''}"

    def files(self) -> dict[str, str]:
        """Return the text of each file by its name."""
        return {"api.h": self._api(), self.source: self._stub(), "README.md": self._readme(), EXAMPLE: self._example()}

    @property
    def _names(self) -> ForeignOperation:
        assert self.operation.foreign
        return self.operation.foreign

    @property
    def _draws_random_bytes(self) -> bool:
        return any(suffix.endswith("_keypair") for suffix in self._names.required_functions)

    def _prototypes(self) -> list[str]:
        return [
            self._names.functions[suffix].replace("@", self.operation.name + suffix).removesuffix(";")
            for suffix in self._names.required_functions
        ]

    def _sizes(self) -> list[tuple[str, int, str]]:
        """Return macro, value and meaning of each size that must be given."""
        known, result = self.model.sizes, []
        for size, keys in self._names.sizes.items():
            if keys in known or size not in self._names.optional_sizes:
                value = sum(known.get(key, 0) for key in keys.split("+"))
                meaning = keys.replace("_", " ").replace("+", " + ")
                result.append((f"CRYPTO_{size}", value, meaning or "unused here"))
        return result

    def _api(self) -> str:
        like = f"as in {self.model.key}" if self.system else f"here as in {self.model.key}: put in yours"
        macros = [f"#define {macro} {value} /* {meaning} */" for macro, value, meaning in self._sizes()]
        return "\n".join(
            [
                f"/* {self.operation.name}: the sizes, {like}, and the functions to define. */",
                "#ifndef API_H",
                "#define API_H",
                "",
                *(macros or ["/* This operation has no sizes to give. */"]),
                "",
                *([RANDOM_IN_API, ""] if self._draws_random_bytes else []),
                "#ifdef __cplusplus",
                'extern "C" {',
                "#endif",
                *(f"{prototype};" for prototype in self._prototypes()),
                "#ifdef __cplusplus",
                "}",
                "#endif",
                "",
                "#endif",
                "",
            ]
        )

    def _stub(self) -> str:
        lines = [f"/* {self.operation.title}: a stub, which fails until you write it. 0 is success. */"]
        aborts = any(prototype.startswith("void ") for prototype in self._prototypes())
        lines += ['#include "api.h"', *(["", "#include <stdlib.h>"] if aborts else [])]
        for prototype in self._prototypes():
            names = ARGUMENT.findall(prototype)
            unused = "    " + ", ".join(f"(void){name}" for name in names) + ";"
            fails = "    abort();" if prototype.startswith("void ") else "    return -1;"
            lines += ["", prototype, "{", unused, f"{fails} /* not written yet */", "}"]
        return "\n".join([*lines, ""])

    def _readme(self) -> str:
        title = self.operation.title
        return README.format(
            name=self.folder.absolute().name,
            title=title[:1].lower() + title[1:],
            source=self.source,
            check=self.check,
            measure="\n       ".join(self._measuring()),
            model=self.model.key,
            random=RANDOM if self._draws_random_bytes else "",
        )

    def _measuring(self) -> list[str]:
        """Return the commands that measure the folder, beside our systems if these have the same API."""
        if self.has_own_api:
            return [f"cyclometer run {self.shown}", f"cyclometer compare OTHER_FOLDER {self.shown}"]
        run = self.check.replace(" check ", " run ", 1)
        rival = f"cyclometer compare {self.shown} {self.model.name}"
        return [run, "cyclometer table --by implementation", rival]

    def _example(self) -> str:
        fields = sorted({field for template in self.operation.vectors for field in FIELD.findall(template.expect)})
        content = {
            "format": "cyclometer-vectors/1",
            "operation": self.operation.name,
            "system": self.folder.absolute().name,
            "comment": [
                f"An example, from {self.model.key}. Put your own values in and rename this file to {VECTORS}.",
                "Values are lower-case hex; docs/vectors.md lists the fields of each operation.",
                f"What your code must answer: {', '.join(fields)}. The other fields are what it is asked.",
            ],
            "vectors": self._shortest(),
        }
        return json.dumps(content, indent=1) + "\n"

    def _shortest(self) -> list[dict[str, object]]:
        """Return the model's first vector of moderate length without empty fields, or its shortest."""
        known = [v for path in self.model.vectors if path.suffix == ".json" for v in _vectors(path)]
        ordered = sorted(known, key=lambda vector: ("" in vector.values(), max(_longest(vector), SMALL)))
        return ordered[:1]


def _vectors(path: Path) -> list[dict[str, object]]:
    vectors: list[dict[str, object]] = json.loads(path.read_text(encoding="utf-8"))["vectors"]
    return vectors


def _longest(vector: dict[str, object]) -> int:
    return max((len(str(value)) for value in vector.values()), default=0)
