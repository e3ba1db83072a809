# SPDX-License-Identifier: MIT OR Apache-2.0
"""How long the server of a collection waits for its clients, so that a slow or silent one costs it little."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 20.0  # for a client to begin, and to send each request
SLOWEST = 1 << 16  # bytes in a second that an upload must reach after that
END_SECONDS = 1  # for answers under way when the server is stopped


class TooLarge(Exception):
    """A client sends more than it may, or says that it will."""


async def received(request: Request, largest: int) -> bytes:
    """Return what a client sends. Raises `TooLarge`, or `TimeoutError` if it stops or crawls."""
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced[:20]) > largest:
        raise TooLarge
    content = bytearray()
    begun = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(SECONDS) as patience:
            async for piece in request.stream():
                content += piece
                if len(content) > largest:
                    raise TooLarge
                patience.reschedule(begun + SECONDS + len(content) / SLOWEST)
    except asyncio.CancelledError:  # the server is being stopped
        raise ClientDisconnect from None
    return bytes(content)


class PromptClients(H11Protocol):
    """Disconnects a client that takes longer to send the head of its request, even if something comes now and then."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._looked_at: object = self  # the request that was answered last when it was looked at
        self._look()

    def _look(self) -> None:
        if self.transport.is_closing():
            return
        is_waiting = self.cycle is None or self.cycle.response_complete
        if is_waiting and self._looked_at is self.cycle:
            self.transport.close()
            return
        self._looked_at = self.cycle if is_waiting else self
        self.loop.call_later(SECONDS, self._look)
