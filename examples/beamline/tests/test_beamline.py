# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs beamline as a user would: python3 test_beamline.py PROGRAM

Compares with vectors of the accelerator code elegant where they are found: below TRACKPLEX_REFERENCE, or beside the
sources."""

import csv
import gzip
import json
import lzma
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCES / "tests" / "support"))
import tables  # noqa: E402
from program_case import ALL_LANES, N_LANES, ONE_LANE, main  # noqa: E402

REFERENCE = Path(os.environ.get("TRACKPLEX_REFERENCE", SOURCES / "../shared/reference")) / "beam"
USED_LATTICES = REFERENCE.parent / "beam-lattices"
LATTICES = Path(os.environ.get("TRACKPLEX_DATA", SOURCES / "../shared/data")) / "lattices"
COORDINATES = ("x", "xp", "y", "yp", "s", "delta")

FODO = """qf: QUAD, L=0.2, K1=1.5
qd: QUAD, L=0.2, K1=-1.5
d: DRIF, L=0.8
cell: LINE=(qf, d, qd, d)
short: LINE=(2*cell)
ring: LINE=(10*cell)
"""
SPACE_CHARGE = """q: CHARGE, TOTAL=1e-9
"a drift": DRIF, L=0.5
sc: LSCDRIFT, L=1, BINS=128
kick: LSCDRIFT, L=0, LEFFECTIVE=0.1, BINS=64
line: LINE=(q, "a drift", sc, "a drift", kick)
"""

# For every machine, backend and number of lanes
GOLDEN = {("float", "7063010510d73d21"), ("double", "b94418444418a036")}


def read_csv(file):
    """The rows as texts, by the names of the columns without their units."""
    with open(file, newline="") as lines:
        names, *rows = csv.reader(line for line in lines if not line.startswith("#"))
    return [dict(zip((name.split("[")[0] for name in names), row, strict=True)) for row in rows]


def numbers(rows, name):
    return [float(row[name]) for row in rows]


def fodo_tune(length, k1, drift):
    """Betatron oscillations in a cell of two quadrupoles and two drifts, from half of the trace of its matrix."""
    k = math.sqrt(k1)
    f = k * length
    focus = math.cos(f), math.sin(f) / k, -k * math.sin(f), math.cos(f)
    defocus = math.cosh(f), math.sinh(f) / k, k * math.sinh(f), math.cosh(f)

    def times(a, b):
        return (a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                a[2] * b[1] + a[3] * b[3])

    free = (1, drift, 0, 1)
    cell = times(free, times(defocus, times(free, focus)))
    return math.acos((cell[0] + cell[3]) / 2) / (2 * math.pi)


class BeamlineCase(tables.TableCase):
    TABLE_ARGUMENTS = ("--generate", 10, "--repeat", 1, "--output")

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def fodo(self):
        return self.file("fodo.lte", FODO)

    def lossy(self):
        """Space charge, bends and a collimator."""
        return self.file("lossy.lte", FODO + SPACE_CHARGE.replace("line:", "tail:") +
                         "c: RCOL, X_MAX=4e-4\nb: SBEN, L=0.5, ANGLE=0.1\ns: SEXT, L=0.1, K2=1\n"
                         "all: LINE=(q, 2*cell, b, s, c, tail)\n")

    def results(self, *arguments):
        return self.report(*arguments)["results"]


class Information(BeamlineCase):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("LATTICE", "Beam line:", "Bunch:", "How to run:", "Output:", "Examples:",
                      "Exit status:", "--momentum", "--matched", "--profile-at", "--input", "FODO", "--iteration",
                      "--species", "openPMD (HDF5)", ".openpmd.h5"):
            self.assertIn(words, text)


class WrongUsage(BeamlineCase):
    def test_each_has_status_2(self):
        bunch = self.file("bunch.csv", "x,xp,y,yp,s,delta\n0,0,0,0,0,0\n")
        lattice = self.fodo()
        for words, *arguments in (
                ("--nonsense", "--nonsense"),
                ("--generate", "--generate", 0),
                ("--generate", "--bunch", bunch, "--generate", 5),
                ("--sigma-s", "--bunch", bunch, "--sigma-s", 1e-3),
                ("--flat", "--bunch", bunch, "--flat"),
                ("no p; give the momentum", lattice, "--bunch", bunch),
                ("--line", lattice, "--line", "none"),
                ("cell, short, ring", lattice, "--line", "none"),
                ("--momentum", "--momentum", 0),
                ("--turns", "--turns", -1),
                ("--position-limit", "--position-limit", -1),
                ("--beta: 0 is out of range", "--beta", 0, 1),
                ("--alpha", "--alpha", 1),
                ("--beta: 'nan' is not a number", "--beta", 1, "nan"),
                ("--position-limit: 'nan' is not a number", "--position-limit", "nan"),
                ("--momentum: 'nan' is not a number", "--momentum", "nan"),
                ("the bunch needs more than 10000 steps", "--generate", 1000, "--emittance", 1e-15, 1e-15),
                ("depth of the modulation cannot be 1", "--modulation", 1e-5, 1),
                ("--matched", lattice, "--matched", "--beta", 1, 1),
                ("--moments-every", "--moments-every", "turn"),
                ("--moments-every", "--moments", "m.csv", "--moments-every", "day"),
                ("does not end in .openpmd.h5 or .csv", "--output", "out.txt"),
                ("does not end in .csv or .h5", "--moments", "out.txt"),
                ("the same file as for", "--output", "a.csv", "--moments", "a.csv"),
                ("no drift with space charge 'd'", "--profile-at", "d"),
                ("no drift with space charge", lattice, "--profile", "p.csv"),
                ("no drift with space charge 'd'", "--profile", "p.csv", "--profile-at", "d"),
                ("--space-charge-step", lattice, "--space-charge-step", 1),
                ("12 is no power of two", lattice, "--space-charge", "3d", "--space-charge-cells", 12),
                ("no bunch is tracked", lattice, "--space-charge", "3d", "--aperture", 10, "--turns", 10),
                ("has space charge already", "--space-charge", "3d"),
                ("exists already", "--write-input", self.folder),
                ("--precision", "--precision", "half")):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)

    def test_too_many_rows_of_moments(self):
        self.fail_with(1, "--moments-every", self.fodo(), "--turns", 10**6, "--moments", "m.csv", "--moments-every",
                       "element")

    def test_a_line_that_is_not_stable_has_no_matched_bunch(self):
        lattice = self.file("unstable.lte", "q: QUAD, L=0.5, K1=4\nd: DRIF, L=5\nl: LINE=(q, d)\n")
        result = self.fail_with(2, "--matched", lattice, "--matched")
        self.assertIn("not stable", result.stderr)
        results = self.results(lattice, "--generate", 100)
        self.assertFalse(results["periodic"]["stable"])
        self.assertIn("not stable", results["periodic"]["why"])

    def test_space_charge_needs_charge(self):
        lattice = self.file("no_charge.lte", "sc: LSCDRIFT, L=1, BINS=128\nl: LINE=(sc)\n")
        bunch = self.folder / "bunch.csv"
        self.succeed(self.fodo(), "--generate", 100, "--output", bunch, "--repeat", 1)
        result = self.fail_with(2, "element sc", lattice, "--bunch", bunch, "--repeat", 1)
        self.assertIn("have no charge", result.stderr)
        self.succeed(lattice, "--bunch", bunch, "--charge", 1e-10, "--repeat", 1)

    def test_space_charge_along_the_line(self):
        lattice = self.file("drift.lte", "d: DRIFT, L=1\nm: MARK\nl: LINE=(d, m)\n")
        bunch = ("--generate", 5000, "--momentum", 20, "--beta", 1, 1, "--charge", 1e-10, "--sigma-s", 1e-3)
        sizes = {}
        for model in ("off", "3d", "2.5d"):
            moments = self.folder / f"{model}.csv"
            results = self.results(lattice, *bunch, "--space-charge", model, "--moments", moments,
                                   *(() if model == "off" else ("--space-charge-step", 0.25, "--space-charge-cells", 32)))
            self.assertEqual(results["elements"], 2 if model == "off" else 13)
            sizes[model] = numbers(read_csv(moments), "sigma_x")[-1]
        self.assertGreater(sizes["3d"], 1.01 * sizes["off"])
        self.assertAlmostEqual(sizes["2.5d"] / sizes["3d"], 1, delta=0.05)
        report = self.report(lattice, *bunch, "--space-charge", "3d", "--space-charge-first")
        self.assertEqual(report["input"]["space_charge"],
                         {"model": "3d", "cells": 64, "step_m": 0.1, "kick_first": True})


class BadInput(BeamlineCase):
    def test_each_has_status_3(self):
        fodo = self.fodo()
        for words, *arguments in (
                ("none.lte", self.folder / "none.lte"),
                ("'KK1' is no parameter of QUAD", self.file("a.lte", "q: QUAD, KK1=1\nl: LINE=(q)\n")),
                ("'d' is not defined", self.file("b.lte", "l: LINE=(d)\n")),
                ("has no line", self.file("c.lte", "d: DRIF, L=1\n")),
                ("none.csv", fodo, "--bunch", self.folder / "none.csv"),
                ("px", fodo, "--bunch", self.file("a.csv", "x,px,y,yp,t,p\n")),
                ("b.csv", fodo, "--bunch", self.file("b.csv", "x,xp,y,yp,t,p\n1,2,3\n")),
                ("no particles to track", fodo, "--momentum", 10, "--bunch",
                 self.file("c.csv", "x,xp,y,yp,t,p\n"))):
            with self.subTest(arguments):
                self.fail_with(3, words, *arguments)


class Reports(BeamlineCase):
    def check_outcome(self, outcome, turns=1, space_charge=True):
        self.assertEqual(set(outcome["time_us"]), {"total", "lsc_step"} if space_charge else {"total"})
        for step, median in outcome["time_us"].items():
            spread = outcome["time_spread_us"][step]
            self.assertLess(0, spread["min"])
            self.assertLessEqual(spread["min"], median)
            self.assertLessEqual(median, spread["max"])
        results, rate = outcome["results"], outcome["rate"]
        work = results["particles"] * results["active_elements"] * turns
        self.assertAlmostEqual(rate["ns_per_particle_element"] * work / 1e3 / outcome["time_us"]["total"], 1, places=9)
        self.assertAlmostEqual(rate["ns_per_particle_element"] * rate["particle_elements_per_s"] / 1e9, 1, places=9)

    def test_the_demonstration(self):
        report = self.report("--generate", 20000, "--backend", "serial", *ONE_LANE)
        self.assertEqual((report["program"], report["backend"], report["threads"], report["precision"]),
                          ("beamline", "serial", 1, "double"))
        self.check_outcome(report)
        given, results = report["input"], report["results"]
        self.assertEqual((given["lattice"], given["line"], given["momentum"], given["turns"]),
                         (None, "demonstration", 200.0, 1))
        self.assertEqual((given["bunch"]["kind"], given["bunch"]["particles"], given["bunch"]["charge_c"]),
                         ("generated", 20000, 1e-9))
        self.assertEqual((results["elements"], results["active_elements"], results["particles"], results["lost"]),
                         (41, 40, 20000, 0))
        self.assertAlmostEqual(results["length_m"], 20, places=12)
        self.assertLess(results["symplecticity_error"], 1e-12)
        drifts = results["space_charge"]
        self.assertEqual([drift["element"] for drift in drifts], list(range(4, 41, 4)))
        for drift in drifts:
            self.assertEqual(drift["name"], "sc")
            self.assertGreaterEqual(drift["steps"], 2)
        # a matched bunch: what the line repeats, up to its noise and second order
        for plane in ("x", "y"):
            periodic = results["periodic"][plane]
            self.assertAlmostEqual(given["bunch"][plane]["beta_m"], periodic["beta_m"], places=12)
            for where in ("start", "end"):
                self.assertAlmostEqual(results[where][plane]["beta_m"] / periodic["beta_m"], 1, delta=0.05)
                self.assertAlmostEqual(results[where][plane]["normalized_emittance_m"] / 1e-6, 1, delta=0.05)
        self.assertGreater(results["end"]["sigma"]["delta"], 2 * results["start"]["sigma"]["delta"])

    def test_a_ring(self):
        report = self.report(self.fodo(), "--generate", 5000, "--matched", "--turns", 25, "--momentum", 1000)
        self.check_outcome(report, turns=25, space_charge=False)
        results = report["results"]
        self.assertEqual((results["line"], results["elements"], results["space_charge"]), ("ring", 40, []))
        self.assertAlmostEqual(results["end"]["path_length_m"], 500, places=9)
        tune = 10 * fodo_tune(0.2, 1.5, 0.8)
        for plane in ("x", "y"):
            self.assertAlmostEqual(results["periodic"][plane]["tune"], tune, places=12)
            self.assertAlmostEqual(results["end"][plane]["beta_m"] / results["start"][plane]["beta_m"], 1, delta=0.06)

    def test_spins(self):
        bend = math.pi / 10
        lattice = self.file("flat.lte", FODO.replace("d: DRIF", f"b: SBEN, L=0.8, ANGLE={bend}\nd: DRIF")
                            .replace("qf, d, qd, d", "qf, b, qd, b"))
        moments, particles = self.folder / "moments.csv", self.folder / "particles.csv"
        options = (lattice, "--generate", 1000, "--matched", "--turns", 20, "--momentum", 3000)
        results = self.results(*options, "--spin", "y", "--anomaly", 1e-3, "--moments", moments, "--output", particles)
        spin = results["periodic"]["spin"]
        self.assertAlmostEqual(spin["tune"], 1e-3 * math.hypot(3000, 1) % 1, places=9)
        self.assertAlmostEqual(spin["axis"][1], 1, places=9)
        self.assertEqual(results["start"]["spin"]["polarization"], 1)
        self.assertGreater(results["end"]["spin"]["mean"]["Sy"], 0.99)
        rows = read_csv(moments)
        self.assertEqual(len(rows), 21)
        self.assertEqual(float(rows[-1]["mean_Sy"]), results["end"]["spin"]["mean"]["Sy"])
        rows = read_csv(particles)
        for row in rows:
            self.assertAlmostEqual(math.hypot(*(float(row[name]) for name in ("Sx", "Sy", "Sz"))), 1, places=12)
        again = self.results(lattice, "--bunch", particles, "--momentum", 3000)
        self.assertEqual(again["start"]["spin"]["mean"], results["end"]["spin"]["mean"])
        plain = self.results(*options)
        self.assertEqual(plain["end"]["mean"], results["end"]["mean"])
        self.assertNotIn("spin", plain["end"])

    def test_parts_of_the_lattice(self):
        for line, elements in (("short", 8), ("CELL", 4), ("qf", 1)):
            self.assertEqual(self.results(self.fodo(), "--line", line, "--generate", 10)["elements"], elements)

    def test_elements_that_cannot_be_tracked(self):
        lattice = self.file("unknown.lte", "w: LSRMDLTR, L=0.5\nd: DRIF, L=1\nq: QUAD, L=0.5, PITCH=1\n"
                                           "rest: LINE=(2*d)\nall: LINE=(d, w, q)\n")
        self.fail_with(3, "unknown.lte: line 1, column 4: 'LSRMDLTR' is not tracked here", lattice, "--generate", 10)
        self.assertEqual(self.results(lattice, "--line", "rest", "--generate", 10)["tracked_as_drifts"], "")
        results = self.results(lattice, "--skip-unknown", "--generate", 10)
        self.assertEqual((results["length_m"], results["tracked_as_drifts"]), (2, "LSRMDLTR (1), QUAD (1)"))
        drift = self.file("drift.lte", "d: DRIF, L=1\nhalf: DRIF, L=0.5\nall: LINE=(d, half, half)\n")
        self.assertEqual(results["hash"], self.results(drift, "--generate", 10)["hash"])

    def test_sequences_of_madx(self):
        cells = "".join(f"cell, at={4 * i}; " for i in range(5))
        ring = self.file("ring.seq", "mq: quadrupole, l=0.2; qf: mq, k1:=kf; qd: mq, k1:=kd;\n"
                                     "cell: sequence, l=4; qf, at=0.1; qd, at=2.1; endsequence;\n"
                                     f"ring: sequence, l=20, refer=entry; {cells}endsequence;")
        strengths = self.file("ring.str", "kf = 1.5; kd := -kf; beam, particle=proton, pc=1.87654417632;")
        results = self.results(ring, "--strengths", strengths, "--generate", 10, "--matched")
        self.assertEqual((results["line"], results["elements"], results["length_m"]), ("ring", 20, 20))
        report = self.report(ring, "--strengths", strengths, "--generate", 10)
        self.assertAlmostEqual(report["input"]["momentum"], 2, places=12)
        weak = self.results(ring, "--strengths", strengths, "--set", "kf=1", "--generate", 10)
        tunes = [of["periodic"]["x"]["tune"] for of in (results, weak)]
        self.assertAlmostEqual(tunes[0], 5 * fodo_tune(0.2, 1.5, 1.8), places=9)
        self.assertAlmostEqual(tunes[1], 5 * fodo_tune(0.2, 1, 1.8), places=9)
        self.assertEqual(self.results(ring, "--line", "cell", "--generate", 10)["elements"], 4)
        self.fail_with(2, "'kf' is not NAME=VALUE", ring, "--set", "kf", "--generate", 10)
        self.fail_with(2, "the file has no sequence or line 'rung'", ring, "--line", "rung")
        self.fail_with(2, "--set: 'kf=1' is not ELEMENT.PARAMETER=VALUE", "--set", "kf=1")

    def test_lines_of_xsuite(self):
        elements = {"d": {"__class__": "Drift", "length": 1.8}, "f": {"__class__": "Quadrupole", "length": 0.2, "k1": 1.5},
                    "o": {"__class__": "Quadrupole", "length": 0.2, "k1": -1.5}, "m": {"__class__": "Wire"}}
        line = {"elements": elements, "element_names": 5 * ["f", "d", "o", "d"],
                "particle_ref": {"mass0": 938272088.16, "q0": 1.0, "p0c": [1876544176.32]}}
        ring = self.file("ring.json", json.dumps(line))
        report = self.report(ring, "--generate", 10, "--matched")
        results = report["results"]
        self.assertEqual((results["line"], results["elements"], results["length_m"]), ("ring", 20, 20))
        self.assertAlmostEqual(report["input"]["momentum"], 2, places=12)
        self.assertAlmostEqual(results["periodic"]["x"]["tune"], 5 * fodo_tune(0.2, 1.5, 1.8), places=9)
        self.fail_with(2, "--set", ring, "--set", "f.k1=1", "--generate", 10)
        self.fail_with(2, "--strengths", ring, "--strengths", ring, "--generate", 10)
        self.fail_with(2, "without a name", ring, "--line", "ring", "--generate", 10)
        line["element_names"].append("m")
        bad = self.file("bad.json", json.dumps(line))
        self.fail_with(3, "elements.m", bad, "--generate", 10)
        self.assertEqual(self.results(bad, "--skip-unknown", "--generate", 10)["tracked_as_drifts"], "Wire (1)")

    def test_lattices_of_pals(self):
        ring = self.file("ring.pals.yaml", """PALS:
  facility:
    - start: {kind: BeginningEle, ReferenceP: {species_ref: proton, pc_ref: 1.87654417632e9}}
    - qf: {kind: Quadrupole, length: 0.2, MagneticMultipoleP: {Kn1: 1.5}}
    - qd: {inherit: qf, MagneticMultipoleP: {Kn1: -1.5}}
    - d: {kind: Drift, length: 1.8}
    - cell: {kind: BeamLine, line: [qf, d, qd, d]}
    - ring: {kind: BeamLine, line: [start, cell: {repeat: 5}]}
    - all: {kind: Lattice, branches: [ring]}
""")
        written = self.folder / "written.pals.yaml"
        report = self.report(ring, "--generate", 10, "--matched", "--write-lattice", written)
        results = report["results"]
        self.assertEqual((results["line"], results["elements"], results["length_m"]), ("ring", 21, 20))
        self.assertAlmostEqual(report["input"]["momentum"], 2, places=12)
        self.assertAlmostEqual(results["periodic"]["x"]["tune"], 5 * fodo_tune(0.2, 1.5, 1.8), places=9)
        again = self.results(written, "--generate", 10, "--matched")
        self.assertEqual((again["elements"], again["periodic"]), (21, results["periodic"]))
        self.fail_with(2, "--set", ring, "--set", "qf.K1=1", "--generate", 10)
        self.fail_with(2, "no branch or line", ring, "--line", "other", "--generate", 10)
        bad = self.file("bad.pals.yaml", Path(ring).read_text().replace("kind: Drift", "kind: Drif"))
        self.fail_with(3, "line 6", bad, "--generate", 10)

    def test_lattices_of_elegant_as_pals(self):
        lattice, written = self.fodo(), self.folder / "written.pals.yaml"
        results = self.results(lattice, "--generate", 10, "--matched", "--write-lattice", written)
        again = self.results(written, "--generate", 10, "--matched")
        for plane in "xy":  # beta gamma is rounded, as a momentum in eV/c
            for name in ("tune", "chromaticity"):
                self.assertAlmostEqual(again["periodic"][plane][name], results["periodic"][plane][name], places=12)

    def test_runs_of_elegant(self):
        lattice = self.fodo()
        run = self.file("run.ele", "&run_setup lattice=fodo.lte, use_beamline=ring, p_central=<p0> &end\n"
                                   "&run_control n_passes=3 &end\n&alter_elements name=Q?, item=K1, value=1.2, "
                                   "multiplicative=1 &end\n&bunched_beam n_particles_per_bunch=50, emit_nx=1e-6, "
                                   "emit_ny=1e-6, beta_x=5, beta_y=3, alpha_x=1, sigma_s=1e-3, sigma_dp=1e-3, "
                                   "distribution_cutoff[0]=3*3 &end\n&save_lattice filename=a.new &end\n&track &end\n")
        report = self.report(run, "--set", "p0=300")
        self.assertEqual((report["input"]["turns"], report["input"]["momentum"], report["input"]["line"]),
                         (3, 300, "ring"))
        self.assertEqual(report["input"]["bunch"]["particles"], 50)
        self.assertEqual(report["input"]["left_out_of_run"], "save_lattice (line 5)")
        same = self.report(lattice, "--line", "ring", "--set", "qf.K1=1.8", "--set", "qd.k1=-1.8", "--momentum", 300,
                           "--turns", 3, "--generate", 50, "--beta", 5, 3, "--alpha", 1, 0, "--sigma-s", 1e-3,
                           "--sigma-delta", 1e-3, "--charge", 0)
        for plane in ("x", "y"):
            for of in ("beta_m", "normalized_emittance_m"):
                self.assertAlmostEqual(report["results"]["end"][plane][of] / same["results"]["end"][plane][of], 1,
                                       places=9)
        more = self.report(run, "--set", "p0=300", "--generate", 60, "--turns", 1, "--line", "cell")
        self.assertEqual((more["input"]["turns"], more["input"]["bunch"]["particles"]), (1, 60))
        self.fail_with(3, "run.ele: line 1: the macro 'p0' has no value", run)
        self.fail_with(2, "--beta: the run file defines the bunch", run, "--set", "p0=300", "--beta", 1, 1)
        (self.folder / "parts").mkdir()
        self.file("parts/part.lte", "q: QUAD, L=1\n")
        whole = self.file("parts/whole.lte", '#INCLUDE: "part.lte"\ncell: LINE=(q)\n')
        self.fail_with(2, "needs other files", whole, "--generate", 10, "--write-input", self.folder / "input")
        self.fail_with(2, "--write-input: it copies the lattice", run, "--set", "p0=300", "--write-input",
                       self.folder / "new")

    def test_the_options_change_the_particles(self):
        runs = [(), ("--seed", 2), ("--momentum", 150), ("--charge", 2e-9), ("--emittance", 2e-6, 1e-6),
                ("--beta", 3, 3), ("--beta", 3, 3, "--alpha", 1, -1), ("--sigma-s", 1e-3), ("--sigma-delta", 1e-3),
                ("--chirp", 10), ("--cutoff", 2), ("--flat",), ("--modulation", 1e-4, 0.1), ("--turns", 2),
                ("--position-limit", 3e-4), ("--slope-limit", 4e-5), ("--precision", "float"), ("--generate", 999)]
        hashes = [self.results("--generate", 1000, *more)["hash"] for more in runs[:-1]]
        hashes.append(self.results(*runs[-1])["hash"])
        self.assertEqual(len(set(hashes)), len(runs))

    def test_the_particles_are_golden(self):
        report = self.report("--generate", 1000, "--backend", "all", "--lanes", "all", "--precision", "all")
        self.assertEqual({(run["precision"], run["hash"]) for run in report["runs"]}, GOLDEN)

    def test_all_backends_and_widths_give_the_same_bits(self):
        report = self.report(self.lossy(), "--generate", 3001, "--turns", 2, "--backend", "all", "--lanes", "all",
                             "--threads", "2,1", "--precision", "all", "--moments", self.folder / "m.csv")
        self.assertTrue(report["same_bits"])
        self.assertGreater(report["results"]["lost"], 0)
        for what, n in (("precision", 2), ("threads", 2), ("lanes", N_LANES)):
            self.assertGreaterEqual(len({run[what] for run in report["runs"]}), n)
        for precision in ("float", "double"):
            runs = [run for run in report["runs"] if run["precision"] == precision]
            for run in runs:
                self.check_outcome(run, turns=2)
                self.assertEqual(run["results"], runs[0]["results"])
        self.assertEqual(len({run["results"]["moments_hash"] for run in report["runs"]}), 2)

    def ring(self):
        """Cells with bends and sextupoles."""
        return self.file("ring.lte", """qf: KQUAD, L=0.2, K1=1.5
qd: KQUAD, L=0.2, K1=-1.5
s: KSEXT, L=0.1, K2=200
d: DRIF, L=0.3
b: CSBEND, L=0.6, ANGLE=0.1, E1=0.05, E2=0.05
cell: LINE=(qf, s, d, b, d, qd, d, b, d)
ring: LINE=(6*cell)
""")

    def test_optics(self):
        on_axis, about_orbit = self.folder / "axis.csv", self.folder / "orbit.csv"
        results = self.results(self.ring(), "--generate", 10, "--optics", on_axis, "--optics-step", 0.05)
        rows = read_csv(on_axis)
        self.assertGreater(len(rows), 6 * 9 * 2)
        self.assertEqual((rows[0]["ElementName"], rows[1]["ElementName"]), ("_BEG_", "qf"))
        self.assertAlmostEqual(float(rows[-1]["psix"]) / 2 / math.pi, results["periodic"]["x"]["tune"], delta=1e-10)
        for name in ("betax", "betay", "etax"):
            self.assertAlmostEqual(float(rows[-1][name]), float(rows[0][name]), delta=1e-9)
        self.assertAlmostEqual(float(rows[-1]["s"]), results["length_m"], delta=1e-12)
        self.assertNotEqual(results["periodic"]["y"]["chromaticity"], 0)
        self.results(self.ring(), "--generate", 10, "--optics", about_orbit, "--closed-orbit", "--delta", 1e-5)
        found = read_csv(about_orbit)
        # the dispersion, and the chromaticity
        self.assertAlmostEqual(float(found[0]["x"]), 1e-5 * float(rows[0]["etax"]), delta=1e-6)
        self.assertNotAlmostEqual(float(found[-1]["psix"]), float(rows[-1]["psix"]), delta=1e-5)

    def steered_ring(self):
        cells = "".join(f"cell, at={at}; " for at in range(0, 64, 8))
        return self.file("ring.seq", f"""beam, particle=proton, pc=2;
            kf=0.6; kd:=-kf; qf: quadrupole, l=0.5, k1:=kf; qd: quadrupole, l=0.5, k1:=kd;
            mb: sbend, l=1.5, angle:=twopi/16; sx: sextupole, l=0.2, k2=3; hk: hkicker, kick:=khk; khk=1e-3;
            cav: rfcavity, volt=0, harmon=4, lag=0;
            cell: sequence, l=8, refer=centre;
              qf, at=0.25; mb, at=2.25; qd, at=4.25; mb, at=6.25; sx, at=7.5; endsequence;
            ring: sequence, l=64, refer=entry; {cells} hk, at=64; cav, at=64; endsequence;
            use, sequence=ring;""")

    def test_optics_of_a_ring_are_about_its_closed_orbit(self):
        """Against TWISS of MAD-X 5.09.03."""
        optics, ring = self.folder / "optics.csv", self.steered_ring()
        periodic = self.results(ring, "--generate", 10, "--optics", optics)["periodic"]
        self.assertEqual(periodic["about"], "closed orbit")
        # 1.55741 is rounded, from another run of MAD-X than 1.557527 in tests/io/madx/madx_twiss.cpp, which exact drifts and
        # edges have, too. Here they are expanded, and the orbit crosses the bends at 2 mm: 1.55737.
        for plane, tune, delta in (("x", 2.34734, 5e-6), ("y", 1.55741, 5e-5)):
            self.assertAlmostEqual(periodic[plane]["tune"], tune, delta=delta)
        rows = read_csv(optics)
        self.assertAlmostEqual(float(rows[0]["betax"]), 9.35508, delta=5e-6)
        self.assertEqual(float(rows[0]["x"]), periodic["x"]["orbit_m"])
        for name, tolerance in (("x", 1e-12), ("betax", 1e-8), ("etax", 1e-8)):
            self.assertAlmostEqual(float(rows[-1][name]), float(rows[0][name]), delta=tolerance)
        self.assertGreater(abs(periodic["x"]["orbit_m"]), 1e-4)
        axis = self.results(ring, "--generate", 10, "--on-axis")["periodic"]
        self.assertEqual(axis["about"], "axis")
        self.assertAlmostEqual(axis["x"]["tune"], 2.34581, delta=5e-6)
        # without a kick the closed orbit is the axis
        still = [self.results(ring, "--generate", 10, "--set", "khk=0", *how)["periodic"] for how in
                 ((), ("--closed-orbit",))]
        self.assertEqual([periodic["about"] for periodic in still], ["axis", "closed orbit"])
        for plane in ("x", "y"):
            for name, delta in (("tune", 1e-6), ("chromaticity", 1e-3), ("beta_m", 1e-5)):
                self.assertAlmostEqual(still[0][plane][name], still[1][plane][name], delta=delta)
        self.assertAlmostEqual(still[0]["momentum_compaction"], still[1]["momentum_compaction"], delta=1e-6)
        # exact edges change the chromaticity, which Taylor maps do not have
        exact = self.results(ring, "--generate", 10, "--set", "khk=0", "--exact")["periodic"]
        self.assertEqual(exact["about"], "closed orbit")
        for plane, chromaticity in (("x", 6.54165), ("y", -5.84587)):  # MAD-X: dq1 and dq2 times beta
            self.assertAlmostEqual(exact[plane]["chromaticity"], chromaticity, delta=1e-4)
        # a particle of another momentum
        shifted = self.results(ring, "--generate", 10, "--set", "khk=0", "--delta", 1e-4)["periodic"]
        self.assertAlmostEqual(shifted["x"]["tune"] - still[0]["x"]["tune"], 1e-4 * still[0]["x"]["chromaticity"],
                               delta=1e-6)
        self.assertAlmostEqual(shifted["x"]["orbit_m"], 1e-4 * still[0]["x"]["dispersion_m"], delta=1e-7)
        text = self.succeed(ring, "--generate", 10, "--repeat", 1).stdout
        for words in ("about the closed orbit", "chromaticity", "closed orbit [mm]", "momentum compaction", "slip",
                      "synchrotron tune"):
            self.assertIn(words, text)

    def test_a_matched_bunch_moves_about_the_closed_orbit(self):
        ring = self.steered_ring()
        results = self.results(ring, "--generate", 1000, "--matched", "--emittance", 1e-12, 1e-12, "--sigma-delta", 0,
                               "--turns", 50)
        orbit = results["periodic"]["x"]["orbit_m"]
        for place in ("start", "end"):
            self.assertAlmostEqual(results[place]["mean"]["x_m"], orbit, delta=1e-6)

    def test_a_ring_without_a_closed_orbit(self):
        ring = self.steered_ring()
        result = self.fail_with(2, "there are no optics about a closed orbit", ring, "--generate", 10, "--set", "kf=3")
        self.assertIn("--on-axis", result.stderr)
        self.assertFalse(self.results(ring, "--generate", 10, "--set", "kf=3", "--on-axis")["periodic"]["stable"])
        self.fail_with(2, "--on-axis", ring, "--on-axis", "--delta", 1e-3)

    def test_optics_of_a_line_are_about_its_trajectory(self):
        """The way of the particle on the axis, as TRACK of MAD-X 5.09.03 and matrix_output of elegant have it."""
        optics = self.folder / "optics.csv"
        line = self.file("line.seq", """beam, particle=proton, pc=2; h: hkicker, l=0, kick=1e-3;
            q: quadrupole, l=0.5, k1=0.5; s: sequence, l=4; h, at=1; q, at=2; endsequence; use, sequence=s;""")
        results = self.results(line, "--generate", 10, "--optics", optics)
        self.assertEqual(results["periodic"]["about"], "trajectory")
        end = read_csv(optics)[-1]
        self.assertAlmostEqual(float(end["x"]), 0.002513687989, delta=1e-8)
        self.assertAlmostEqual(float(end["xp"]), 0.0007545301517, delta=1e-8)
        line = self.file("line.lte", "h: KICKER, L=0.1, HKICK=1e-3\nq: KSEXT,L=0.5,K2=5\nd: DRIF,L=0.75\nl: LINE=(d,h,d,q,d)\n")
        self.results(line, "--generate", 10, "--optics", optics)
        end = read_csv(optics)[-1]
        self.assertAlmostEqual(float(end["x"]), 2.05e-3, delta=2e-6)
        self.assertAlmostEqual(float(end["xp"]), 1e-3, delta=1e-5)
        kicked = self.file("bend.lte", "b: CSBEND, L=1, ANGLE=0.1, XKICK=1e-3, N_SLICES=20\nl: LINE=(b)\n")
        self.results(kicked, "--generate", 10, "--optics", optics)
        self.assertAlmostEqual(float(read_csv(optics)[-1]["xp"]), 1e-3, delta=1e-5)

    def test_symplecticity_is_told_in_canonical_coordinates(self):
        line = self.file("kicks.seq", """h: hkicker, kick=12e-3, l=10; v: vkicker, kick=12e-3, l=10;
            ss: line=(h,v,h,v); beam, particle=proton, pc=2; use, sequence=ss;""")
        self.assertLess(self.results(line, "--generate", 10)["symplecticity_error"], 1e-8)

    def test_planes_that_are_exchanged(self):
        """A ring whose planes change places has half of the tunes of two turns, of trace 0.30154."""
        line = self.file("moebius.lte", "m: EMATRIX,L=1,ORDER=1,R13=1,R24=1,R31=1,R42=1,R55=1,R66=1\nq1: QUAD,L=0.2,K1=2\n"
                         "d: DRIF,L=1\nq2: QUAD,L=0.2,K1=-2\nr: LINE=(q1,d,q2,d,m)\n")
        periodic = self.results(line, "--generate", 10)["periodic"]
        self.assertTrue(periodic["stable"])
        tunes = sorted(min(periodic[plane]["tune"] % 1, -periodic[plane]["tune"] % 1) for plane in "xy")
        self.assertAlmostEqual(tunes[0], 0.11296, delta=5e-6)
        self.assertAlmostEqual(tunes[1], 0.38704, delta=5e-6)

    def test_monitors(self):
        lattice = self.file("bpms.lte", "q: QUAD, L=0.2, K1=1.5\nd: DRIF, L=1\nn: QUAD, L=0.2, K1=-1.5\nBPM1: MONI\n"
                            "BPM2: MARK\nr: LINE=(q, BPM1, d, n, BPM2, d)\n")
        file = self.folder / "bpms.csv"
        self.succeed(lattice, "--generate", 50, "--turns", 4, "--moments", file, "--monitors", "bpm?", "--repeat", 1)
        rows = read_csv(file)
        self.assertEqual([(row["turn"], row["name"]) for row in rows[1:]],
                         [(str(turn), name) for turn in range(4) for name in ("BPM1", "BPM2")])
        every = self.folder / "every.csv"
        self.succeed(lattice, "--generate", 50, "--turns", 4, "--moments", every, "--moments-every", "element", "--repeat", 1)
        self.assertEqual([row for row in read_csv(every) if row["name"] in ("start", "BPM1", "BPM2")], rows)
        self.fail_with(2, "the line has no element 'X*'", lattice, "--moments", file, "--monitors", "X*")
        self.fail_with(2, "give --moments FILE", lattice, "--monitors", "X*")

    def test_backwards(self):
        lattice = self.file("b.lte", "b: SBEN, L=0.5, ANGLE=0.1, E1=0.05, E2=0.2\nq: QUAD, L=0.2, K1=1\nd: DRIF, L=1\n"
                            "l: LINE=(b, d, q)\nback: LINE=(-l)\nsame: LINE=(l)\n")
        back, asked = (self.results(lattice, "--line", line, "--generate", 100, *how)["hash"]
                       for line, how in (("back", ()), ("l", ("--backwards",))))
        self.assertEqual(back, asked)
        self.assertNotEqual(back, self.results(lattice, "--line", "same", "--generate", 100)["hash"])

    def test_turns_begin_at_recirc(self):
        elements = "m: MALIGN, DX=1e-3\nr: RECIRC\nd: DRIF, L=1\nc: RCOL, X_MAX=2.5e-3\n"
        particle = self.file("one.csv", "x,xp,y,yp,t,p\n0,0,0,0,0,1000\n5e-3,0,0,0,0,1000\n")
        out = self.folder / "out.csv"
        for line, x, lost in (("m, r, d", 1e-3, 0), ("m, d", 3e-3, 0), ("m, c, r, d", 1e-3, 1)):
            lattice = self.file("turns.lte", f"{elements}ring: LINE=({line})\n")
            results = self.results(lattice, "--bunch", particle, "--turns", 3, "--output", out)
            self.assertAlmostEqual(float(read_csv(out)[0]["x"]), x, delta=1e-12)
            self.assertEqual((results["lost"], results["lost_before_recirc"]), (lost, lost))

    def test_dynamic_aperture(self):
        file = self.folder / "starts.csv"
        ring = (self.ring(), "--aperture", 100, "--turns", 64, "--aperture-size", 0.006, 0.006)
        report = self.report(*ring, "--aperture-output", file, "--backend", "all", "--lanes", "all", "--threads", "2,1")
        self.assertTrue(report["same_bits"])
        found = report["results"]["dynamic_aperture"]
        self.assertEqual((found["rows"], found["columns"], found["turns"]), (7, 14, 64))
        self.assertEqual(found["survivors"] + found["lost"], 98)
        self.assertGreater(found["survivors"], 5)
        self.assertGreater(found["lost"], 5)
        self.assertEqual(sum(row["starts"] for row in found["diffusion"]), found["survivors"])
        self.assertEqual([plot["name"] for plot in report["plots"]], ["aperture"])
        rows = read_csv(file)
        self.assertEqual(len(rows), 98)
        self.assertEqual(sum(row["lost_element"] != "-1" for row in rows), found["lost"])
        self.fail_with(2, "--turns 1000", self.ring(), "--aperture", 100)
        self.fail_with(2, "it needs --aperture", self.ring(), "--aperture-output", file)

    def test_the_default_lanes(self):
        """Two of the widest registers of double; of float two of 256 bits at most."""
        runs = self.report("--generate", 10, "--backend", "serial", "--lanes", "all")["runs"]
        widest = max(run["lanes"] for run in runs)
        double, single = (self.report("--generate", 10, "--backend", "serial", "--precision", precision)["lanes"]
                          for precision in ("double", "float"))
        self.assertEqual((double, single), (widest, min(16, 2 * double)))
        if ALL_LANES:
            self.assertEqual(self.report("--generate", 10, "--backend", "serial", *ONE_LANE)["lanes"], 1)


class Losses(BeamlineCase):
    def test_a_collimator_loses_what_is_outside(self):
        lattice = self.file("c.lte", "d: DRIF, L=1\nc: RCOL, X_MAX=5e-4\nl: LINE=(d, c, d)\n")
        file = self.folder / "out.csv"
        results = self.results(lattice, "--generate", 5000, "--turns", 3, "--output", file)
        self.assertEqual([(place["element"], place["name"], place["end_m"]) for place in results["lost_in"]],
                         [(1, "c", 1.0)])
        lost = [row for row in read_csv(file) if row["lost_turn"] != "-1"]
        self.assertEqual(len(lost), results["lost"])
        self.assertGreater(len(lost), 100)
        self.assertEqual(results["end"]["particles"], 5000 - len(lost))
        self.assertEqual({row["lost_element"] for row in lost}, {"1"})
        self.assertLessEqual({row["lost_turn"] for row in lost}, {"0", "1", "2"})
        for row in lost:
            self.assertGreater(abs(float(row["x"])), 5e-4)
        # those lost earlier stay lost, and are not counted again
        again = self.results(lattice, "--bunch", file, "--turns", 1)
        self.assertEqual(again["particles"], 5000 - len(lost))

    def test_the_table_of_losses(self):
        lattice = self.file("c.lte", "d: DRIF, L=1\nc: RCOL, X_MAX=5e-4\nl: LINE=(d, c, d)\n")
        self.assertRegex(self.succeed(lattice, "--generate", 1000, "--repeat", 1).stdout, r"lost in +element.*\n-+\nc +1")

    def test_all_are_lost(self):
        lattice = self.file("c.lte", SPACE_CHARGE + "c: RCOL, X_MAX=1e-9, DX=1\nl: LINE=(q, c, sc)\n")
        moments = self.folder / "m.csv"
        results = self.results(lattice, "--generate", 100, "--moments", moments)
        self.assertEqual((results["lost"], results["end"]["particles"]), (100, 0))
        self.assertEqual(read_csv(moments)[-1]["particles"], "0")
        self.fail_with(1, "there is no profile", lattice, "--generate", 100, "--repeat", 1, "--profile", "p.csv")


class Memory(BeamlineCase):
    """The peak of the process, per particle, by the difference of two runs."""
    REPORT_ARGUMENTS = ()

    def bytes_per_particle(self, *arguments, particles=(100_000, 300_000)):
        """What the program says, and what it takes."""
        reports = [self.report(*arguments, "--generate", n) for n in particles]
        if "-fsanitize" in reports[0]["flags"]:
            self.skipTest("sanitizers take memory of their own")
        peaks = [report["memory"]["peak_bytes"] for report in reports]
        return reports[0]["memory"]["bytes_per_particle"], (peaks[1] - peaks[0]) / (particles[1] - particles[0])

    def test_particles_take_what_the_program_says(self):
        lattice, out = self.fodo(), self.folder / "out.csv"
        for expected, repeat, *arguments in ((72, 1), (44, 1, "--precision", "float"), (64, 1, lattice, "--turns", 2),
                                             (136, 1, "--spin", "y", lattice), (128, 1, lattice, "--output", out),
                                             (128, 2, lattice)):
            with self.subTest(arguments=arguments):
                said, taken = self.bytes_per_particle("--repeat", repeat, *arguments)
                self.assertEqual(said, expected)
                self.assertAlmostEqual(taken / said, 1., delta=0.2)


class Output(BeamlineCase):
    def test_the_tables(self):
        text = self.succeed("--generate", 1000, "--backend", "all", "--lanes", "all", "--repeat", 1).stdout
        for words in ("line demonstration: 41 elements, 20 m", "tunes", "symplectic", "sigma x [mm]",
                      "steps per drift", "ns per particle and element", "serial", "the same bits"):
            self.assertIn(words, text)

    def test_particles_come_back_as_they_were_written(self):
        out, again = self.folder / "out.csv", self.folder / "again.csv"
        first = self.results("--generate", 500, "--output", out)
        rows = read_csv(out)
        self.assertEqual(list(rows[0]), ["id", "x", "xp", "y", "yp", "t", "p", "s", "delta"])
        self.assertEqual(sorted(int(row["id"]) for row in rows), list(range(500)))
        marker = self.file("marker.lte", "m: MARK\nl: LINE=(m)\n")
        self.results(marker, "--bunch", out, "--momentum", 200, "--output", again)
        for name in ("x", "xp", "y", "yp", "delta"):
            self.assertEqual(numbers(rows, name), numbers(read_csv(again), name))
        mean = sum(numbers(rows, "delta")) / 500
        self.assertAlmostEqual(mean, first["end"]["mean"]["delta"], places=15)
        self.assertAlmostEqual(sum(numbers(rows, "s")) / 500, 20 + first["end"]["mean"]["s_m"], places=12)

    def test_the_input_that_was_written_gives_the_same_particles(self):
        for lattice in ((), (self.file("lsc.lte", SPACE_CHARGE),)):
            folder = self.folder / f"input{len(lattice)}"
            results = self.results(*lattice, "--generate", 1000, "--charge", 3e-9, "--write-input", folder)
            again = self.results(folder / "lattice.lte", "--bunch", folder / "bunch.csv", "--momentum", 200)
            self.assertEqual(again["hash"], results["hash"])

    def test_moments_of_elements(self):
        file = self.folder / "moments.csv"
        results = self.results(self.file("lsc.lte", SPACE_CHARGE), "--generate", 2000, "--moments", file)
        rows = read_csv(file)
        self.assertEqual([(row["turn"], row["element"], row["name"]) for row in rows],
                         [("0", "-1", "start"), ("0", "0", "q"), ("0", "1", "a drift"), ("0", "2", "sc"),
                          ("0", "3", "a drift"), ("0", "4", "kick")])
        self.assertEqual(numbers(rows, "s"), [0, 0, 0.5, 1.5, 2, 2])
        self.assertEqual(numbers(rows, "particles"), [2000] * 6)
        for row, expected in ((rows[0], results["start"]), (rows[-1], results["end"])):
            for column, name in (("x", "x_m"), ("yp", "yp"), ("delta", "delta")):
                self.assertEqual(float(row["sigma_" + column]), expected["sigma"][name])
                self.assertEqual(float(row["mean_" + column]), expected["mean"][name])
            self.assertEqual(float(row["beta_y"]), expected["y"]["beta_m"])
        # a drift of first order: sigma of x' stays, and x becomes x + L x'
        self.assertEqual(rows[1]["sigma_xp"], rows[2]["sigma_xp"])
        alpha, beta = float(rows[0]["alpha_x"]), float(rows[0]["beta_x"])
        self.assertAlmostEqual(float(rows[2]["beta_x"]), beta - 2 * 0.5 * alpha + 0.25 * (1 + alpha**2) / beta, places=6)
        self.assertGreater(float(rows[3]["sigma_delta"]), float(rows[2]["sigma_delta"]))

    def test_moments_of_turns(self):
        for every, elements in ((), ["3"]), (("--moments-every", "element"), ["0", "1", "2", "3"]):
            file = self.folder / "moments.csv"
            self.succeed(self.fodo(), "--line", "cell", "--generate", 500, "--turns", 3, "--moments", file, *every)
            rows = read_csv(file)
            self.assertEqual([(row["turn"], row["element"]) for row in rows[1:]],
                             [(str(turn), element) for turn in range(3) for element in elements])
            self.assertAlmostEqual(float(rows[-1]["s"]), 6, places=12)

    def test_the_tables_say_units_and_where_they_are_from(self):
        out, moments = self.folder / "out.csv", self.folder / "moments.csv"
        results = self.results("--generate", 100, "--output", out, "--moments", moments)
        particles, along = tables.read_csv(out), tables.read_csv(moments)
        self.assertEqual((particles.units["x"], particles.units["t"], particles.units["p"]), ("m", "s", None))
        self.assertEqual((along.units["beta_x"], along.units["sigma_delta"]), ("m", None))
        for table in (particles, along):
            self.assertEqual((table.metadata["program"], table.metadata["precision"]), ("beamline", "double"))
            self.assertEqual(json.loads(table.metadata["input"])["bunch"]["particles"], 100)
        self.assertEqual(along.rows(), results["elements"] + 1)
        self.assertEqual(along["particles"][-1], results["end"]["particles"])

    def test_tables_as_hdf5(self):
        self.need_h5dump()
        lattice = self.file("lsc.lte", SPACE_CHARGE)
        options = {"particles": "--output", "moments": "--moments", "profile": "--profile"}
        files = {name: self.folder / f"{name}.csv" for name in options}
        for ending in ("csv", "h5"):
            self.succeed(lattice, "--generate", 500, "--repeat", 1,
                         *(word for name in options for word in (options[name], self.folder / f"{name}.{ending}")))
        for name, file in files.items():
            self.check_same_tables({name: file}, file.with_suffix(".h5"))
        hashes = {self.results(lattice, "--momentum", 200, "--bunch", files["particles"].with_suffix(ending))["hash"]
                  for ending in (".csv", ".h5")}
        self.assertEqual(len(hashes), 1)
        self.fail_with(3, "has no table particles", "--bunch", self.folder / "moments.h5")

    def test_openpmd(self):
        if not self.has_hdf5():
            self.skipTest("needs a program with HDF5")
        lattice, csv_file, file = self.file("fodo.lte", FODO), self.folder / "out.csv", self.folder / "out.openpmd.h5"
        start = (lattice, "--generate", 500, "--momentum", 200, "--spin", "z")
        for out in (csv_file, file):
            self.succeed(*start, "--repeat", 1, "--output", out)
        # a turn more, with the reference particle of the file
        hashes = {self.results(*start, "--turns", 2)["hash"], self.results(lattice, "--bunch", file)["hash"],
                  self.results(lattice, "--momentum", 200, "--bunch", file)["hash"]}
        self.assertEqual(len(hashes), 1)
        for option in ("--moments", "--optics", "--profile"):
            self.fail_with(2, f"{option}: only particles of bunches", lattice, "--generate", 10, option,
                           self.folder / "m.openpmd.h5")
        particles, group = tables.read_csv(csv_file), "/data/1/particles"
        if shutil.which("h5dump"):
            for path, column in (("position/x", "x"), ("trackplex/delta", "delta"), ("spin/z", "Sz")):
                self.assertEqual(tables.values_of(file, f"{group}/{path}", "H5T_IEEE_F64LE"), particles[column])
            self.assertEqual(tables.values_of(file, f"{group}/id", "H5T_STD_I64LE"), particles["id"])
        try:
            import h5py
        except ImportError:
            return
        with h5py.File(file) as content:
            self.assertIn("BeamPhysics", str(content.attrs["openPMDextension"]))
            found = content[group]
            self.assertEqual((found.attrs["numParticles"], len(found["time"])), (500, 500))
            self.assertEqual(found["position/z"].attrs["value"], 0)
            momentum = [sum(found[f"momentum/{axis}"][i]**2 for axis in "xyz")**0.5 / 0.51099895069e6 for i in range(500)]
            for mine, theirs in zip(momentum, particles["p"], strict=True):
                self.assertAlmostEqual(mine, theirs, delta=1e-8 * theirs)

    def h5dump(self, file, *arguments):
        return subprocess.run(["h5dump", *arguments, file], check=True, capture_output=True, text=True).stdout

    def test_species(self):
        if not self.has_hdf5() or not shutil.which("h5dump"):
            self.skipTest("needs a program with HDF5, and h5dump")
        cell = "qf: quadrupole, l=0.2, k1=1.5; qd: quadrupole, l=0.2, k1=-1.5; d: drift, l=1.8;\ncell: line=(qf, d, qd, d);\n"
        madx = self.file("proton.madx", "beam, particle=proton, energy=7000;\n" + cell + "use, sequence=cell;\n")
        anti = self.file("anti.madx", "beam, particle=antiproton, energy=7000;\n" + cell + "use, sequence=cell;\n")
        xsuite = self.file("ring.json", json.dumps(
            {"elements": {"d": {"__class__": "Drift", "length": 1.8}}, "element_names": ["d"],
             "particle_ref": {"mass0": 938272088.16, "q0": 1.0, "p0c": [6999999937116.58]}}))
        pals = self.file("p.pals.yaml", """PALS:
  facility:
    - start: {kind: BeginningEle, ReferenceP: {species_ref: antimuon, pc_ref: 3e9}}
    - d: {kind: Drift, length: 1.8}
    - ring: {kind: BeamLine, line: [start, d]}
    - all: {kind: Lattice, branches: [ring]}
""")
        out = self.folder / "out.openpmd.h5"
        for lattice, species, mean in ((madx, "proton", 7e12), (anti, "anti-proton", 7e12), (xsuite, "proton", 7e12),
                                       (pals, "anti-muon", 3e9), (self.fodo(), "electron", 200 * 0.51099895e6)):
            with self.subTest(species=species, lattice=lattice.name):
                report = self.report(lattice, "--generate", 100, "--momentum" if species == "electron" else "--turns",
                                     200 if species == "electron" else 1, "--output", out)
                self.assertEqual(report["input"]["species"], species)
                text = self.h5dump(out, "-a", "/data/1/particles/speciesType")
                self.assertIn(f'"{species}"', text)
                momentum = [float(p) for p in tables.values_of(out, "/data/1/particles/momentum/z", "H5T_IEEE_F64LE")]
                self.assertAlmostEqual(sum(momentum) / 100, mean, delta=2e-3 * mean)
        # kept from file to file, with the momenta, though the line is for electrons or the file a CSV
        again, plain = self.folder / "again.openpmd.h5", self.folder / "plain.csv"
        self.succeed(madx, "--generate", 100, "--repeat", 1, "--output", out)
        marker = self.file("m.lte", "m: MARK\nl: LINE=(m)\n")
        result = self.succeed(marker, "--bunch", out, "--repeat", 1, "--output", again)
        self.assertIn("of the species proton, but those of the lattice of the species electron", result.stderr)
        for path in ("momentum/z", "trackplex/delta"):
            path = f"/data/1/particles/{path}"
            self.assertEqual(*(tables.values_of(file, path, "H5T_IEEE_F64LE") for file in (out, again)))
        self.assertIn('"proton"', self.h5dump(again, "-a", "/data/1/particles/speciesType"))
        self.succeed(madx, "--generate", 100, "--repeat", 1, "--output", plain)
        self.assertEqual(self.report(madx, "--bunch", plain)["input"]["species"], "proton")
        result = self.succeed(madx, "--bunch", out, "--repeat", 1)
        self.assertNotIn("of the species", result.stderr)
        result = self.succeed(anti, "--bunch", out, "--repeat", 1)
        self.assertIn("of the species proton, but those of the lattice of the species anti-proton", result.stderr)
        # inputs for a later run, and watches
        written = self.folder / "written"
        hashes = [self.results(madx, "--bunch", out, "--write-input", written)["hash"],
                  self.results(written / "lattice.seq", "--bunch", written / "bunch.openpmd.h5")["hash"]]
        self.assertEqual(hashes[0], hashes[1])
        watched = self.file("w.lte", 'd: DRIF, L=1\nw: WATCH, FILENAME="w.openpmd.h5"\nl: LINE=(d, w)\n')
        self.succeed(watched, "--bunch", out, "--repeat", 1, "--watch", self.folder / "watches")
        self.assertIn('"proton"', self.h5dump(self.folder / "watches" / "w.openpmd.h5", "-a",
                                             "/data/0/particles/speciesType"))
        ion = self.file("ion.madx", "beam, particle=ion, mass=193.7, charge=82, energy=500000;\n" + cell + "use, sequence=cell;\n")
        self.fail_with(2, "have no name in openPMD", ion, "--generate", 10, "--output", out)
        self.fail_with(2, "anomalous magnetic moment of the particles is not known", ion, "--generate", 10, "--spin", "y")
        self.succeed(ion, "--generate", 10, "--spin", "y", "--anomaly", 0.1, "--repeat", 1)

    def test_particles_that_are_no_electrons(self):
        cavity = "c: rfcavity, volt=10, lag=0.25, freq=1;"
        madx = self.file("p.madx", f"beam, particle=proton, pc=2;\n{cavity} l: line=(c);\nuse, sequence=l;\n")
        still = (madx, "--generate", 100, "--sigma-s", 1e-9, "--sigma-delta", 0)
        mass = 938.27208816
        energy = math.hypot(2000, mass) + 10
        expected = math.sqrt(energy**2 - mass**2) / 2000 - 1
        self.assertAlmostEqual(self.results(*still)["end"]["mean"]["delta"], expected, delta=1e-9)
        drift = self.file("d.madx", "beam, particle=proton, pc=2; d: drift, l=1; l: line=(d);\nuse, sequence=l;\n")
        # the field of a charge acts on protons by their mass
        light = self.file("light.madx", "beam, particle=electron, pc=2; d: drift, l=1; l: line=(d);\nuse, sequence=l;\n")
        momentum = 2000 / mass  # beta gamma
        strong = ("--generate", 1000, "--momentum", momentum, "--emittance", 1e-9, 1e-9, "--space-charge", "3d")
        sizes = [self.results(*lattice, *strong)["end"]["sigma"]["xp"]
                 for lattice in ((drift, "--charge", 1e-9 * mass / 0.51099895), (light, "--charge", 1e-9), (drift, "--charge", 1e-9))]
        self.assertAlmostEqual(sizes[0] / sizes[1], 1, delta=1e-6)
        self.assertGreater(sizes[0], 2 * sizes[2])
        solenoid = self.file("w.lte", "w: SOLE, L=1, B=0.1\nl: LINE=(w)\n")
        if not self.has_hdf5():
            return
        # protons through a lattice that is for electrons
        out, none = self.folder / "p.openpmd.h5", self.file("n.madx", "beam, particle=proton, pc=2; m: marker; l: line=(m);\n"
                                                            "use, sequence=l;\n")
        self.succeed(none, *still[1:], "--repeat", 1, "--output", out)
        elegant = self.file("c.lte", "c: RFCA, VOLT=10e6, PHASE=90, FREQ=1e6\nl: LINE=(c)\n")
        self.assertAlmostEqual(self.results(elegant, "--bunch", out)["end"]["mean"]["delta"], expected, delta=1e-9)
        self.fail_with(2, "element 'w': what it does is computed for electrons only (the particles are of the species proton)",
                       solenoid, "--bunch", out)

    def test_the_anomalous_moment_is_that_of_the_particles(self):
        moment = '"particle_ref": {"mass0": 938272088.16, "q0": 1.0, "p0c": [6e12], "anomalous_magnetic_moment": [0.5]}'
        bend = '{"elements": {"b": {"__class__": "Bend", "length": 1, "angle": 0.001}}, "element_names": ["b"], ' + moment + "}"
        xsuite = (self.file("b.json", bend), "--generate", 100, "--spin", "z")
        self.assertEqual(self.results(*xsuite)["hash"], self.results(*xsuite, "--anomaly", 0.5)["hash"])
        self.assertNotEqual(self.results(*xsuite)["hash"], self.results(*xsuite, "--anomaly", 1.79284734463)["hash"])
        madx = self.file("proton.madx", "beam, particle=proton, energy=7000;\nb: sbend, l=1, angle=0.001; l: line=(b);\n"
                         "use, sequence=l;\n")
        start = (madx, "--generate", 100, "--spin", "z")
        self.assertEqual(self.results(*start)["hash"], self.results(*start, "--anomaly", 1.79284734463)["hash"])
        self.assertNotEqual(self.results(*start)["hash"], self.results(*start, "--anomaly", 1e-3)["hash"])
        if not self.has_hdf5():
            return
        lattice = self.file("bend.lte", "b: SBEN, L=1, ANGLE=0.1\nl: LINE=(b)\n")
        start, out = (lattice, "--generate", 100, "--momentum", 3000, "--spin", "z", "--anomaly", 0.5), self.folder / "an.openpmd.h5"
        self.succeed(*start, "--repeat", 1, "--output", out)
        two = self.results(*start, "--turns", 2)["end"]["spin"]["mean"]
        self.assertEqual(self.results(lattice, "--bunch", out)["end"]["spin"]["mean"], two)
        other = self.results(lattice, "--bunch", out, "--momentum", 3000.01)["end"]["spin"]["mean"]
        for name, value in two.items():
            self.assertAlmostEqual(other[name], value, delta=2e-3)
        self.assertNotEqual(self.results(lattice, "--bunch", out, "--anomaly", 1e-3)["end"]["spin"]["mean"], two)

    def test_iterations_and_species_of_openpmd(self):
        if not self.has_hdf5() or not shutil.which("h5copy"):
            self.skipTest("needs a program with HDF5, and h5copy")
        lattice, out, two = self.fodo(), self.folder / "out.openpmd.h5", self.folder / "two.openpmd.h5"
        self.succeed(lattice, "--generate", 50, "--repeat", 1, "--output", out)

        def copy(source, to):
            subprocess.run(["h5copy", "-p", "-i", out, "-o", two, "-s", source, "-d", to], check=True)

        shutil.copy(out, two)
        copy("/data/1", "/data/2")
        self.fail_with(3, "several iterations (1, 2); keep or name one (--iteration)", lattice, "--bunch", two)
        expected = self.results(lattice, "--bunch", out)["hash"]
        self.assertEqual(self.results(lattice, "--bunch", two, "--iteration", 2)["hash"], expected)
        self.fail_with(3, "has no iteration 3 (its iterations: 1, 2)", lattice, "--bunch", two, "--iteration", 3)
        self.fail_with(3, "has no species proton", lattice, "--bunch", two, "--iteration", 2, "--species", "proton")
        self.results(lattice, "--bunch", two, "--iteration", 2, "--species", "electron")
        self.fail_with(2, "--iteration: it needs --bunch", lattice, "--iteration", 2)
        self.fail_with(2, "--species: it needs --bunch", lattice, "--species", "electron")
        bunch = self.file("bunch.csv", "x,xp,y,yp,s,delta\n0,0,0,0,0,0\n")
        self.fail_with(2, "only files of openPMD", lattice, "--bunch", bunch, "--momentum", 200, "--iteration", 2)

    def test_one_ring_in_four_languages(self):
        folder = SOURCES / "tests" / "io" / "same_ring"
        tables_of, periodic = [], []
        for name, options in (("ring.seq", ("--exact", "--slices", 4)), ("ring.pals.yaml", ("--exact", "--slices", 4)),
                              ("ring.json", ("--slices", 4)), ("ring.lte", ("--exact", "--momentum", 1e9 / 510998.95))):
            optics = self.folder / "optics.csv"
            result = self.results(folder / name, *options, "--generate", 10, "--optics", optics)
            tables_of.append(tables.read_csv(optics))
            periodic.append(result["periodic"])
        self.assertGreater(abs(periodic[0]["x"]["orbit_m"]), 1e-5)
        for other, of_other in zip(tables_of[1:], periodic[1:], strict=True):
            self.assertEqual(other["ElementName"], tables_of[0]["ElementName"])
            for column, values in tables_of[0].items():
                for a, b in zip(values, other[column], strict=True):
                    if not isinstance(a, str):
                        self.assertAlmostEqual(a, b, delta=1e-12 * max(1, abs(a)), msg=column)
            for plane in "xy":
                for name in ("tune", "chromaticity"):
                    self.assertAlmostEqual(periodic[0][plane][name], of_other[plane][name], delta=1e-12 * 10)
        self.fail_with(2, "--exact: files of Xsuite say how", folder / "ring.json", "--exact")
        self.fail_with(2, "--slices: elegant's lattices say how", folder / "ring.lte", "--slices", 3)

    def test_watches_write_turns_as_iterations_of_openpmd(self):
        if not self.has_hdf5():
            self.skipTest("needs a program with HDF5")
        watch = 'w: WATCH, FILENAME="%s.openpmd.h5", START_PASS=1, INTERVAL=2\n'
        lattice, folder = self.file("w.lte", FODO.replace("cell: LINE=(", watch + "cell: LINE=(w, ")), self.folder / "watch"
        start = (lattice, "--line", "cell", "--generate", 50, "--momentum", 200, "--turns", 6)
        self.succeed(*start, "--repeat", 1, "--watch", folder)
        file = folder / "cell.openpmd.h5"
        self.assertEqual(list(folder.iterdir()), [file])
        self.fail_with(3, "several iterations (1, 3, 5); keep or name one (--iteration)", lattice, "--bunch", file)
        self.fail_with(3, "has no iteration 2 (its iterations: 1, 3, 5)", lattice, "--bunch", file, "--iteration", 2)
        # the turns that are left give the hash of a whole run
        hashes = {self.results(lattice, "--line", "cell", "--bunch", file, "--iteration", n, "--turns", 6 - n)["hash"]
                  for n in (1, 3, 5)}
        self.assertEqual(hashes, {self.results(*start)["hash"]})
        # the same after elements of any lattice
        monitors = self.folder / "monitors"
        self.succeed(self.fodo(), *start[1:], "--repeat", 1, "--watch", monitors, "--monitors", "d")
        self.assertEqual(sorted(file.name for file in monitors.iterdir()), ["d.openpmd.h5", "d_2.openpmd.h5"])
        end = self.results(self.fodo(), "--bunch", monitors / "d_2.openpmd.h5", "--iteration", 2, "--line", "cell", "--turns", 3)
        self.assertEqual(end["hash"], self.results(*start)["hash"])
        moments = self.file("m.lte", 'w: WATCH, FILENAME="w.openpmd.h5", MODE=parameters\nl: LINE=(w)\n')
        self.fail_with(2, "element 'w': only particles are written as openPMD", moments, "--generate", 10, "--watch",
                       self.folder / "no")
        if shutil.which("h5dump"):
            counts = self.h5dump(file, "-a", "/data/3/particles/numParticles")
            self.assertIn("(0): 50", counts)
        try:
            import h5py
        except ImportError:
            return
        with h5py.File(file) as content:
            self.assertEqual(list(content["data"]), ["1", "3", "5"])
            times = [content["data"][n].attrs["time"] for n in ("1", "3", "5")]
            self.assertAlmostEqual(times[1] - times[0], times[2] - times[1], delta=1e-12 * times[2])
            self.assertGreater(times[1], times[0])
            for n in ("1", "3", "5"):
                found = content[f"data/{n}/particles"]
                self.assertEqual(found["timeOffset"].attrs["value"], content["data"][n].attrs["time"])
                self.assertEqual(len(found["position/x"]), 50)

    def test_files_of_elegant(self):
        lattice = self.file("w.lte", 'd: DRIF, L=1\nw: WATCH, FILENAME="%s.sdds"\nm: WATCH, FILENAME="m.sdds", MODE=parameters\n'
                            "l: LINE=(d, w, d, m)\n")
        out, watch, moments = (self.folder / name for name in ("out.sdds", "watch", "moments.sdds"))
        self.succeed(lattice, "--generate", 500, "--charge", 2e-9, "--output", out, "--watch", watch, "--moments", moments)
        self.assertEqual(sorted(file.name for file in watch.iterdir()), ["l_turn0.sdds", "m.sdds"])
        for file, text in ((out, b"particleID"), (watch / "l_turn0.sdds", b'name="Pass"'), (watch / "m.sdds", b'name="Cdelta"'),
                           (moments, b'name="beta_x", units="m"')):
            self.assertTrue(file.read_bytes().startswith(b"SDDS5\n"))
            self.assertIn(text, file.read_bytes())
        again = self.report(lattice, "--bunch", out)["input"]
        self.assertEqual((again["momentum"], again["bunch"]["particles"]), (200, 500))
        self.assertAlmostEqual(again["bunch"]["charge_c"], 2e-9, delta=1e-20)
        self.fail_with(3, "the column 'x' is missing", "--bunch", moments)

    def test_the_tables_have_the_same_bytes_from_every_backend(self):
        for option in ("--output", "--moments"):
            self.check_reproducible(self.fodo(), "--generate", 1001, "--repeat", 1, option, tables=())

    def test_bunches_are_known_by_their_contents(self):
        lattice, out = self.fodo(), self.folder / "out.sdds"
        self.succeed(lattice, "--generate", 50, "--repeat", 1, "--output", out)
        expected = self.results(lattice, "--bunch", out)["hash"]
        for name, data in (("out.bun", out.read_bytes()), ("out.gz", gzip.compress(out.read_bytes()) + bytes(512))):
            (self.folder / name).write_bytes(data)
            self.assertEqual(self.results(lattice, "--bunch", self.folder / name)["hash"], expected)
        run = self.file("e1.ele", "&run_setup lattice=fodo.lte, use_beamline=ring, p_central=200 &end\n&run_control &end\n"
                        "&sdds_beam input=out.bun &end\n&track &end\n")
        self.assertEqual(self.results(run)["particles"], 50)

    def test_names_with_commas_are_quoted(self):
        file = self.folder / "moments.csv"
        lattice = self.file("a.lte", '"a,b": DRIF, L=1\nl: LINE=("a,b")\n')
        self.succeed(lattice, "--generate", 10, "--moments", file, "--repeat", 1)
        self.assertEqual(read_csv(file)[-1]["name"], "a,b")

    def test_the_profile(self):
        lattice = self.file("lsc.lte", SPACE_CHARGE)
        for name, bins in ((None, 64), ("sc", 128)):
            file = self.folder / "profile.csv"
            self.succeed(lattice, "--generate", 5000, "--repeat", 1, "--profile", file,
                         *(("--profile-at", name) if name else ()))
            rows = read_csv(file)
            self.assertEqual(len(rows), bins)
            time, current = numbers(rows, "time"), numbers(rows, "current")
            # the charge is the integral of the current
            width = (time[-1] - time[0]) / (bins - 1)
            self.assertAlmostEqual(sum(current) * width, 1e-9, delta=1e-18)
            voltage, change = numbers(rows, "voltage"), numbers(rows, "energy_change")
            self.assertEqual([-v for v in voltage], change)
            energy = 0.51099906e6 * math.sqrt(1 + 200**2)
            for row in rows:
                self.assertAlmostEqual(float(row["relative_energy_change"]),
                                       float(row["energy_change"]) / energy, places=15)
            # the head gains, the tail loses
            half = bins // 2
            self.assertGreater(sum(c * i for c, i in zip(change[:half], current)), 0)
            self.assertLess(sum(c * i for c, i in zip(change[half:], current[half:])), 0)

    def plots(self, *arguments):
        report = self.report(*arguments)
        return report["results"], {plot["name"]: plot["panels"] for plot in report["plots"]}

    def test_the_plots(self):
        results, plots = self.plots("--generate", 5000)
        self.assertEqual(list(plots), ["sizes", "phase_space", "space_charge"])
        sizes, beta = plots["sizes"]
        kinds = [element["kind"] for element in sizes["lattice"]]
        self.assertEqual([kinds.count(kind) for kind in ("charge", "quadrupole", "drift", "space charge")], [1, 20, 10, 10])
        self.assertEqual({math.copysign(1, e["strength"]) for e in sizes["lattice"] if e["kind"] == "quadrupole"}, {1, -1})
        for plane, size, function in zip("xy", sizes["series"], beta["series"]):
            self.assertEqual((size["label"], size["x"][0], size["x"][-1]), (plane, 0, 20))
            self.assertEqual(size["x"], function["x"])
            self.assertGreater(len(size["x"]), 5 * results["elements"])  # also inside of them
            for where, at in (("start", 0), ("end", -1)):
                self.assertAlmostEqual(size["y"][at] / results[where]["sigma"][f"{plane}_m"] / 1e3, 1, delta=1e-3)
            for at in (0, -1):
                self.assertAlmostEqual(function["y"][at] / results["periodic"][plane]["beta_m"], 1, places=4)
        for panel in plots["phase_space"]:
            self.assertEqual([series["label"] for series in panel["series"]], ["start", "end"])
            for series in panel["series"]:
                self.assertEqual(len(series["x"]), len(series["y"]))
                self.assertTrue(1000 < len(series["x"]) <= 2000)
        current, change = (panel["series"][0] for panel in plots["space_charge"])
        self.assertEqual((len(current["y"]), len(change["y"])), (256, 256))
        self.assertAlmostEqual(max(current["y"]) / results["space_charge"][-1]["peak_current_a"], 1, places=3)

    def test_a_line_with_bends_shows_its_dispersion(self):
        lattice = self.file("b.lte", "b: SBEN, L=0.5, ANGLE=0.1, E1=0.05, E2=0.05\nd: DRIF, L=1\nl: LINE=(d, b, d)\n")
        results, plots = self.plots(lattice, "--generate", 5000, "--sigma-delta", 1e-2)
        sizes, dispersion = plots["sizes"]
        self.assertEqual([series["label"] for series in sizes["series"]], ["x", "y", "x without dispersion"])
        self.assertLess(sizes["series"][2]["y"][-1], 0.9 * sizes["series"][0]["y"][-1])
        self.assertAlmostEqual(dispersion["series"][0]["y"][-1] / results["end"]["x"]["dispersion_m"], 1, delta=1e-2)
        self.assertNotIn("space_charge", plots)

    def test_a_configuration_file_has_all_options(self):
        options = (self.fodo(), "--generate", 500, "--turns", 2, "--beta", 3, 2, "--flat", "--position-limit", 1e-3)
        file = self.file("beamline.toml", self.succeed(*options, "--dump-config").stdout)
        expected, found = self.report(*options), self.report("--config", file)
        self.assertEqual((found["input"], found["results"]), (expected["input"], expected["results"]))
        bunch = self.folder / "bunch.csv"
        self.succeed("--generate", 50, "--repeat", 1, "--output", bunch)
        file = self.file("beamline.toml", self.succeed("--bunch", bunch, "--dump-config").stdout)
        self.assertEqual(self.report("--config", file)["input"]["bunch"]["file"], str(bunch))

    def test_a_file_that_cannot_be_written(self):
        for option in ("--output", "--moments", "--profile"):
            file = self.folder / "no" / "a.csv"
            self.fail_with(1, str(file), "--generate", 10, "--repeat", 1, option, file)


class Matching(BeamlineCase):
    def match(self, lattice, *arguments, vary=(), targets=()):
        """The report of a run with matching."""
        words = [word for name in vary for word in ("--vary", name)]
        words += [word for target in targets for word in ("--target", target)]
        return self.report(lattice, "--generate", 10, *words, *arguments)["results"]

    def after(self, results):
        return {variable["name"]: variable["after"] for variable in results["matching"]["variables"]}

    def test_tunes_of_a_cell(self):
        lattice = self.file("weak.lte", FODO.replace("1.5", "1"))
        wanted = fodo_tune(0.2, 1.5, 0.8)
        results = self.match(lattice, "--line", "cell", vary=("qf.k1", "QD.K1"),
                             targets=(f"qx={wanted}", f"nuy = {wanted}"))
        found = self.after(results)
        self.assertAlmostEqual(found["qf.k1"], 1.5, places=9)
        self.assertAlmostEqual(found["QD.K1"], -1.5, places=9)
        self.assertAlmostEqual(results["periodic"]["x"]["tune"], wanted, places=11)
        # by an independent run
        check = self.results(lattice, "--line", "cell", "--generate", 10, "--set", f"QF.K1={found['qf.k1']!r}",
                             "--set", f"QD.K1={found['QD.K1']!r}")
        for plane in "xy":
            self.assertAlmostEqual(check["periodic"][plane]["tune"], wanted, places=11)
            self.assertEqual(check["periodic"][plane], results["periodic"][plane])

    def test_a_file_and_the_terminal(self):
        statements = self.file("match.txt", "! the cell\nvary qf.k1, lower=0, upper=9 ! focuses\nvary qd.k1;\n"
                                            "target qx=0.1, tolerance=1e-8\n\ntarget qy=0.12\n")
        written = self.folder / "matched.pals.yaml"
        text = self.succeed(self.fodo(), "--line", "cell", "--match", statements, "--generate", 10, "--repeat", 1,
                            "--write-lattice", written).stdout
        for words in ("matched strength", "qf.k1", "before", "after", "qx = 0.1", "tunes 0.1000 and 0.1200"):
            self.assertIn(words, text)
        periodic = self.results(written, "--generate", 10)["periodic"]
        self.assertAlmostEqual(periodic["x"]["tune"], 0.1, places=10)
        self.assertAlmostEqual(periodic["y"]["tune"], 0.12, places=10)
        for line, words in (("vary qf.k1, color=3", "line 8"), ("vary qf.k1, lower=a", "'a' is not a number"),
                            ("vary", "it names nothing"), ("constraint x=1", "no statement 'constraint'"),
                            ("target qx", "it has no value"), ("target betax@=1", "the place has no name"),
                            ("target betax@qf[0]=1", "'0' is no count"), ("target qx=1,weight=2", "tolerance=X")):
            bad = self.file("bad.txt", Path(statements).read_text() + "\n" + line)
            self.fail_with(3, words, self.fodo(), "--match", bad, "--generate", 10)

    def test_twiss_at_the_end_of_a_line(self):
        optics, how = self.folder / "optics.csv", ("--from-start", "--beta", 10, 9, "--alpha", 0.5, -0.3,
                                                   "--dispersion", 0.1, 0, "--dispersion-slope", 0.01, 0)
        lattice = self.file("line.lte", "d: DRIF, L=1\n" + "".join(
            f"q{i}: QUAD, L=0.2, K1={k1}\n" for i, k1 in enumerate((1, -1.5, 1.5, -1))) +
            "m: MARK\nline: LINE=(q0, d, q1, d, m, q2, d, q3, d)\n")
        others = [word for i, k1 in enumerate((1.2, -1.7, 1.3, -0.9)) for word in ("--set", f"q{i}.K1={k1}")]
        self.results(lattice, "--generate", 10, *how, *others, "--optics", optics)
        end = {name: float(read_csv(optics)[-1][name]) for name in ("betax", "alphax", "betay", "alphay")}
        targets = (f"betx@end={end['betax']}", f"alfx@#e={end['alphax']}", f"BETY@end = {end['betay']}",
                   f"alphay@d[4]={end['alphay']}")
        results = self.match(lattice, *how, "--optics", optics, vary=[f"q{i}.k1" for i in range(4)], targets=targets)
        for name, value in end.items():
            self.assertAlmostEqual(float(read_csv(optics)[-1][name]), value, places=9)
        self.assertEqual(float(read_csv(optics)[0]["etax"]), 0.1)
        sets = [word for name, value in self.after(results).items() for word in ("--set", f"{name}={value!r}")]
        self.results(lattice, "--generate", 10, *how, *sets, "--optics", optics)
        for name, value in end.items():
            self.assertAlmostEqual(float(read_csv(optics)[-1][name]), value, places=9)
        # inside, and limits
        self.match(lattice, *how, "--optics", optics, vary=[f"q{i}.k1" for i in range(4)],
                   targets=("betax@m=7", "betay@*<20"))
        rows = read_csv(optics)
        at = [row["ElementName"].lower() for row in rows].index("m")
        self.assertAlmostEqual(float(rows[at]["betax"]), 7, places=9)
        self.assertLess(max(numbers(rows[1:], "betay")), 20 + 1e-6)

    def test_other_formats(self):
        wanted = f"qx={5 * fodo_tune(0.2, 1.5, 1.8)}", f"qy={5 * fodo_tune(0.2, 1.5, 1.8)}"
        madx = self.file("ring.seq", "kf = 1.2; kd := -kx; kx = 1.3; beam, particle=proton, pc=1.87654417632;\n"
                                     "mq: quadrupole, l=0.2; qf: mq, k1:=kf; qd: mq, k1:=kd;\n"
                                     "cell: sequence, l=4; qf, at=0.1; qd, at=2.1; endsequence;\n"
                                     "ring: sequence, l=20, refer=entry; " +
                         "".join(f"cell, at={4 * i}; " for i in range(5)) + "endsequence;")
        found = self.after(self.match(madx, vary=("kf", "kx"), targets=wanted))
        self.assertAlmostEqual(found["kf"], 1.5, places=9)
        self.assertAlmostEqual(found["kx"], 1.5, places=9)
        found = self.after(self.match(madx, "--backwards", vary=("q?.k1,factor",), targets=wanted[:1]))
        self.assertAlmostEqual(1.2 * found["q?.k1 (factor)"], 1.3 * found["q?.k1 (factor)"] * 1.2 / 1.3, places=12)
        elements = {"d": {"__class__": "Drift", "length": 1.8}, "f": {"__class__": "Quadrupole", "length": 0.2, "k1": 1.2},
                    "o": {"__class__": "Quadrupole", "length": 0.2, "k1": -1.3}}
        xsuite = self.file("ring.json", json.dumps({
            "elements": elements, "element_names": 5 * ["f", "d", "o", "d"],
            "particle_ref": {"mass0": 938272088.16, "q0": 1.0, "p0c": [1876544176.32]}}))
        pals, written = self.folder / "ring.pals.yaml", self.folder / "matched.pals.yaml"
        self.succeed(xsuite, "--generate", 10, "--repeat", 1, "--write-lattice", pals)
        for lattice, names in ((xsuite, ("f.k1", "o.k1")), (pals, ("f.Kn1", "o.Kn1"))):
            results = self.match(lattice, "--write-lattice", written, vary=names, targets=wanted)
            self.assertAlmostEqual(self.after(results)[names[0]], 1.5, places=8)
            self.assertAlmostEqual(self.after(results)[names[1]], -1.5, places=8)
            again = self.results(written, "--generate", 10)["periodic"]
            self.assertAlmostEqual(again["y"]["tune"], 5 * fodo_tune(0.2, 1.5, 1.8), places=9)
        self.fail_with(2, "no variable 'kz'", madx, "--generate", 10, "--vary", "kz", "--target", "qx=1")
        self.fail_with(2, "vary either", madx, "--generate", 10, "--vary", "kf", "--vary", "qd.k1", "--target", "qx=1")
        refused = self.file("match.madx", Path(madx).read_text() + "\nmatch, sequence=ring;")
        self.fail_with(3, "give beamline --vary and --target", refused, "--generate", 10)

    def test_orbits(self):
        lattice = self.file("orbit.lte", FODO + "c: HKICK, L=0.1\nb: HKICK, L=0.1, KICK=1e-4\n"
                                                "steered: LINE=(b, 2*cell, c, 3*cell)\n")
        lattice.write_text(lattice.read_text().replace("HKICK, L=0.1\n", "KICKER, L=0.1\n"))
        results = self.match(lattice, "--line", "steered", vary=("c.hkick",), targets=("x@start=0",))
        self.assertEqual(results["periodic"]["about"], "closed orbit")
        self.assertAlmostEqual(results["periodic"]["x"]["orbit_m"], 0, places=9)
        self.assertNotEqual(self.after(results)["c.hkick"], 0)
        # from the axis
        optics = self.folder / "optics.csv"
        self.match(lattice, "--line", "steered", "--from-start", "--optics", optics, vary=("c.hkick",),
                   targets=("x@end=1e-4",))
        self.assertAlmostEqual(float(read_csv(optics)[-1]["x"]), 1e-4, places=10)

    def test_what_cannot_be_matched(self):
        lattice = self.fodo()
        result = self.fail_with(1, "not all targets are met", lattice, "--line", "cell", "--generate", 10, "--vary",
                                "qf.k1,upper=1.6", "--target", "qx=0.3")
        for words in ("qx = 0.3 became 0.0", "qf.k1 = 1.6 (its limit)", "widen limits"):
            self.assertIn(words, result.stderr)
        for status, words, *arguments in (
                (2, "matching needs a target", "--vary", "qf.k1"),
                (2, "matching needs a strength", "--target", "qx=0.3"),
                (2, "no element 'qq'", "--vary", "qq.k1", "--target", "qx=0.3"),
                (2, "'d' has no k1 (it is a drift); it has l", "--vary", "d.k1", "--target", "qx=0.3"),
                (2, "no attribute 'kk'", "--vary", "qf.kk", "--target", "qx=0.3"),
                (2, "'qf' has no attribute", "--vary", "qf", "--target", "qx=0.3"),
                (2, "no quantity 'tune'", "--vary", "qf.k1", "--target", "tune=0.3"),
                (2, "no element 'z'", "--vary", "qf.k1", "--target", "betax@z=3"),
                (2, "it has no place", "--vary", "qf.k1", "--target", "betax=3"),
                (2, "different values", "--vary", "q?.k1", "--target", "qx=0.3"),
                (2, "--vary qf.k1 --vary", "--vary", "qf.k1", "--vary", "qf.k1l", "--target", "qx=0.3"),
                (2, "not those of a ring", "--from-start", "--vary", "qf.k1", "--target", "qx=0.3"),
                (2, "--from-start", "--from-start", "--closed-orbit"),
                (2, "--from-start", "--from-start", "--matched"),
                (2, "--write-input", "--write-input", self.folder / "new", "--vary", "qf.k1", "--target", "qx=0.3"),
                (3, "none.txt", "--match", "none.txt")):
            with self.subTest(arguments):
                words = "in another variable" if words.startswith("--vary") else words
                self.fail_with(status, words, lattice, "--generate", 10, *arguments)
        run = self.file("run.ele", "&run_setup lattice=fodo.lte, use_beamline=cell, p_central=200 &end\n"
                                   "&correct_tunes quadrupoles=\"qf qd\", tune_x=0.3, tune_y=0.2 &end\n")
        self.fail_with(3, "--vary and --target of beamline match optics", run, "--generate", 10)
        unstable = self.file("unstable.lte", FODO.replace("1.5", "90"))
        self.fail_with(2, "no optics to begin with", unstable, "--generate", 10, "--vary", "qf.k1", "--target", "qx=1")

    def test_rings_of_others(self):
        """MAD-X' own match of the PS Booster, whose strengths give tunes of 4.4 and 4.45, and chromaticities of the APS."""
        folder = LATTICES.parent / "madx" / "psb_chicane"
        if not folder.exists():
            self.skipTest("the rings are not here")
        ring = folder / "psb.seq", "--strengths", folder / "psb_fb_lhc.str", "--line", "psb1"
        shifted = self.match(*ring, vary=("kbrqf", "kbrqd"), targets=("qx=4.35", "qy=4.42"))
        sets = [word for name, value in self.after(shifted).items() for word in ("--set", f"{name}={value!r}")]
        self.assertAlmostEqual(self.results(*ring, "--generate", 10, *sets)["periodic"]["x"]["tune"], 4.35, places=9)
        back = self.after(self.match(*ring, *sets, vary=("kbrqf", "kbrqd"), targets=("qx=4.4", "qy=4.45")))
        self.assertAlmostEqual(back["kbrqf"], 0.7691427338, delta=2e-8)
        self.assertAlmostEqual(back["kbrqd"], -0.7775055976, delta=2e-8)
        ring = LATTICES / "radiasoft+sirepo__tests__template__elegant_import_data__aps.lte"
        results = self.match(ring, vary=("*:S1.K2", "*:S2.K2"), targets=("dqx=5", "dqy=4"))
        self.assertAlmostEqual(results["periodic"]["x"]["chromaticity"], 5, places=6)
        self.assertAlmostEqual(results["periodic"]["y"]["chromaticity"], 4, places=6)


class Elegant(BeamlineCase):
    """Particles behind lines as elegant has them; its t and p are the input."""

    # The largest differences allowed, m and 1.
    TOLERANCES = {
        "fodo20_o2": (1e-16, 1e-16, 1e-16, 1e-16, 5e-14, 1e-15),
        "quad_f_o2": (1e-16, 1e-16, 1e-16, 1e-16, 1e-15, 1e-15),
        "sbend_edge_o2": (1e-15, 1e-15, 1e-13, 1e-12, 1e-15, 1e-15),
        "kquad_s4_i4": (1e-16, 1e-16, 1e-16, 1e-16, 1e-15, 1e-15),
        "lsc_256": (1e-18, 1e-18, 1e-18, 1e-18, 1e-15, 1e-13),
        "lsc_256_smooth": (1e-18, 1e-18, 1e-18, 1e-18, 1e-15, 1e-13),
        "lsc_256_kick": (1e-18, 1e-18, 1e-18, 1e-18, 1e-15, 1e-13),
        "lsc_256_multistep": (1e-16, 1e-16, 1e-16, 1e-16, 2e-14, 2e-12),
        "lsc_off": (1e-18, 1e-18, 1e-18, 1e-18, 1e-15, 1e-15),
    }

    def test_the_vectors(self):
        if not REFERENCE.is_dir():
            self.skipTest(f"needs {REFERENCE} (set TRACKPLEX_REFERENCE)")
        for name, tolerances in self.TOLERANCES.items():
            rows = read_csv(REFERENCE / f"{name}.csv")
            names = ("x", "xp", "y", "yp", "t", "p")
            bunch = self.file("bunch.csv", ",".join(names) + "\n" + "".join(
                ",".join(row[column + "0"] for column in names) + "\n" for row in rows))
            out = self.folder / "out.csv"
            self.succeed(REFERENCE / "lattice" / f"{name}.lte", "--bunch", bunch, "--momentum", 200, "--output", out,
                         "--repeat", 1, "--quiet")
            found = read_csv(out)
            self.assertEqual(len(found), len(rows))
            # times are known to the digits of s and, at this momentum, of delta
            tolerances = dict(zip(COORDINATES, tolerances), t=2 * tolerances[4] / 299792458, p=400 * tolerances[5])
            for column, tolerance in tolerances.items():
                with self.subTest((name, column)):
                    worst = max(abs(float(row[column]) - float(expected[column + "1"]))
                                for row, expected in zip(found, rows))
                    self.assertLessEqual(worst, tolerance)

    def test_lattices_of_users(self):
        """Real lattices, through which elegant tracked 100 particles. Those without collective elements agree to 1e-10
        m, unless elegant tracked another file: without incoherent radiation."""
        if not LATTICES.is_dir() or not USED_LATTICES.is_dir():
            self.skipTest(f"needs {LATTICES} and {USED_LATTICES} (set TRACKPLEX_DATA and TRACKPLEX_REFERENCE)")
        tracked = compared = of_optics = 0
        for row in csv.DictReader((USED_LATTICES / "lattices.csv").read_text().splitlines()):
            if row["tracked"] != "yes":
                continue
            found, expected = self.particles_behind(row)
            if not found:
                continue  # an element, or a file, that is refused
            tracked += 1
            of_optics += self.check_optics(row)
            incoherent = re.search(r"\bisr *= *\"?1", (LATTICES / f"{row['name']}.lte").read_text(), re.IGNORECASE)
            if row["collective"] or row["random_types"] or incoherent:
                continue
            compared += 1
            self.assertEqual(len(found), int(row["survivors"]))
            for name in ("x", "xp", "y", "yp", "t", "p"):
                unit = 1 / 299792458 if name == "t" else float(row["p_central"]) if name == "p" else 1
                with self.subTest((row["name"], name)):
                    worst = max(abs(float(particle[name]) - float(expected[number][name + "1"]))
                                for number, particle in found.items())
                    self.assertLessEqual(worst, 1e-10 * unit)
        self.assertGreaterEqual(tracked, 64)
        self.assertGreaterEqual(compared, 43)
        self.assertGreaterEqual(of_optics, 45)

    def check_optics(self, lattice):
        """Optics behind each element against those of elegant, where that has some; returns whether it does. Its bends
        have a floor under vertical focusing of 1e-8, which grows along lines, and cavities without acceleration
        rounding errors of 1e-5."""
        if lattice["optics"] not in ("periodic", "beta0=10"):
            return False
        found = read_csv(self.folder / lattice["name"] / "optics.csv")
        with lzma.open(USED_LATTICES / f"{lattice['name']}.twiss.csv.xz", "rt") as rows:
            expected = list(csv.DictReader(rows))
        has_cavity = any(row["ElementType"] in ("RFCA", "RFCW") for row in expected)
        with lzma.open(USED_LATTICES / "optics.json.xz", "rt") as file:
            of_line = json.load(file)[lattice["name"]]
        matrix = of_line["matrix"]
        determinant = matrix["R11"] * matrix["R22"] - matrix["R12"] * matrix["R21"]
        # it takes the map of a period for a symplectic one, also where cavities accelerate
        is_accelerated_period = lattice["optics"] == "periodic" and abs(determinant - 1) > 1e-9
        is_coupled = max(float(row["betax2"]) for row in found) > 1e-6  # it neglects coupling
        if is_accelerated_period or is_coupled or any(math.isnan(float(row["betay"])) for row in expected):
            return False
        self.assertEqual([row["ElementName"].upper() for row in found], [row["ElementName"] for row in expected])
        tolerance = 1e-5 if has_cavity and lattice["optics"] == "periodic" else 1e-7
        for name in ("s", "betax", "alphax", "psix", "etax", "etaxp", "betay", "alphay", "psiy", "etay", "etayp"):
            with self.subTest((lattice["name"], name)):
                worst = max(abs(float(a[name]) - float(b[name])) / max(abs(float(b[name])), 1.)
                            for a, b in zip(found, expected))
                self.assertLessEqual(worst, tolerance)
        if lattice["optics"] == "periodic" and not has_cavity:
            by_differences = any(row["ElementType"] == "CWIGGLER" for row in expected)  # elegant's map of it
            periodic = json.loads((self.folder / lattice["name"] / "report.json").read_text())["results"]["periodic"]
            for plane in ("x", "y"):
                with self.subTest((lattice["name"], plane)):
                    self.assertAlmostEqual(periodic[plane]["tune"], of_line["nu" + plane],
                                           delta=1e-8 if by_differences else 1e-9)
                    self.assertAlmostEqual(periodic[plane]["chromaticity"], of_line[f"dnu{plane}_dp"], delta=1e-7)
            with self.subTest((lattice["name"], "compaction")):
                self.assertAlmostEqual(periodic["momentum_compaction"], of_line["alphac"],
                                       delta=1e-6 if by_differences else 1e-9)
        return True

    def particles_behind(self, lattice):
        """Particles behind a lattice by their numbers, of this program and of elegant; none where it is refused."""
        name, folder = lattice["name"], self.folder / lattice["name"]
        folder.mkdir()
        shutil.copy(LATTICES / f"{name}.lte", folder)
        if (LATTICES / "files" / name).is_dir():
            shutil.copytree(LATTICES / "files" / name, folder, dirs_exist_ok=True)
        with lzma.open(USED_LATTICES / f"{name}.track.csv.xz", "rt") as rows:
            expected = {int(row["id"]): row for row in csv.DictReader(rows)}
        names = ("x", "xp", "y", "yp", "t", "p")
        (folder / "bunch.csv").write_text("\n".join(
            [",".join(names), *(",".join(row[name + "0"] for name in names) for row in expected.values())]) + "\n")
        done = self.run_program(folder / f"{name}.lte", "--line", lattice["line"], "--momentum", lattice["p_central"],
                                "--bunch", folder / "bunch.csv", "--output", folder / "out.csv", "--repeat", 1,
                                "--charge", 1e-9, "--on-axis",  # as elegant without closed_orbit
                                "--optics", folder / "optics.csv", "--json", folder / "report.json",
                                "--quiet", "--position-limit", 0, "--slope-limit", 0)
        if done.returncode != 0:
            self.assertIn(done.returncode, (2, 3), done.stderr)
            return {}, expected
        numbers_of = sorted(expected)
        return {numbers_of[int(row["id"])]: row for row in read_csv(folder / "out.csv")}, expected


if __name__ == "__main__":
    main()
