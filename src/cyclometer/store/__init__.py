# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage store: a run is a folder of Parquet files plus run.json, written once and read in place.

    with RunWriter.start(results_folder(), info) as writer:
        if not writer.has("salsa20-poly1305-round-0"):
            writer.add_samples("salsa20-poly1305-round-0", table)
        writer.finish()

    connection = open_runs(results_folder())
    connection.sql("SELECT primitive, median(list_median(series)) FROM samples GROUP BY ALL")

The files, their columns and the rules of versioning are in docs/formats.md.
"""

from cyclometer.store.amend import label_run, remove_run, rename_run
from cyclometer.store.arrivals import FILES as RUN_FILES
from cyclometer.store.arrivals import Identity, add_run, run_files, stored_identities, wrong_files
from cyclometer.store.database import fetched, open_database
from cyclometer.store.digests import is_right, missing_parts, read_digests
from cyclometer.store.files import rename_folder, storage, write_whole
from cyclometer.store.folder import RUN_FILE, SAMPLES_FILE, finished_folder, results_folder
from cyclometer.store.integrity import count_contents, systems_of_runs
from cyclometer.store.lock import FolderLock
from cyclometer.store.parquet import OPTIONS as PARQUET
from cyclometer.store.parquet import as_types
from cyclometer.store.reader import connect, fingerprint, list_runs, open_runs, remarks, select_runs
from cyclometer.store.schema import SMALL_TABLES, STORED
from cyclometer.store.state import EXACT, State, read_state, state_of
from cyclometer.store.stored_run import StoredRun
from cyclometer.store.writer import RunWriter, run_failures, run_info

__all__ = [
    "EXACT",
    "PARQUET",
    "RUN_FILE",
    "RUN_FILES",
    "SAMPLES_FILE",
    "SMALL_TABLES",
    "STORED",
    "FolderLock",
    "Identity",
    "RunWriter",
    "State",
    "StoredRun",
    "add_run",
    "as_types",
    "connect",
    "count_contents",
    "fetched",
    "fingerprint",
    "finished_folder",
    "is_right",
    "label_run",
    "list_runs",
    "missing_parts",
    "open_database",
    "open_runs",
    "read_digests",
    "read_state",
    "remarks",
    "remove_run",
    "rename_folder",
    "rename_run",
    "results_folder",
    "run_failures",
    "run_files",
    "run_info",
    "select_runs",
    "state_of",
    "storage",
    "stored_identities",
    "systems_of_runs",
    "write_whole",
    "wrong_files",
]
