#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tracks of lhcb_velo, hit by hit, with the plain-Python reference of Search by triplet.

In double precision all tracks must be the same. In single precision a track may differ where a cut or a tie falls between
the two precisions: each difference is listed, and more than one in a thousand is a failure.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
SETS = ("minibias", "bsphiphi")


def event_files(folder):
    return sorted(folder.glob("*.json"), key=lambda f: (len(f.name), f.name))


def reference_tracks(path, year):
    """The tracks of one event as a set of tuples of hit indices."""
    import sbt_old
    import sbt_ref

    event = json.loads(path.read_text())
    offsets = event["module_prefix_sum"]
    module = [m for m in range(52) for _ in range(offsets[m], offsets[m + 1])]
    x, y, z = event["x"], event["y"], event["z"]
    module_z = sbt_ref.module_z()
    if year == 2023:
        tracks, _ = sbt_ref.sbt(x, y, z, module, modz=module_z)
    else:
        tracks, _ = sbt_old.sbt(x, y, z, module, year, module_z)
    return {tuple(track) for track in tracks}


def program_tracks(program, folder, year, precision, scratch):
    """Event name -> set of tuples of hit indices."""
    output = Path(scratch) / "tracks.json"
    subprocess.run(
        [program, "--input", folder, "--constants", str(year), "--precision", precision, "--tracks", output,
         "--backend", "serial", "--repeat", "1", "--quiet"],
        check=True, stdout=subprocess.DEVNULL)
    events = json.loads(output.read_text())["events"]
    return {Path(e["event"]).name: {tuple(t["hits"]) for t in e["tracks"]} for e in events}


def compare(files, expected, found):
    """Number of tracks of the reference, and a line for each difference."""
    total, differences = 0, []
    for path in files:
        ours, theirs = found[path.name], expected[path]
        total += len(theirs)
        differences += [f"  {path.name}: only the reference has {t}" for t in sorted(theirs - ours)]
        differences += [f"  {path.name}: only lhcb_velo has {t}" for t in sorted(ours - theirs)]
    return total, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the lhcb_velo executable")
    parser.add_argument("source", type=Path, help="root of the sources, beside which the data are looked for")
    arguments = parser.parse_args()
    data = Path(os.environ.get("TRACKPLEX_DATA", arguments.source / "../shared/data")) / "lhcb-velo-json"
    reference = Path(os.environ.get("TRACKPLEX_REFERENCE", arguments.source / "../shared/reference")) / "lhcb"
    if not data.is_dir() or not reference.is_dir():
        print(f"skipped: needs {data} and {reference} (set TRACKPLEX_DATA and TRACKPLEX_REFERENCE)")
        return SKIPPED
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(reference))

    good = True
    with tempfile.TemporaryDirectory() as scratch:
        for events in SETS:
            files = event_files(data / events)
            for year in (2019, 2020, 2023):
                expected = {path: reference_tracks(path, year) for path in files}
                for precision in ("double", "float"):
                    found = program_tracks(arguments.program, data / events, year, precision, scratch)
                    total, differences = compare(files, expected, found)
                    allowed = 0 if precision == "double" else total // 1000
                    good = good and len(differences) <= allowed
                    print(f"{events} {year} {precision}: {total} tracks, {len(differences)} differences")
                    print(*differences, sep="\n", end="\n" if differences else "")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
