# SPDX-License-Identifier: MIT OR Apache-2.0
"""A client that asks for a page and hardly reads it is disconnected, by `serve` and `collect`; others are served."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from cyclometer.report.site import server
from cyclometer.report.site.server import LiveSite

PAGE = b"x" * (16 << 20)  # more than the kernel holds for a client
SECONDS = 30.0  # after which the test fails instead of waiting

Serving = tuple[int, Callable[[], None], threading.Event]
"""A port, a function that ends the patience with slow clients, and an event: all 20 of them were disconnected."""


def ask(port: int, buffer: int = 0) -> socket.socket:
    """Ask for the page; with a small buffer, the kernel takes little of it for the client."""
    client = socket.socket()
    if buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.settimeout(SECONDS)
    client.connect(("127.0.0.1", port))
    client.sendall(f"GET /page HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    return client


def rest(client: socket.socket) -> int:
    """Read until the other end closes the connection; return the number of bytes."""
    count = 0
    try:
        while piece := client.recv(1 << 20):
            count += len(piece)
    except ConnectionError:
        pass
    return count


def check_that_slow_clients_are_disconnected(port: int, hurry: Callable[[], None], gone: threading.Event) -> None:
    slow = [ask(port, 4096) for _ in range(20)]
    assert all(client.recv(1) == b"H" for client in slow)
    assert rest(ask(port)) > len(PAGE), "another client has everything meanwhile"
    hurry()
    assert gone.wait(SECONDS)
    assert all(rest(client) < len(PAGE) for client in slow)


@pytest.fixture
def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """Serve a page by the server of `serve`."""
    live = LiveSite(cast(Any, None), tmp_path, print)
    live.version = 1
    live.site(1).mkdir()
    (live.site(1) / "page").write_bytes(PAGE)
    gone, ended = threading.Event(), []
    with server._listen(live, 0) as made:
        disconnect = made._disconnect  # type: ignore[attr-defined]

        def count(request: socket.socket) -> None:
            disconnect(request)
            ended.append(request)
            if len(ended) == 20:
                gone.set()

        monkeypatch.setattr(made, "_disconnect", count)
        threading.Thread(target=made.serve_forever, args=(0.05,), daemon=True).start()
        yield made.server_address[1], lambda: monkeypatch.setattr(server, "ANSWER_SECONDS", 0.0), gone
        made.shutdown()


def test_serve_disconnects_slow_readers(serving: Serving) -> None:
    check_that_slow_clients_are_disconnected(*serving)


@pytest.fixture
def collecting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """Serve a page by the protocol of `collect`, which disconnects who takes nothing for two seconds."""
    uvicorn = pytest.importorskip("uvicorn", reason="pip install 'cyclometer[collect]'")
    from starlette.applications import Starlette  # noqa: PLC0415 - of an optional group
    from starlette.responses import StreamingResponse  # noqa: PLC0415
    from starlette.routing import Route  # noqa: PLC0415

    from cyclometer.publish import patience  # noqa: PLC0415

    monkeypatch.setattr(patience, "SECONDS", 1.0)
    gone, aborted = threading.Event(), []

    class Noting(patience.PromptClients):
        def _reads_too_slowly(self) -> bool:
            found = super()._reads_too_slowly()
            aborted.extend([1] * found)
            if len(aborted) == 20:
                gone.set()
            return found

    async def page(_: Any) -> StreamingResponse:
        async def pieces() -> Any:
            for at in range(0, len(PAGE), 1 << 16):
                yield PAGE[at : at + (1 << 16)]

        return StreamingResponse(pieces())

    application = Starlette(routes=[Route("/page", page)])
    server = uvicorn.Server(uvicorn.Config(application, http=Noting, log_level="error", timeout_graceful_shutdown=1))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        yield listening.getsockname()[1], lambda: None, gone
        server.should_exit = True
        thread.join(SECONDS)
        assert not thread.is_alive()


def test_collect_disconnects_slow_readers(collecting: Serving) -> None:
    check_that_slow_clients_are_disconnected(*collecting)
