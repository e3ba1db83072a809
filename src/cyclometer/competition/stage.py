# SPDX-License-Identifier: MIT OR Apache-2.0
"""A tree in which the submissions are primitives under labels, and say nothing of who made them."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cyclometer.competition.files import Competition
from cyclometer.discover import discover
from cyclometer.discover.toml_files import read_toml
from cyclometer.errors import BadDeclaration, CyclometerError, on_disk
from cyclometer.paths import TREE, temporary_folder
from cyclometer.records.catalogue import Catalogue
from cyclometer.untrusted import files_below, is_file, read_bytes, read_text
from cyclometer.workload import OPERATION

Labels = Mapping[str, str]
"""The label of each submission, which is the name of its primitive in the tree."""


def new_labels(submissions: Iterable[str]) -> Labels:
    """Return a random label for each submission.

    All are beside each other in the tree in which they are compiled: whoever could guess the label of another could
    include its source.
    """
    return {name: f"entry-{secrets.token_hex(8)}" for name in submissions}


PERSONAL = frozenset({"description", "designers", "source", "security_source", "licence"})
"""Keys of a primitive.toml that could tell whose it is, or what."""


@contextmanager
def staged(tree: Path, competition: Competition, labels: Labels) -> Iterator[Path]:
    """Make such a tree, the labelled submissions beside everything of the tool's own; delete it at the end."""
    with temporary_folder("competition") as root:
        with on_disk("write", root):
            for name in TREE:
                if (tree / name).is_dir():
                    shutil.copytree(tree / name, root / name)
            for name, label in labels.items():
                _place(competition.submissions[name], root / "primitives" / OPERATION / label, label)
        yield root


def discovered(root: Path, competition: Competition, labels: Labels) -> Catalogue:
    """Return the catalogue of such a tree; `BadDeclaration` names the submission, not its label."""
    try:
        return discover(root)
    except CyclometerError as error:
        message = str(error)
        for name, label in labels.items():
            message = message.replace(str(root / "primitives" / OPERATION / label), str(competition.submissions[name]))
        raise BadDeclaration(message) from None


def _place(submission: Path, target: Path, label: str) -> None:
    """Copy the regular files of a submission; a link that leads out of it is left out."""
    home = submission.resolve()
    for file in files_below(home, home):
        copy = target / file.relative_to(home)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(read_bytes(file, inside=home))
    declaration = home / "primitive.toml"
    if not is_file(declaration, home):
        raise BadDeclaration(f"{submission} has no primitive.toml; docs/competition.md says what a submission is")
    (target / "primitive.toml").write_text(_anonymous(read_toml(declaration)), encoding="utf-8")
    for vectors in target.glob("vectors*.json"):
        vectors.write_text(_relabelled(vectors, label), encoding="utf-8")


def _anonymous(values: Mapping[str, Any]) -> str:
    kept = {key: value for key, value in values.items() if key not in PERSONAL}
    return "".join(f"{key} = {_value(value)}\n" for key, value in {"description": "an entry", **kept}.items())


def _value(value: Any) -> str:
    """Return a value of TOML; JSON's numbers, texts, booleans and lists are written alike."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _relabelled(vectors: Path, label: str) -> str:
    """Return a file of vectors as those of the label; one that is not JSON stays for the checks to refuse."""
    text = read_text(vectors)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return json.dumps({**content, "system": label}) if isinstance(content, dict) else text
