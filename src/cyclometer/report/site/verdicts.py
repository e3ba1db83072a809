# SPDX-License-Identifier: MIT OR Apache-2.0
"""The pages of a queue of submissions: one per verdict, and the list of all."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from cyclometer.errors import on_disk
from cyclometer.records.submission import Decision, SubmissionVerdict
from cyclometer.records.table import Table
from cyclometer.report.site import assets
from cyclometer.report.site.render import templates
from cyclometer.report.site.site import Page

MEANINGS = {
    Decision.ACCEPTED: "It was built, passed its checks and was timed; nothing in it is wrong.",
    Decision.REJECTED: "Something in it is wrong, or nothing in it works; what is right was timed nevertheless.",
    Decision.REFUSED: "It was not examined: it cannot be read as a tree of implementations.",
    Decision.ABANDONED: "Its examination did not come to an end, so there is no verdict on the code.",
    Decision.NOT_EXAMINED: "No machine has examined it.",
}


def write_verdict(folder: Path, verdict: SubmissionVerdict, tables: Sequence[Table]) -> None:
    """Write index.html into the folder of a submission, two levels below that of the queue's list."""
    page = Page(path="index.html", template="verdict.html", title=verdict.submission.name)
    values = {"verdict": verdict, "tables": tables, "meanings": MEANINGS}
    content = templates().get_template(page.template).render(page=page, root="../../", **values)
    with on_disk("write", folder):
        (folder / page.path).write_text(content, encoding="utf-8")


def write_list(folder: Path, verdicts: Sequence[SubmissionVerdict], *, waiting: int, running: int) -> None:
    """Write index.html and assets/ into the folder of a queue."""
    page = Page(path="index.html", template="queue.html", title="Submissions")
    values = {"verdicts": verdicts, "waiting": waiting, "running": running}
    content = templates().get_template(page.template).render(page=page, root="", **values)
    with on_disk("write", folder):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(folder / "assets", ignore_errors=True)
        assets.write(folder, live=False)
        (folder / page.path).write_text(content, encoding="utf-8")
