# SPDX-License-Identifier: MIT OR Apache-2.0
"""Submissions of strangers: queued, examined in the sandbox, and judged by themselves (docs/submissions.md).

queue = Queue(Path("queue"))
queue.add(read_archive(Path("myhash.tar.gz")), "myhash")
work(queue, LocalExaminer(machine="box", budget=3600), publish, print)
"""

from cyclometer.submissions.archive import MAX_ARCHIVE, pack, read_archive, unpack
from cyclometer.submissions.queue import Queue
from cyclometer.submissions.worker import Examiner, LocalExaminer, publish_alone, work

__all__ = [
    "MAX_ARCHIVE",
    "Examiner",
    "LocalExaminer",
    "Queue",
    "pack",
    "publish_alone",
    "read_archive",
    "unpack",
    "work",
]
