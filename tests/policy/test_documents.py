# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rules for the documents: their length, the glossary's form, and links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.small_tree import REPOSITORY

LONGEST_README = 120  # lines
DOCUMENTS = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")])

# Everything between backticks, in a line or in a block, and blocks indented by four columns: no links are there.
CODE = re.compile(r"^ *```.*?^ *```|``.+?``|`[^`\n]+`|^    .*?$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(\s*<?([^)>\s]+)|^\[[^\]]+\]:\s*<?([^>\s]+)|\b(?:href|src)=\"([^\"]+)\"", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")


def links(document: Path) -> Iterator[str]:
    """Find every target that a document names, images included."""
    for groups in LINK.findall(CODE.sub("", document.read_text(encoding="utf-8"))):
        yield next(filter(None, groups))


def anchors(document: Path) -> set[str]:
    """Find the anchors that GitHub gives to the headings of a document, and those written in HTML."""
    text = re.sub(r"^ *```.*?^ *```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))
    for heading in re.findall(r"^#+ +(.+?)(?: +#+)?$", text, re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        same = sum(re.fullmatch(rf"{re.escape(slug)}(-\d+)?", anchor) is not None for anchor in found)
        found.add(f"{slug}-{same}" if slug in found else slug)
    return found


def dead_links(document: Path) -> list[str]:
    """Find the relative links without a file, or without the anchor they name."""
    dead = []
    for link in links(document):
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if ELSEWHERE.match(link):
            continue
        if not target.exists() or (anchor and (target.suffix != ".md" or anchor not in anchors(target))):
            dead.append(link)
    return dead


def faults_of_a_glossary(text: str) -> list[str]:
    """Find the rows of its tables that are not a word in bold with one sentence, and words explained twice."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    rows = [row for row in rows if row.replace(" ", "") not in ("|word|meaning|", "|---|---|")]
    faults = [
        row
        for row in rows
        if not re.fullmatch(r"\| \*\*[^|]+ \| [^|]+\. \|", row) or len(re.findall(r"[.!?](?=\s)", row)) != 1
    ]
    words = glossary_words(text)
    return faults + sorted({word for word in words if words.count(word) > 1})


def glossary_words(text: str) -> list[str]:
    """List the words in bold in the first column."""
    return [
        word for row in re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE) for word in re.findall(r"\*\*(.+?)\*\*", row)
    ]


def test_the_readme_is_short() -> None:
    assert len((REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines()) <= LONGEST_README


def test_the_glossary_has_one_sentence_for_each_word() -> None:
    assert faults_of_a_glossary((REPOSITORY / "GLOSSARY.md").read_text(encoding="utf-8")) == []


def test_the_glossary_has_forty_to_sixty_words() -> None:
    assert 40 <= len(glossary_words((REPOSITORY / "GLOSSARY.md").read_text(encoding="utf-8"))) <= 60


@pytest.mark.parametrize(
    "row",
    [
        "| **run** | One campaign on one machine |",
        "| **run** | One campaign. It is never changed. |",
        "| run | One campaign on one machine. |",
        "| **run** | One campaign. | Another column. |",
        "| **run** | One campaign. |\n| **run** | Another one. |",
    ],
)
def test_a_fault_of_a_glossary_is_found(row: str) -> None:
    assert faults_of_a_glossary(f"| word | meaning |\n| --- | --- |\n{row}\n") != []


def test_the_index_links_every_document_once() -> None:
    index = REPOSITORY / "docs/index.md"
    linked = [(index.parent / link.partition("#")[0]).resolve() for link in links(index) if not ELSEWHERE.match(link)]
    documents = [path for path in DOCUMENTS if path.parent == index.parent and path != index]
    assert {path.name: linked.count(path) for path in documents} == {path.name: 1 for path in documents}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    assert dead_links(document) == []


def test_the_links_of_the_documents_are_found() -> None:
    assert sum(1 for document in DOCUMENTS for link in links(document) if "#" in link and not ELSEWHERE.match(link)) > 5


@pytest.mark.parametrize(
    "text",
    [
        "[a](nowhere.md)",
        "![a](images/nowhere.png)",
        "[a](here.md#nowhere)",
        "[a](#nowhere)",
        "[a]\n\n[a]: nowhere.md",
        '<a href="nowhere.md">a</a>',
        "## Twice\n\n[a](#twice-1)",
    ],
)
def test_a_dead_link_is_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "here.md").write_text(f"# Here\n\n{text}\n", encoding="utf-8")
    assert len(dead_links(tmp_path / "here.md")) == 1


def test_a_link_that_leads_somewhere_is_not_dead(tmp_path: Path) -> None:
    text = "# Here, `now`\n\n## Twice\n\n## Twice\n\n[a](#here-now) [b](there.md#there) [c](https://example.org/#x)\n"
    text += "[d](#twice-1) `[e](nowhere.md)` [f](../)\n\n```\n# [g](nowhere.md)\n```\n\n    [h](nowhere.md)\n"
    (tmp_path / "here.md").write_text(text, encoding="utf-8")
    (tmp_path / "there.md").write_text("# There\n", encoding="utf-8")
    assert dead_links(tmp_path / "here.md") == []
