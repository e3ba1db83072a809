# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whatever a server answers, the sender sees what became of it, or one line that names the server."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator

import pytest

from cyclometer.errors import CyclometerError
from cyclometer.publish import hand_in, hand_on


@pytest.fixture
def server() -> Iterator[Callable[[int, bytes], str]]:
    """Start a server on loopback that answers each request alike; return its address."""
    running: list[http.server.HTTPServer] = []

    def start(status: int, content: bytes) -> str:
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                if not status:
                    self.wfile.write(content)
                    return
                self.send_response(status)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        running.append(http.server.HTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=running[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{running[-1].server_port}"

    yield start
    for each in running:
        each.shutdown()
        each.server_close()


def test_what_a_collection_answers_is_shown(server: Callable[[int, bytes], str]) -> None:
    url = server(201, b'{"stored": ["box/one", "box/two"]}')
    assert hand_on(b"x", url) == f"{url} stored box/one, box/two"
    assert hand_in(b"x", "mine", server(201, b'{"submission": "id"}'), "") == "id"
    with pytest.raises(CyclometerError, match="refuses the bundle: the key is not trusted"):
        hand_on(b"x", server(422, b'{"refused": "the key is not trusted"}'))


ODD = (b"[]", b"[1]", b"null", b"7", b'"text"', b"{}", b"", b"<html>", b"\xff", b"[" * 100_000)


@pytest.mark.parametrize("content", [*ODD, b'{"stored": null}', b'{"stored": [1]}', b'{"stored": "x"}'])
def test_an_answer_of_another_kind_is_one_line(server: Callable[[int, bytes], str], content: bytes) -> None:
    url = server(200, content)
    with pytest.raises(CyclometerError, match=f"{url} does not answer as a collection: ") as failed:
        hand_on(b"x", url)
    assert "\n" not in str(failed.value)
    with pytest.raises(CyclometerError, match=f"{url} does not take submissions: "):
        hand_in(b"x", "mine", url, "")


@pytest.mark.parametrize("content", [*ODD, b'{"refused": 7}'])
def test_a_refusal_of_another_kind_has_its_status(server: Callable[[int, bytes], str], content: bytes) -> None:
    with pytest.raises(CyclometerError, match="refuses the bundle: HTTP status 418"):
        hand_on(b"x", server(418, content))


def test_a_server_that_does_not_speak_http_is_named(server: Callable[[int, bytes], str]) -> None:
    with pytest.raises(CyclometerError, match="does not answer as a collection: ") as failed:
        hand_on(b"x", server(0, b"220 mail.example.org\r\n"))
    assert "\n" not in str(failed.value)
