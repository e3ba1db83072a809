# SPDX-License-Identifier: MIT OR Apache-2.0
"""The server of a collection, an ASGI application.

POST /bundles takes a bundle and POST /submissions a submission; /reports has the web report of each machine,
/submissions/ the verdicts, and everything else is the site over all machines.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from cyclometer.errors import CyclometerError, RefusedFile
from cyclometer.publish.collection import Collection
from cyclometer.publish.hand_on import SIGNATURE
from cyclometer.publish.patience import SLOWEST, TooLarge, received

MAX_HELD = 8  # bundles and submissions in memory at once


@dataclass(frozen=True, kw_only=True)
class Submissions:
    """Where submissions go: the folder of the queue, and a function of archive, name and signature."""

    folder: Path
    largest: int  # bytes of an archive
    take: Callable[[bytes, str, str], str]  # returns the submission's number; `RefusedFile` says why not


def application(
    collection: Collection, rebuild: Callable[[], None], submissions: Submissions | None = None
) -> Starlette:
    """Return the application; `rebuild` makes the site anew in `site/` of the collection's folder."""
    one_at_a_time = threading.Lock()
    places = asyncio.Semaphore(MAX_HELD)

    def taken(content: bytes) -> dict[str, Any]:
        with one_at_a_time:
            stored = collection.take(content)
            rebuild()
        return {"stored": [str(folder.relative_to(collection.results)) for folder in stored]}

    async def take(request: Request) -> Response:
        return await _answer(request, collection.quota.bundle_bytes, taken, places)

    async def submit(request: Request) -> Response:
        assert submissions
        name, signature = request.query_params.get("name", ""), request.headers.get(SIGNATURE, "")
        put = submissions.take
        return await _answer(
            request, submissions.largest, lambda content: {"submission": put(content, name, signature)}, places
        )

    routes: list[BaseRoute] = [Route("/bundles", take, methods=["POST"])]
    if submissions:
        routes += [Route("/submissions", submit, methods=["POST"]), *_pages(submissions.folder)]
    routes.append(_files("/reports", collection.folder / "reports"))
    routes.append(_files("/", collection.folder / "site"))
    return Starlette(routes=routes)


async def _answer(
    request: Request, largest: int, take: Callable[[bytes], dict[str, Any]], places: asyncio.Semaphore
) -> Response:
    """Read what was sent, as far as it may be, and say what became of it."""
    if places.locked():
        return JSONResponse({"refused": "the collection is busy; send it again later"}, 503)
    async with places:
        try:
            content = await received(request, largest)
            return JSONResponse(await run_in_threadpool(take, content), 201)
        except (TooLarge, TimeoutError, ClientDisconnect, CyclometerError) as error:
            return _refusal(error, largest)


def _refusal(error: Exception, largest: int) -> Response:
    """Say why nothing was taken. Where it was not read to its end, the rest of it is no other request."""
    kind, reason, status = next(row for row in _REFUSALS if isinstance(error, row[0]))
    reason = reason.format(error=error, largest=largest)
    return JSONResponse({"refused": reason}, status, None if kind is RefusedFile else {"Connection": "close"})


_REFUSALS: tuple[tuple[type[Exception], str, int], ...] = (
    (TooLarge, "larger than {largest:,} bytes", 413),
    (TimeoutError, f"it came too slowly, with less than {SLOWEST:,} bytes in a second", 408),
    (ClientDisconnect, "it ends too early", 400),
    (RefusedFile, "{error}", 422),
    (CyclometerError, "the collection cannot store it: {error}", 503),
)


def _pages(queue: Path) -> list[BaseRoute]:
    """Return the routes to the verdicts; what waits is not shown."""

    async def index(request: Request) -> Response:
        del request
        page = queue / "index.html"
        return FileResponse(page) if page.exists() else JSONResponse({"submissions": "none examined yet"})

    shown = [_files(f"/submissions/{name}", queue / name) for name in ("done", "assets")]
    return [*shown, Route("/submissions/", index, methods=["GET"])]


def _files(address: str, folder: Path) -> Mount:
    folder.mkdir(parents=True, exist_ok=True)
    return Mount(address, StaticFiles(directory=folder, html=True))
