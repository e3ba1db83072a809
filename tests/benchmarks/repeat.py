# SPDX-License-Identifier: MIT OR Apache-2.0
"""Large results made from small ones, for measuring the tool itself.

    python tests/benchmarks/repeat.py RUN_FOLDER TARGET_RESULTS [--machines 5] [--copies 3]

Writes the run once for each of the invented machines, with every system copied under new names, and prints the
number of samples and timings. The values mean nothing, but they scatter and compress like real ones.
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cyclometer.records.run import RunInfo
from cyclometer.store.digests import digest_of, write_digests
from cyclometer.store.folder import RUN_FILE, SAMPLES_FILE
from cyclometer.store.runfile import read_run_info, write_run_info
from cyclometer.store.schema import SMALL_TABLES

SLOWDOWN = 0.03  # slowdown of each further copy of a system, so that there are no ties by construction


def main() -> None:
    """Write as many runs as machines."""
    parser = argparse.ArgumentParser()
    parser.add_argument("run", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--machines", type=int, default=5)
    parser.add_argument("--copies", type=int, default=1)
    options = parser.parse_args()
    info = read_run_info(options.run / RUN_FILE)
    samples = timings = 0
    for number in range(options.machines):
        new = _renamed(info, f"{info.machine}-{number}", options.copies)
        counted = _repeat(options.run, options.target / new.machine / new.run, new, options.copies)
        samples, timings = samples + counted[0], timings + counted[1]
    print(f"{options.machines} runs, {samples} samples, {timings} timings")


def _name(system: str, copy: int) -> str:
    return f"{system}-copy{copy}" if copy else system


def _renamed(info: RunInfo, machine: str, copies: int) -> RunInfo:
    primitives = {_name(key, copy): facts for copy in range(copies) for key, facts in info.primitives.items()}
    return dataclasses.replace(info, id="", machine=machine, primitives=primitives)


def _repeat(run: Path, folder: Path, info: RunInfo, copies: int) -> tuple[int, int]:
    folder.mkdir(parents=True)
    for name in SMALL_TABLES:
        table = pq.read_table(run / f"{name}.parquet")
        parts = [_of_copy(table, copy) for copy in range(copies)]
        pq.write_table(pa.concat_tables(parts).cast(table.schema), folder / f"{name}.parquet", compression="zstd")
    samples = timings = 0
    source = pq.ParquetFile(run / SAMPLES_FILE)
    with pq.ParquetWriter(folder / SAMPLES_FILE, source.schema_arrow, compression="zstd") as writer:
        for copy in range(copies):
            for group in range(source.num_row_groups):
                table = _of_copy(source.read_row_group(group), copy)
                table = _put(table, "machine", _constant(info.machine, table))
                writer.write_table(table.cast(source.schema_arrow))
                samples, timings = samples + table.num_rows, timings + len(table["series"].combine_chunks().flatten())
    write_digests(folder, {path.name: digest_of(path) for path in folder.glob("*.parquet")})
    write_run_info(folder / RUN_FILE, info)
    return samples, timings


def _of_copy(table: Any, copy: int) -> Any:
    """Return the same rows under the copy's name, a little slower."""
    if not copy:
        return table
    names = [name and _name(name, copy) for name in table["primitive"].to_pylist()]
    table = _put(table, "primitive", pa.array(names, pa.string()))
    if "series" in table.column_names:
        series = table["series"].combine_chunks()
        slower = (series.flatten().to_numpy() * (1 + SLOWDOWN * copy)).astype(np.int64)
        offsets = series.offsets.to_numpy()
        table = _put(table, "series", pa.ListArray.from_arrays(pa.array(offsets - offsets[0]), pa.array(slower)))
    return table


def _put(table: Any, name: str, column: Any) -> Any:
    field = table.schema.field(name)
    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(field.type):
        values = values.dictionary_encode().cast(field.type)
    return table.set_column(table.schema.get_field_index(name), field, values)


def _constant(value: str, table: Any) -> Any:
    return pa.array([value] * table.num_rows)


if __name__ == "__main__":
    main()
