#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tracks of lhcb_velo, hit by hit, with the plain-Python reference of Search by triplet.

In double precision all tracks must be the same. In single precision a track may differ where a cut or a tie falls between
the two precisions: each difference is listed, and more than one in a thousand is a failure.
"""

import json
import sys
import tempfile
from pathlib import Path

from lhcb_reference import SKIPPED, YEARS, find_reference, parse_arguments, run_program, velo_tracks

SETS = ("minibias", "bsphiphi")


def event_files(folder):
    return sorted(folder.glob("*.json"), key=lambda f: (len(f.name), f.name))


def reference_tracks(path, year):
    """The tracks of one event as a set of tuples of hit indices."""
    event = json.loads(path.read_text())
    offsets = event["module_prefix_sum"]
    module = [m for m in range(52) for _ in range(offsets[m], offsets[m + 1])]
    return {tuple(track) for track in velo_tracks(event["x"], event["y"], event["z"], module, year)}


def program_tracks(program, folder, year, precision, scratch):
    """Event name -> set of tuples of hit indices."""
    output = Path(scratch) / "tracks.json"
    run_program(program, "--input", folder, "--constants", year, "--precision", precision, "--output", output)
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
    arguments = parse_arguments(__doc__, "lhcb_velo")
    data = find_reference(arguments.source, "lhcb-velo-json")
    if not data:
        return SKIPPED

    good = True
    with tempfile.TemporaryDirectory() as scratch:
        for events in SETS:
            files = event_files(data / events)
            for year in YEARS:
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
