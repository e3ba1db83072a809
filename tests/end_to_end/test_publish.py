# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs travel in signed bundles; a collection takes what is whole, trusted and plausible, and nothing else."""

from __future__ import annotations

import hashlib
import io
import json
import math
import random
import select
import signal
import socket
import subprocess
import tarfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cyclometer import signing
from cyclometer.errors import RefusedFile
from cyclometer.publish import Collection, Quota, make_bundle, read_bundle
from cyclometer.publish.bundle import MANIFEST, NAMESPACE, SIGNATURE, packed
from cyclometer.store import list_runs
from support.command_line import CommandLine
from support.small_tree import SmallTree

RUN = ("run", "salsa20", "--rounds", "2", "--patience", "0", "--no-tables", "--machine", "box", "--seed", "7")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> tuple[CommandLine, Path, Path]:
    """Measure once; return the command, a private key and the bundle of the run."""
    folder = tmp_path_factory.mktemp("published")
    tree = SmallTree.grow(folder / "tree", "crypto_stream/salsa20/ref")
    cyclometer = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
    assert cyclometer(*RUN).status == 0
    signing.make_key(folder / "key")
    result = cyclometer("publish", folder / "outbox", "--key", folder / "key")
    assert result.status == 0, result.stderr
    [bundle] = (folder / "outbox").iterdir()
    return cyclometer, folder / "key", bundle


@pytest.fixture
def collection(published: tuple[CommandLine, Path, Path], tmp_path: Path) -> Collection:
    cyclometer, key, _ = published
    [run] = list_runs(cyclometer.results)
    assert run.info
    trusted = signing.read_trusted(key.with_suffix(".pub").read_text(encoding="ascii"))
    return Collection(folder=tmp_path / "collection", trusted=trusted, contracts=run.info.contracts)


def members(bundle: bytes) -> dict[str, bytes]:
    """Unpack a bundle with another reader of tar archives."""
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        return {entry.name: archive.extractfile(entry).read() for entry in archive}  # type: ignore[union-attr]


def resigned(bundle: bytes, key: Path, **changes: bytes) -> bytes:
    """Make the bundle of a liar, who signs what the changed files are."""
    files = {name: content for name, content in members(bundle).items() if name not in (SIGNATURE, MANIFEST)}
    files |= {
        f"runs/0/{name.replace('_json', '.json').replace('_parquet', '.parquet')}": c for name, c in changes.items()
    }
    names = [name.removeprefix("runs/0/") for name in files if name.startswith("runs/0/") and "SHA256SUMS" not in name]
    sums = "".join(f"{hashlib.sha256(files[f'runs/0/{name}']).hexdigest()}  {name}\n" for name in sorted(names))
    files["runs/0/SHA256SUMS"] = sums.encode()
    return signed(files, key)


def signed(files: dict[str, bytes], key: Path) -> bytes:
    """Make the bundle of these files."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    manifest = json.dumps({"format": 1, "files": digests}).encode()
    signature = signing.sign(manifest, signing.read_key(key), NAMESPACE).encode()
    return packed({SIGNATURE: signature, MANIFEST: manifest, **files})


def stored(collection: Collection) -> list[Path]:
    return [path for path in collection.folder.rglob("*") if path.is_file()]


def test_a_bundle_is_taken_and_shown_and_a_copy_is_not_counted_twice(
    published: tuple[CommandLine, Path, Path], tmp_path: Path
) -> None:
    cyclometer, key, bundle = published
    arguments = ("collect", tmp_path / "public", bundle, "--keys", key.with_suffix(".pub"))
    for _ in range(2):
        result = cyclometer(*arguments)
        assert result.status == 0, result.stderr
    [run] = list_runs(tmp_path / "public" / "runs")
    [original] = list_runs(cyclometer.results)
    assert run.info == original.info
    assert (tmp_path / "public" / "site" / "index.html").exists()
    repeat = members(bundle.read_bytes())["sources.tar.gz"]
    with tarfile.open(fileobj=io.BytesIO(repeat)) as sources:
        assert "primitives/crypto_stream/salsa20/ref/implementation.toml" in sources.getnames()


def test_openssh_verifies_the_signature(published: tuple[CommandLine, Path, Path], tmp_path: Path) -> None:
    _, key, bundle = published
    files = members(bundle.read_bytes())
    for name in (SIGNATURE, MANIFEST):
        (tmp_path / name).write_bytes(files[name])
    (tmp_path / "allowed").write_text("me " + key.with_suffix(".pub").read_text(encoding="ascii"), encoding="ascii")
    command = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", "me", "-n", NAMESPACE, "-s", SIGNATURE]
    subprocess.run(command, input=files[MANIFEST], cwd=tmp_path, check=True)


def test_a_bundle_goes_into_a_git_repository(published: tuple[CommandLine, Path, Path], tmp_path: Path) -> None:
    cyclometer, key, bundle = published
    who = {f"GIT_{role}_{what}": "me@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    subprocess.run(["git", "init", "--quiet", tmp_path / "clone"], check=True)
    result = cyclometer("publish", f"git:{tmp_path / 'clone'}", "--key", key, **who)
    assert result.status == 0, result.stderr
    shown = subprocess.run(
        ["git", "-C", tmp_path / "clone", "show", f"HEAD:bundles/{bundle.name}"], capture_output=True, check=True
    )
    assert shown.stdout == bundle.read_bytes(), "the same runs and key make the same bytes"


@contextmanager
def serving(cyclometer: CommandLine, public: Path, key: Path) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """Serve a collection; yield the port and the process."""
    pytest.importorskip("uvicorn", reason="pip install 'cyclometer[collect]'")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = cyclometer.start("collect", public, "--keys", key.with_suffix(".pub"), "--port", str(port))
    try:
        until = time.monotonic() + 240
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield port, server
    finally:
        server.kill()
        server.communicate()


def test_a_server_takes_a_bundle_and_refuses_a_damaged_one(
    published: tuple[CommandLine, Path, Path], tmp_path: Path
) -> None:
    cyclometer, key, _ = published
    public = tmp_path / "public"
    (tmp_path / "trusted.pub").write_bytes(key.with_suffix(".pub").read_bytes())
    with serving(cyclometer, public, tmp_path / "trusted") as (port, _):
        url = f"http://127.0.0.1:{port}"
        result = cyclometer("publish", url, "--key", key)
        assert result.status == 0, result.stderr
        assert [run.machine for run in list_runs(public / "runs")] == ["box"]
        other = tmp_path / "other"
        signing.make_key(other)
        cyclometer("publish", url, "--key", other).complains("refuses the bundle", "is not trusted here")
        with urllib.request.urlopen(url, timeout=60) as page:
            assert b"salsa20" in page.read()
        (tmp_path / "trusted.pub").write_text(other.with_suffix(".pub").read_text(encoding="ascii"), encoding="ascii")
        cyclometer("publish", url, "--key", key).complains("refuses the bundle", "is not trusted here")


def test_a_server_bears_clients_that_stop_leave_or_boast(
    published: tuple[CommandLine, Path, Path], tmp_path: Path
) -> None:
    """None of them costs memory without bound, keeps others out, is mentioned, or delays the end by Ctrl-C."""
    cyclometer, key, _ = published
    most = pytest.importorskip("cyclometer.publish.application").MAX_HELD

    def begun(stack: ExitStack, length: int) -> socket.socket:
        client = stack.enter_context(socket.create_connection(("127.0.0.1", port), 60))
        client.sendall(b"POST /bundles HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\nabc" % length)
        return client

    with serving(cyclometer, tmp_path / "public", key) as (port, server), ExitStack() as stack:
        begun(stack, 30_000).close()
        assert b" 413 " in begun(stack, 1 << 40).recv(100), "refused before it is sent"
        silent = [begun(stack, 30_000) for _ in range(most + 1)]
        ready, _, _ = select.select(silent, [], [], 60)
        assert b" 503 " in ready[0].recv(100), "one more than are held in memory at once"
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 130
        assert server.stderr
        assert "Traceback" not in server.stderr.read()


def test_a_bundle_has_what_runs_of_protocols_and_of_modes_need(
    published: tuple[CommandLine, Path, Path], tmp_path: Path
) -> None:
    cyclometer, key, _ = published
    for folder in ("harness", "modes", "protocols/layers", "workloads"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file").write_text("x\n", encoding="ascii")
    bundle = make_bundle(list_runs(cyclometer.results), tmp_path, signing.read_key(key))
    with tarfile.open(fileobj=io.BytesIO(members(bundle)["sources.tar.gz"])) as sources:
        assert sources.getnames() == ["harness/file", "modes/file", "protocols/layers/file", "workloads/file"]


@pytest.mark.parametrize("number", [150, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_a_mutated_bundle_is_refused_and_nothing_is_stored(
    number: int, published: tuple[CommandLine, Path, Path], collection: Collection
) -> None:
    """Change one byte, cut or repeat a part; in front, where signature and manifest are, more often."""
    content = published[2].read_bytes()
    chance = random.Random(2107)
    for _ in range(number):
        at = chance.randrange(chance.choice([3000, len(content)]))
        kind = chance.randrange(4)
        if kind == 0:
            mutated = content[:at] + content[at + chance.randrange(1, 600) :]
        elif kind == 1:
            mutated = content[:at] + chance.randbytes(chance.randrange(1, 600)) + content[at:]
        else:
            mutated = content[:at] + bytes([content[at] ^ chance.randrange(1, 256)]) + content[at + 1 :]
        with pytest.raises(RefusedFile) as refused:
            collection.take(mutated)
        assert "\n" not in str(refused.value)
    assert stored(collection) == []
    assert collection.take(content), "and the one that is whole is taken"


def test_a_changed_file_is_named(published: tuple[CommandLine, Path, Path]) -> None:
    content = published[2].read_bytes()
    files = members(content)
    for name, file in files.items():
        at = content.index(file[:300]) + min(len(file), 300) // 2
        damaged = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        with pytest.raises(RefusedFile, match=MANIFEST if name in (SIGNATURE, MANIFEST) else name):
            read_bundle(damaged)


def with_samples(change: Callable[[pa.Table], pa.Table]) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def changed(files: dict[str, bytes]) -> dict[str, bytes]:
        stream = io.BytesIO()
        pq.write_table(change(pq.read_table(io.BytesIO(files["runs/0/samples.parquet"]))), stream)
        return {"samples_parquet": stream.getvalue()}

    return changed


def with_series(number: int) -> Callable[[pa.Table], pa.Table]:
    def changed(table: pa.Table) -> pa.Table:
        series = pa.array([[number] * 15] * table.num_rows, pa.list_(pa.int64()))
        return table.set_column(table.column_names.index("series"), "series", series)

    return changed


def with_names(column: str, name: str) -> Callable[[pa.Table], pa.Table]:
    return lambda table: table.set_column(
        table.column_names.index(column), column, pa.array([name] * table.num_rows, pa.string())
    )


def backwards(table: pa.Table) -> pa.Table:
    """Negate the raw timings, except those of the calibration."""
    series = [
        [-timing for timing in timings] if operation == "crypto_stream" else timings
        for timings, operation in zip(table["series"].to_pylist(), table["operation"].to_pylist(), strict=True)
    ]
    return table.set_column(table.column_names.index("series"), "series", pa.array(series, pa.list_(pa.int64())))


def with_info(**values: object) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def changed(files: dict[str, bytes]) -> dict[str, bytes]:
        return {"run_json": json.dumps(json.loads(files["runs/0/run.json"]) | values).encode()}

    return changed


def slower_clock(files: dict[str, bytes]) -> dict[str, bytes]:
    """Claim that the reference kernel takes twice its cycles, so that numbers are no longer core cycles."""
    info = json.loads(files["runs/0/run.json"])
    info["counter"]["chain_cycles"] *= 2
    return {"run_json": json.dumps(info).encode()}


def in_the_future(files: dict[str, bytes]) -> dict[str, bytes]:
    info = json.loads(files["runs/0/run.json"])
    info["started"] = info["finished"] = "2999-01-01T00:00:00Z"
    return {"run_json": json.dumps(info).encode()}


def one_round_again(table: pa.Table) -> pa.Table:
    """Sell the first round as more others than there are; a busy machine has measured some besides those planned."""
    first = table.filter(pa.compute.equal(table["round"], 0))
    place, last = table.column_names.index("round"), pa.compute.max(table["round"]).as_py()
    numbers = range(last + 1, 2 * last + 5)
    copies = [first.set_column(place, "round", pa.array([number] * len(first), pa.int16())) for number in numbers]
    return pa.concat_tables([table, *copies])


def with_counter(**values: object) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def changed(files: dict[str, bytes]) -> dict[str, bytes]:
        info = json.loads(files["runs/0/run.json"])
        return {"run_json": json.dumps(info | {"counter": info["counter"] | values}).encode()}

    return changed


def with_column(table: str, column: str, value: object) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    """Set a column of a table to one value in every row."""

    def changed(files: dict[str, bytes]) -> dict[str, bytes]:
        rows = pq.read_table(io.BytesIO(files[f"runs/0/{table}.parquet"]))
        place, stream = rows.column_names.index(column), io.BytesIO()
        values = pa.array([value] * len(rows), rows.schema.field(column).type)
        pq.write_table(rows.set_column(place, column, values), stream)
        return {f"{table}_parquet": stream.getvalue()}

    return changed


def many_long_texts(files: dict[str, bytes]) -> dict[str, bytes]:
    """Make a table of some kilobytes whose texts, which are all the same, would fill 4 GB."""
    rows, stream = 100_000, io.BytesIO()
    names = pq.read_table(io.BytesIO(files["runs/0/failures.parquet"])).column_names
    texts = {name: pa.array(["y" * 40_000 if name == "detail" else "x"]) for name in names}
    numbers = pa.array([0] * rows, pa.int32())
    pq.write_table(pa.table({n: pa.DictionaryArray.from_arrays(numbers, text) for n, text in texts.items()}), stream)
    return {"failures_parquet": stream.getvalue()}


def times(factor: int) -> Callable[[pa.Table], pa.Table]:
    """Multiply the raw timings, except those of the calibration."""

    def changed(table: pa.Table) -> pa.Table:
        series = [
            [factor * timing for timing in timings] if operation == "crypto_stream" else timings
            for timings, operation in zip(table["series"].to_pylist(), table["operation"].to_pylist(), strict=True)
        ]
        return table.set_column(table.column_names.index("series"), "series", pa.array(series, pa.list_(pa.int64())))

    return changed


def other_contract(files: dict[str, bytes]) -> dict[str, bytes]:
    info = json.loads(files["runs/0/run.json"])
    info["contracts"] = {name: "0" * 16 for name in info["contracts"]}
    return {"run_json": json.dumps(info).encode()}


LIES = (
    *("contract", "run.json", "not Parquet", "columns", "constant", "empty"),
    *("no control", "clock", "future", "copies", "twice", "backwards", "up", "markup", "operation"),
    *("escape", "long", "other run", "attacks"),
    *("no unit", "no step", "no chain", "another counter", "nanoseconds", "no zone", "seconds", "options", "lengths"),
    *("no cycles", "infinite", "no size", "many texts", "long series", "too slow", "huge run.json"),
)


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        (other_contract, "its contract of crypto_stream is 0000000000000000"),
        (lambda files: {"run_json": b"{}"}, "missing key"),
        (lambda files: {"samples_parquet": b"PAR1"}, "cannot be read"),
        (with_samples(lambda table: table.drop_columns(["tsc"])), "its columns are not those of the format"),
        (with_samples(with_series(1000)), "raw timings do not vary"),
        (with_samples(lambda table: table.slice(0, 0)), "no samples"),
        (with_samples(lambda t: t.filter(pa.compute.equal(t["control"], False))), "it has no A/A control"),
        (slower_clock, r"its calibration is off by \+\d+%"),
        (in_the_future, "it ends in the future"),
        (with_samples(one_round_again), "are not copies of others"),
        (with_samples(lambda table: pa.concat_tables([table, table.slice(0, 1)])), "it has a sample twice"),
        (with_samples(backwards), "time does not run backwards"),
        (with_samples(with_names("primitive", "../../x")), "'../../x' cannot name a primitive"),
        (with_samples(with_names("implementation", "<b>")), "'<b>' cannot name an implementation"),
        (with_samples(with_names("operation", "crypto_x")), "it has no contract for the operation crypto_x"),
        (with_info(machine="a\x1b[2J"), "cannot name a folder"),
        (with_info(machine="x" * 300), "cannot name a folder"),
        (with_samples(with_names("run", "another")), "it has samples of another run or machine"),
        (
            with_info(primitives={"crypto_stream/salsa20": {"attacks": 5}}),
            "crypto_stream/salsa20.attacks: Input should be a valid array",
        ),
        (with_counter(unit="<b>"), "counter.unit: Input should be 'core cycles'"),
        (with_counter(resolution=None), "counter.resolution: Input should be a valid number"),
        (with_counter(chain_cycles=0), "counter.chain_cycles: Input should be greater than"),
        (with_counter(name="other"), "it has samples of another counter than other"),
        (with_counter(unit="ns", per_second=2e9), "it counts nanoseconds, but 2e.09 of them in a second"),
        (with_info(started="2026-01-01T00:00:00"), "started: Input should have timezone info"),
        (with_info(started=1700000000), "started: Input should be a valid datetime"),
        (with_info(plan={"options": 7}), "plan.options: Input should be an object"),
        (with_info(plan={"options": {"lengths": "0-2147483647"}}), "0-2147483647 is not a valid range"),
        (with_column("trials", "cycles", None), "trials.parquet: a value of cycles is missing, negative or infinite"),
        (with_column("trials", "cycles", math.inf), "trials.parquet: a value of cycles is missing, negative or inf"),
        (with_column("sizes", "value", None), "sizes.parquet: a value of value is missing"),
        (many_long_texts, "failures.parquet: the texts of detail have more than"),
        (with_column("samples", "series", [*range(1001)]), "a sample has 1,001 raw timings"),
        (with_samples(times(10**9)), "its timings take .* s, but the run took"),
        (lambda files: {"run_json": files["runs/0/run.json"] + b" " * (4 << 20)}, "run.json is larger than"),
    ],
    ids=LIES,
)
def test_a_signed_lie_is_refused_with_the_reason(
    lie: Callable[[dict[str, bytes]], dict[str, bytes]],
    reason: str,
    published: tuple[CommandLine, Path, Path],
    collection: Collection,
) -> None:
    _, key, bundle = published
    content = bundle.read_bytes()
    assert resigned(content, key) != content
    assert read_bundle(resigned(content, key)), "what is changed below is all that is wrong"
    with pytest.raises(RefusedFile, match=reason):
        collection.take(resigned(content, key, **lie(members(content))))
    assert stored(collection) == []


def test_what_the_measured_systems_are_made_of_needs_no_contract(
    published: tuple[CommandLine, Path, Path], collection: Collection
) -> None:
    """A run of an AEAD has trials of its authenticator, an operation that it did not measure."""
    _, key, bundle = published
    content = bundle.read_bytes()
    part = with_column("trials", "operation", "crypto_onetimeauth")(members(content))
    assert collection.take(resigned(content, key, **part))


def test_other_measurements_under_the_identity_of_a_run_are_refused(
    published: tuple[CommandLine, Path, Path], collection: Collection
) -> None:
    _, key, bundle = published
    content = bundle.read_bytes()
    collection.take(content)
    before = stored(collection)
    later = with_samples(lambda table: table)(members(content))
    with pytest.raises(RefusedFile, match=r"another run has its id, [0-9a-f]{32}, but other samples"):
        collection.take(resigned(content, key, **later))
    assert stored(collection) == before


def test_a_bundle_whose_second_run_is_another_machines_is_refused_before_its_first_is_stored(
    published: tuple[CommandLine, Path, Path], collection: Collection
) -> None:
    _, key, bundle = published
    content = bundle.read_bytes()
    files = members(content)
    first = {name: file for name, file in files.items() if name.startswith("runs/")}
    info = json.loads(files["runs/0/run.json"])
    recorded = {"machine": "another", "recorded_as": [info["run"], info["machine"]]}
    liar = members(resigned(content, key, run_json=json.dumps(info | recorded).encode()))
    second = {name.replace("runs/0/", "runs/1/"): file for name, file in liar.items() if name.startswith("runs/")}
    with pytest.raises(RefusedFile, match=r"runs/1: another run has its id, [0-9a-f]{32}, but another machine"):
        collection.take(signed({**first, **second}, key))
    assert stored(collection) == []
    collection.take(content)
    before = stored(collection)
    with pytest.raises(RefusedFile, match=r"another run has its id, [0-9a-f]{32}, but another machine"):
        collection.take(signed(second, key))
    assert stored(collection) == before


def test_quotas_and_strangers(
    published: tuple[CommandLine, Path, Path], collection: Collection, tree: SmallTree, tmp_path: Path
) -> None:
    cyclometer, key, bundle = published
    content = bundle.read_bytes()
    with pytest.raises(RefusedFile, match="larger than"):
        replace(collection, quota=Quota(bundle_bytes=len(content) - 1)).take(content)
    with pytest.raises(RefusedFile, match="is not trusted here"):
        replace(collection, trusted=[]).take(content)
    collection.take(content)
    other = make_bundle(list_runs(cyclometer.results), tree.root, signing.read_key(key))
    with pytest.raises(RefusedFile, match="has sent 1 bundles within a day"):
        replace(collection, quota=Quota(bundles_per_day=1)).take(other)
    with pytest.raises(RefusedFile, match="would exceed"):
        replace(collection, quota=Quota(bytes_per_day=len(content))).take(other)
