# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer serve` among clients that are many, slow, gone or hostile."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cyclometer.report.site.server import MAX_ASKING
from support.browser import chromium
from support.command_line import CommandLine
from support.live_site import SECONDS, get, served
from support.small_tree import SmallTree
from support.synthetic import process, run_info, write_run

CLIENTS = 200
LENGTHS = (0, 40, 576, 1500)


@contextmanager
def served_run(cyclometer: CommandLine) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Serve one run; yield the address and the process."""
    info = run_info()
    cycles = {("encrypt", length): 1000.0 + length for length in LENGTHS}
    tables = [process(name, cycles=cycles, round=n, info=info) for name in ("hare", "tortoise") for n in (0, 1)]
    write_run(cyclometer.results, info, tables)
    with served(cyclometer) as (address, server):
        yield address, server


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, unchanged_tree: SmallTree, build_cache: Path
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Serve one run for all tests. No client, whatever it did, has been mentioned when Ctrl-C ends the server."""
    results = tmp_path_factory.mktemp("served") / "results"
    with served_run(CommandLine(tree=unchanged_tree.root, cache=build_cache, results=results)) as (address, server):
        yield address, server
        assert ended(server, signal.SIGINT) == (0, "cyclometer: stopped\n")


@pytest.fixture(scope="module", autouse=True)
def unfinished(site: tuple[str, subprocess.Popen[str]]) -> Iterator[socket.socket]:
    """Begin a request and do not finish it; the server waits some seconds, which pass during the other tests."""
    with connected(site[0]) as client:
        client.sendall(b"GET / HTTP/1.0\r\nX-Slow: ")
        yield client


def connected(address: str) -> socket.socket:
    return socket.create_connection((urlsplit(address).hostname, urlsplit(address).port), timeout=SECONDS)


def answer(address: str, request: bytes) -> bytes:
    """Send a request as it is, and return all that comes back."""
    with connected(address) as client:
        client.sendall(request)
        return b"".join(iter(lambda: client.recv(1 << 16), b""))


def ended(server: subprocess.Popen[str], number: int) -> tuple[int, str]:
    """Stop the server with a signal; return its exit status and what it printed."""
    server.send_signal(number)
    status = server.wait(SECONDS)
    assert server.stderr
    return status, server.stderr.read()


def test_a_path_that_is_no_page_is_not_found(site: tuple[str, subprocess.Popen[str]]) -> None:
    address, _ = site
    for path in ("/%00", "/%00/", "/a%00b.html", "/" + "x" * 60000, "/%ff%fe", "/..%2f..%2fetc/passwd", "/assets/"):
        reply = answer(address, f"GET {path} HTTP/1.0\r\nHost: localhost:80\r\n\r\n".encode())
        assert reply.split()[1] == b"404", path[:20]


def test_clients_that_leave_do_not_disturb_others(site: tuple[str, subprocess.Popen[str]]) -> None:
    address, _ = site
    for request in (b"", b"GET", b"GET /assets/style.css HTTP/1.0\r\nHost: localhost:80\r\n\r\n"):
        client = connected(address)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset instead of a farewell
        client.sendall(request)
        client.close()
    assert "hare" in get(address)


def test_other_host_names_are_refused(site: tuple[str, subprocess.Popen[str]]) -> None:
    hosts = ("Host: results.example:80\r\n", "", "Host: localhost:1\r\nHost: evil.example:1\r\n")
    for method, path, host in product(("GET", "HEAD"), ("/", "/live.json"), hosts):
        reply = answer(site[0], f"{method} {path} HTTP/1.0\r\n{host}\r\n".encode())
        assert reply.split()[1] == b"403", (method, path, host)


def test_head_has_the_headers_of_get_and_no_content(site: tuple[str, subprocess.Popen[str]]) -> None:
    for path in ("/", "/live.json", "/assets/style.css", "/missing.html"):
        requests = [f"{method} {path} HTTP/1.0\r\nHost: localhost:1\r\n\r\n" for method in ("GET", "HEAD")]
        got, head = (answer(site[0], request.encode()).partition(b"\r\n\r\n") for request in requests)
        without_date = [
            {line for line in each[0].splitlines() if not line.startswith(b"Date:")} for each in (got, head)
        ]
        assert without_date[0] == without_date[1]
        assert got[2]
        assert not head[2]
        names = {line.partition(b":")[0].lower() for line in without_date[0]}
        assert names >= {b"content-security-policy", b"x-content-type-options", b"referrer-policy", b"x-frame-options"}


def test_a_request_that_cannot_be_read_is_answered_with_all_headers(site: tuple[str, subprocess.Popen[str]]) -> None:
    for line in (b"GET / HTTP/2.0", b"GET / HTTP/x", b"\x16\x03\x01 \xff", b"GET", b"OPTIONS *"):
        reply = answer(site[0], line + b"\r\n\r\n")
        assert reply.startswith(b"HTTP/1.0 "), line
        assert b"Content-Security-Policy: default-src 'none'" in reply, line


def test_two_hundred_clients_at_once_are_all_served(site: tuple[str, subprocess.Popen[str]]) -> None:
    statuses: list[int] = []
    together = threading.Barrier(CLIENTS)

    def visit() -> None:
        together.wait()
        connection = http.client.HTTPConnection(urlsplit(site[0]).netloc, timeout=60)
        connection.request("GET", "/assets/style.css")
        reply = connection.getresponse()
        reply.read()
        statuses.append(reply.status)

    threads = [threading.Thread(target=visit) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * CLIENTS


def test_every_page_works_under_the_security_policy(site: tuple[str, subprocess.Popen[str]]) -> None:
    with chromium() as browser:
        page = browser.new_page()
        page.set_default_timeout(SECONDS * 1000)
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for path in ("", "tables.html", "compare.html", "systems/crypto_aead/hare.html", "security.html"):
            page.goto(site[0] + path, wait_until="networkidle")
        page.goto(site[0] + "compare.html")
        page.wait_for_selector(".bk-Canvas, canvas")
        assert [each for each in complaints if "favicon" not in each] == []


def test_a_client_that_never_finishes_its_request_is_disconnected(unfinished: socket.socket) -> None:
    assert unfinished.recv(1) == b""


def test_idle_clients_beyond_number_do_not_keep_others_out(site: tuple[str, subprocess.Popen[str]]) -> None:
    with ExitStack() as stack:
        oldest = stack.enter_context(connected(site[0]))
        for _ in range(MAX_ASKING):
            stack.enter_context(connected(site[0]))
        assert oldest.recv(1) == b""
        assert "hare" in get(site[0])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_other_signals_end_serving_like_ctrl_c(number: int, cyclometer: CommandLine) -> None:
    with served_run(cyclometer) as (_, server):
        assert ended(server, number) == (0, "cyclometer: stopped\n")
