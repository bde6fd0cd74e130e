# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples print what they are to print."""

import re
import os
import subprocess
import sys
from pathlib import Path

import pytest

import trackplex

EXAMPLES = Path(__file__).parents[1] / "examples"
OUTPUT = {
    "01_arrays_in_place": r"in place: True\n.* x = 2\.0 mm",
    "02_ring": r"tunes 0\.\d{4} and 0\.\d{4}.*\n\d+ of 10000 particles lost, emittance",
    "03_dynamic_aperture": r"\d+ of 990 starts survive 500 turns: \d+\.\d mm\^2",
    "04_madx_knobs": r"(k = 0\.\d\d: tunes 0\.\d{4} and 0\.\d{4}\n){3}",
    "05_lhcb_tracks": r"5 events, \d{3,} tracks with momentum, p within \d+ % of the truth",
    "06_scattered_electrons": r"46\.\d scatterings.*\nmost probable angle 0?\.?\d",
    "07_detector_tracks": r"9\d\.\d % of the particles found, [0-4]\.\d % fakes\ntransverse momentum within \d\.\d+ %",
    "08_smoothed_tracks": r"\d{4} of 5000 tracks fitted, chi2/ndf 1\.\d\d, 1/pT within \d\.\d %\n(.*\n)*layer 3: r phi +\+1\d\d\.\d um",
    "09_tour": r"\d+ hits, [56]\d tracks\nchi2/ndf [01]\.\d\d\ntunes 0\.\d{4} and 0\.\d{4}, dynamic aperture \d+ mm\^2",
}


def test_each_is_listed():
    assert {path.stem for path in EXAMPLES.glob("[0-9]*.py")} == set(OUTPUT)


@pytest.mark.parametrize("name", OUTPUT)
def test_example(name, tmp_path):
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py"], capture_output=True, text=True, timeout=300, cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": str(Path(trackplex.__file__).parents[1])})
    assert done.returncode == 0, done.stderr
    assert re.search(OUTPUT[name], done.stdout), done.stdout
