# SPDX-License-Identifier: MIT OR Apache-2.0
"""The server of a collection, an ASGI application.

POST /bundles takes a bundle, /reports has the web report of each machine, everything else is the site over all of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from cyclometer.errors import CyclometerError
from cyclometer.publish.bundle import RefusedBundle
from cyclometer.publish.collection import Collection


def application(collection: Collection, rebuild: Callable[[], None]) -> Starlette:
    """Return the application; `rebuild` makes the site anew in `site/` of the collection's folder."""
    one_at_a_time = threading.Lock()
    site, reports = collection.folder / "site", collection.folder / "reports"
    for folder in (site, reports):
        folder.mkdir(parents=True, exist_ok=True)

    def taken(content: bytes) -> list[str]:
        with one_at_a_time:
            stored = collection.take(content)
            rebuild()
        return [str(folder.relative_to(collection.results)) for folder in stored]

    async def take(request: Request) -> Response:
        content = bytearray()
        async for piece in request.stream():
            content += piece
            if len(content) > collection.quota.bundle_bytes:
                return JSONResponse({"refused": f"larger than {collection.quota.bundle_bytes:,} bytes"}, 413)
        try:
            return JSONResponse({"stored": await run_in_threadpool(taken, bytes(content))}, 201)
        except RefusedBundle as error:
            return JSONResponse({"refused": str(error)}, 422)
        except CyclometerError as error:
            return JSONResponse({"refused": f"the collection cannot store it: {error}"}, 503)

    return Starlette(
        routes=[
            Route("/bundles", take, methods=["POST"]),
            Mount("/reports", StaticFiles(directory=reports, html=True)),
            Mount("/", StaticFiles(directory=site, html=True)),
        ]
    )
