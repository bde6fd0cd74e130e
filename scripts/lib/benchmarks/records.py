# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of records: a line of JSON for each measured work on a backend, with a precision, lanes and threads."""

import json
from pathlib import Path

from . import BenchError

SCHEMA, VERSION = "trackplex-benchmark", 1
WORK = ("program", "input", "work", "precision")  # what times can be compared of
KEY = (*WORK, "backend", "lanes", "threads")
TIMES = ("median", "lower_quartile", "upper_quartile", "min", "max")
NEEDED = (*KEY, *TIMES, "git", "host", "cpu", "hash", "label")


def key_of(record):
    return tuple(record[key] for key in KEY)


def work_key(record):
    return tuple(record[key] for key in WORK)


def spread_of(record):
    """Interquartile range as a fraction of the median."""
    return (record["upper_quartile"] - record["lower_quartile"]) / record["median"]


def parse(line, place):
    try:
        record = json.loads(line)
    except ValueError as error:
        raise BenchError(3, f"{place}: is not JSON ({error})") from None
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise BenchError(3, f"{place}: is no record of scripts/bench run")
    if record.get("schema_version") != VERSION:
        raise BenchError(3, f"{place}: has version {record.get('schema_version')} (this script knows {VERSION})")
    if missing := [key for key in NEEDED if key not in record]:
        raise BenchError(3, f"{place}: has no {', '.join(missing)}")
    if not all(isinstance(record[key], (int, float)) for key in TIMES) or not record["median"] > 0.:
        raise BenchError(3, f"{place}: its times are not numbers above 0")
    return record


def read_file(file):
    try:
        lines = Path(file).read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(3, f"cannot read {file} ({error})") from None
    records = [parse(line, f"{file}:{i}") for i, line in enumerate(lines, 1) if line.strip()]
    if not records:
        raise BenchError(3, f"{file} has no records")
    return records


def read(selector):
    """The records of FILE, or those of FILE@REVISION or FILE@LABEL."""
    file, at, chosen = selector.rpartition("@")
    if not at or Path(selector).exists():
        return read_file(selector)
    records = read_file(file)
    found = [record for record in records if record["label"] == chosen or str(record["git"]).startswith(chosen)]
    if not chosen or not found:
        names = dict.fromkeys(name for record in records for name in (record["git"], record["label"]) if name)
        raise BenchError(3, f"{file} has no revision or label {chosen!r} (there are: {', '.join(names)})")
    return found


def latest(records):
    """The last record of each work, backend, precision, lanes and threads; in the order in which they first appear."""
    return {key_of(record): record for record in records}


def append(file, records):
    try:
        with Path(file).open("a") as stream:
            stream.writelines(json.dumps(record) + "\n" for record in records)
    except OSError as error:
        raise BenchError(1, f"cannot write {file} ({error.strerror})") from None
