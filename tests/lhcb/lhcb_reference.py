# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the comparisons with the plain-Python reference share: finding data and reference, running a program, VELO tracks."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
YEARS = (2019, 2020, 2023)


def parse_arguments(description, program):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("program", help=f"the {program} executable")
    parser.add_argument("source", type=Path, help="root of the sources, beside which the data are looked for")
    return parser.parse_args()


def find_reference(source, data_name):
    """The folder of the data, and makes the reference's modules importable; None, and says so, where one is absent."""
    data = Path(os.environ.get("TRACKPLEX_DATA", source / "../shared/data")) / data_name
    reference = Path(os.environ.get("TRACKPLEX_REFERENCE", source / "../shared/reference")) / "lhcb"
    geometry = reference / "../../data/lhcb-raw/geometry"  # where its modules look for it
    if not all(folder.is_dir() for folder in (data, reference, geometry)):
        print(f"skipped: needs {data}, {reference} and {geometry} (set TRACKPLEX_DATA and TRACKPLEX_REFERENCE)")
        return None
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(reference))
    return data


def run_program(program, *options):
    """One pass on one thread, without text."""
    command = [program, *map(str, options), "--backend", "serial", "--repeat", "1", "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_PROC_BIND": "false"})


def velo_tracks(x, y, z, module, year):
    """The reference's VELO tracks, each a list of hits from the most downstream one on."""
    import sbt_old
    import sbt_ref

    if year == 2023:
        return sbt_ref.sbt(x, y, z, module, modz=sbt_ref.module_z())[0]
    return sbt_old.sbt(x, y, z, module, year, sbt_ref.module_z())[0]
