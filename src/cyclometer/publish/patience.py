# SPDX-License-Identifier: MIT OR Apache-2.0
"""How long the server of a collection waits for its clients, so that a slow or silent one costs it little."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from starlette.requests import ClientDisconnect, Request
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 20.0  # for a client to begin, and to send each request
SLOWEST = 1 << 16  # bytes in a second that an upload must reach after that, and that must be read of an answer
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


class CountedTransport:
    """A connection that knows how many bytes its client has taken."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._written = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send, as soon as the client takes it."""
        self._written += len(data)
        self._transport.write(data)

    @property
    def waiting(self) -> int:
        """Bytes that the client has not taken."""
        return self._transport.get_write_buffer_size()

    @property
    def taken(self) -> int:
        """Bytes that the client, or the kernel for it, has taken."""
        return self._written - self.waiting


class PromptClients(H11Protocol):
    """Disconnects clients that take long to send the head of a request or to read an answer, byte by byte or not."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._counted = CountedTransport(transport)
        super().connection_made(cast(asyncio.Transport, self._counted))
        self._looked_at: object = self  # the request that was answered last when it was looked at
        self._taken, self._slow = 0, False  # what the client had taken then, and whether that was little
        self._look()

    def _look(self) -> None:
        """Look at the client now and then, until it is gone."""
        if self._reads_too_slowly():
            self.transport.abort()
            return
        if self.transport.is_closing():
            if self._counted.waiting:  # or what it is still to read would keep the connection for ever
                self.loop.call_later(SECONDS, self._look)
            return
        is_waiting = self.cycle is None or self.cycle.response_complete
        if is_waiting and self._looked_at is self.cycle:
            self.transport.close()
        self._looked_at = self.cycle if is_waiting else self
        self.loop.call_later(SECONDS, self._look)

    def _reads_too_slowly(self) -> bool:
        """Return whether the client was given something to read at the last two looks and took little of it since."""
        was_slow = self._slow
        self._slow = bool(self._counted.waiting) and self._counted.taken - self._taken < SECONDS * SLOWEST
        self._taken = self._counted.taken
        return self._slow and was_slow
