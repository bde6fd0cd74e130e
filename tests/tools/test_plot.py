# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/plot on made-up reports and traces. What draws is skipped where matplotlib is missing."""

import copy
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "plot"
draws = unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "matplotlib is missing: scripts/setup --with-plots")


def panel(*series, **more):
    return {"x": {"label": "x [mm]"}, "y": {"label": "tracks"}, "series": list(series), **more}


def plot(name, *panels, **more):
    return {"name": name, "title": f"Title of {name}", "panels": list(panels), **more}


def run_of(lanes, threads=1, backend="serial", us=100.):
    spread = {"min": 0.9 * us, "lower_quartile": 0.95 * us, "upper_quartile": 1.1 * us, "max": 1.2 * us}
    return {"backend": backend, "threads": threads, "lanes": lanes, "precision": "float", "results": {},
            "time_us": {"fit": us, "total": us}, "time_spread_us": {"fit": spread, "total": spread}}


def report(*plots, program="kalman_fit", runs=(), backend="serial"):
    return {"schema": "trackplex-report", "schema_version": 1, "program": program, "backend": backend, "threads": 1, "lanes": 8,
            "precision": "float", "results": {}, "runs": list(runs), "plots": list(plots)}


STEPS = {"label": "fitted", "style": "steps", "edges": [0, 1, 2, 3], "y": [4, 9, 1], "error": [2, 3, 1]}
LINE = {"label": "normal", "style": "line", "x": [0, 1, 2], "y": [1, None, 3], "dashed": True}
STYLES = {
    "points": {"style": "points", "label": "found", "x": [0, 1, 2], "y": [0.9, None, 0.8], "error": [[0.1, 0.05], 0.1, 0.1],
               "names": ["one", "two", "three"], "open": [True, False, True]},
    "line": LINE,
    "steps": STEPS,
    "dots": {"style": "dots", "x": [1, 2, 3], "y": [3, 1, 2], "color": 2},
    "polylines": {"style": "polylines", "x": [[0, 1], [0, 1, 2]], "y": [[0, 1], [2, 1, 0]]},
    "circles": {"style": "circles", "r": [1, 2], "background": True},
    "segments": {"style": "segments", "x": [[0, 1], [0, 1]], "y": [[1, 1], [2, 2]], "label": "layers"},
    "spans": {"style": "spans", "lane": ["reader", "slot"], "name": ["read", "run"], "begin": [0, 1], "end": [1, 3],
              "number": [0, None]},
}
LATTICE = [{"kind": kind, "name": "E", "begin": i, "end": i + 1, "strength": strength} for i, (kind, strength) in enumerate(
    (("quadrupole", 1.), ("thick_quadrupole", -1.), ("bend", 0.1), ("sextupole", 2.), ("space_charge_drift", None),
     ("drift", None), ("collimator", None), ("cavity", None), ("kicker", None), ("marker", None), ("wiggler", None)))]


def trace(batches=30):
    events = [{"name": "process_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": "lhcb_velo"}},
              {"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "reader"}}]
    for batch in range(batches):
        events.append({"name": "read", "ph": "X", "ts": 1000. * batch, "dur": 900., "pid": 1, "tid": 1, "args": {"batch": batch}})
    return {"traceEvents": events}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, content, name="report.json"):
        file = self.folder / name
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    def run_plot(self, *arguments, **environment):
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder, env={**os.environ, **environment})

    def draw(self, *arguments):
        """The files that it says it wrote, which are there."""
        result = self.run_plot(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        names = result.stdout.split()
        for name in names:
            self.assertGreater((self.folder / name).stat().st_size, 1000, name)
        return names

    def fail_with(self, status, words, *arguments, **environment):
        result = self.run_plot(*arguments, **environment)
        self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        self.assertIn(words, result.stderr)


class Errors(Case):
    def test_usage(self):
        self.fail_with(2, "no REPORT.json")
        self.fail_with(2, "name reports before --only", "--only", "a", "report.json")
        self.fail_with(2, "--format", self.write(report()), "--format", "bmp")
        file = self.write(report(plot("a", panel(STEPS)), plot("b", panel(STEPS))))
        self.fail_with(2, "no plot c (there are: a, b)", file, "--only", "c")
        self.fail_with(2, "one file for 2 plots (a, b)", file, "--output", "x.png")
        self.fail_with(2, "end in .png, .svg or .pdf", file, "--only", "a", "--output", "x.jpg")
        self.fail_with(2, "differ", file, "--only", "a", "--output", "x.png", "--format", "svg")

    def test_files_that_are_no_reports(self):
        self.fail_with(3, "cannot read nothing.json", "nothing.json")
        self.fail_with(3, "is not JSON", self.write("{"))
        for content in ([1], {"benchmarks": []}, {"program": 3}):
            self.fail_with(3, "is no report", self.write(content))
        self.fail_with(3, "complete event 0", self.write({"traceEvents": [{"ph": "X", "name": "read"}]}))
        self.fail_with(3, "no complete events", self.write({"traceEvents": []}))

    def test_a_report_without_plots_tells_how_to_get_some(self):
        self.fail_with(3, "run lhcb_velo with --json FILE", self.write(report(program="lhcb_velo", runs=[run_of(8)])))

    def test_each_fault_is_named_with_its_place(self):
        for words, series in (('unknown style \'bars\' (known: points, line', {"style": "bars"}),
                              ('needs the list "edges"', {"style": "steps", "y": [1]}),
                              ("series[0].edges: has 2 entries, 3 belong to 2 steps", {**STEPS, "y": [1, 2], "edges": [0, 1]}),
                              ("series[0].x: has 1 entries, 3 belong to y", {**LINE, "x": [1]}),
                              ("series[0].y[1]: 'a' is not a number", {**LINE, "y": [1, "a", 2]}),
                              ("series[0].error: has 1 entries", {**LINE, "error": [1]}),
                              ("neither a number, 0 or more, nor [below, above]", {**LINE, "error": [1, [1], 1]}),
                              ("series[0].names: has 1 entries", {**STYLES["points"], "names": ["one"]}),
                              ("series[0].x[0]: has 3 entries, 2 belong", {**STYLES["segments"], "x": [[0, 1, 2], [0, 1]]}),
                              ("series[0].color", {**LINE, "color": "red"})):
            with self.subTest(words):
                file = self.write(report(plot("good", panel(STEPS)), plot("bad", panel(STEPS), panel(series))))
                self.fail_with(3, words, file)
                self.fail_with(3, "plots[1].panels[1].series[0]", file)
        for words, wrong in (('needs a "name"', {"panels": [panel(STEPS)]}), ('needs "panels"', plot("a")),
                             ("columns", plot("a", panel(STEPS), columns=0)),
                             ("x.range", plot("a", panel(STEPS, x={"range": [1]}))),
                             ("no label of a series", plot("a", panel(STEPS, ratio={"of": "fitted", "to": "other"}))),
                             ("different x or edges", plot("a", panel(STEPS, LINE, ratio={"of": "fitted", "to": "normal"}))),
                             ("limit that is not above 0", plot("a", panel(STEPS, y={"log": True, "range": [0, 1]}))),
                             ("neither one of the axis' names", plot("a", panel(STYLES["spans"], y={"names": ["slot"]}))),
                             ("panels[0].text: 3 is not", plot("a", panel(STEPS, text=[3]))),
                             ("y.label: 3 is not a text", plot("a", panel(STEPS, y={"label": 3}))),
                             ('lattice[0]: has no "end"', plot("a", panel(LINE, lattice=[{"kind": "drift", "begin": 0}])))):
            with self.subTest(words):
                self.fail_with(3, words, self.write(report(wrong)))

    def test_matplotlib_is_missing(self):
        package = self.folder / "matplotlib"
        package.mkdir()
        (package / "__init__.py").write_text("raise ImportError('no matplotlib', name='matplotlib')")
        self.fail_with(1, "scripts/setup --with-plots", self.write(report(plot("a", panel(STEPS)))), PYTHONPATH=str(self.folder))


@draws
class Drawing(Case):
    def test_each_style(self):
        plots = [plot(style, panel(series), panel(series, title="again"), columns=2) for style, series in STYLES.items()]
        names = self.draw(self.write(report(*plots)))
        self.assertEqual(names, [f"kalman_fit_{style}.svg" for style in STYLES])
        for name in names:
            self.assertIn("Title of", (self.folder / name).read_text(), name)

    def test_features_of_panels(self):
        other = {**STEPS, "label": "generated", "y": [5, 8, 0]}
        crowded = {**STYLES["points"], "x": [1, 1, 1], "y": [1, 1, 1]}
        file = self.write(report(
            plot("ratio", panel(STEPS, other, ratio={"of": "fitted", "to": "generated"}, text=["mean 0", "rms 1"])),
            plot("lattice", panel({**LINE, "x": [0, 5, 11]}, lattice=LATTICE, title="sizes")),
            plot("equal", panel(STYLES["circles"], STYLES["polylines"], equal=True), panel(STYLES["segments"], equal=True),
                 columns=2),
            plot("log", panel({**STEPS, "y": [0, 1e6, 1]}, crowded, y={"label": "y", "log": True}, x={"log": True})),
            plot("names", panel(STYLES["points"], x={"names": ["a", "a long name", "c"]}, y={"range": [0, None]})),
            plot("empty", panel(), panel({"style": "dots", "x": [], "y": []}))))
        self.assertEqual(len(self.draw(file)), 6)
        lattice = (self.folder / "kalman_fit_lattice.svg").read_text()
        for word in ("quadrupole", "sextupole", "bend", "drift with space charge", "collimator", "cavity", "marker",
                     "other element"):
            self.assertIn(word, lattice)
        self.assertIn("rms 1", (self.folder / "kalman_fit_ratio.svg").read_text())

    def test_equal_reports_give_equal_bytes(self):
        file = self.write(report(plot("all", *(panel(series) for series in STYLES.values()), columns=3)))
        for kind in ("svg", "png", "pdf"):
            first, second = (self.folder / f"{name}.{kind}" for name in ("first", "second"))
            self.draw(file, "--output", first)
            self.draw(file, "--output", second)
            self.assertEqual(first.read_bytes(), second.read_bytes(), kind)

    def test_names_of_files(self):
        a, b = plot("a", panel(STEPS)), plot("b", panel(STEPS))
        files = [self.write(report(a, b), name) for name in ("one.json", "two.json")]
        self.assertEqual(self.draw(*files, "--output", "new", "--format", "png"),
                         [f"new/kalman_fit_{name}.png" for name in ("a", "b", "a_2", "b_2")])
        self.assertEqual(self.draw(files[0], "--only", "b", "--output", "x.pdf"), ["x.pdf"])
        self.assertTrue((self.folder / "x.pdf").read_bytes().startswith(b"%PDF"))

    def test_a_file_that_cannot_be_written(self):
        file = self.write(report(plot("a", panel(STEPS))))
        self.fail_with(1, "cannot write", file, "--output", file / "x.svg")

    def test_trace(self):
        self.assertEqual(self.draw(self.write(trace())), ["lhcb_velo_trace.svg"])
        text = (self.folder / "lhcb_velo_trace.svg").read_text()
        for word in ("the first 24 (23.9 of 29.9 ms)", "reader", ">23<"):
            self.assertIn(word, text)
        self.assertNotIn(">24<", text)
        self.draw(self.write(trace(batches=3)), "--output", "short.svg")
        self.assertNotIn("the first", (self.folder / "short.svg").read_text())


@draws
class SpeedUp(Case):
    def test_lanes(self):
        runs = [run_of(lanes, us=100. / lanes) for lanes in (8, 1, 4)]
        self.assertEqual(self.draw(self.write(report(runs=runs))), ["kalman_fit_speed_up.svg"])
        text = (self.folder / "kalman_fit_speed_up.svg").read_text()
        for word in ("lanes", "speed-up over 1 lane", "ideal", "serial, float, 1 thread"):
            self.assertIn(word, text)

    def test_threads_of_several_reports(self):
        files = [self.write(report(runs=[run_of(8, threads, "openmp", 100. / threads)]), f"{threads}.json") for threads in (1, 2)]
        self.draw(*files)
        self.assertIn("openmp, float, 8 lanes", (self.folder / "kalman_fit_speed_up.svg").read_text())

    def test_a_plot_of_that_name_counts(self):
        file = self.write(report(plot("speed_up", panel(STEPS)), runs=[run_of(1), run_of(8)]))
        self.assertEqual(self.draw(file), ["kalman_fit_speed_up.svg"])
        self.assertIn("Title of speed_up", (self.folder / "kalman_fit_speed_up.svg").read_text())


@draws
class Together(Case):
    def test_labels_tell_what_differs(self):
        one = plot("scan", panel({**LINE, "label": None, "dashed": False}, STYLES["circles"]), panel(STEPS))
        files = [self.write(report(one, backend=backend), f"{backend}.json") for backend in ("serial", "openmp")]
        self.assertEqual(self.draw(*files, "--together"), ["kalman_fit_scan.svg"])
        text = (self.folder / "kalman_fit_scan.svg").read_text()
        for word in (">serial<", ">openmp<", "fitted (serial)", "fitted (openmp)"):
            self.assertIn(word, text)

    def test_ratios_and_programs(self):
        both = plot("ratio", panel(STEPS, {**STEPS, "label": "other"}, ratio={"of": "fitted", "to": "other"}))
        files = [self.write(report(both, program=program), f"{program}.json") for program in ("coulomb", "beamline")]
        self.assertEqual(self.draw(*files, "--together"), ["coulomb_beamline_ratio.svg"])

    def test_panels_that_do_not_match(self):
        one = plot("scan", panel(STEPS))
        other = copy.deepcopy(one)
        other["panels"][0]["x"]["label"] = "r [cm]"
        self.fail_with(3, "cannot be drawn together", self.write(report(one), "1.json"), self.write(report(other), "2.json"),
                       "--together")


if __name__ == "__main__":
    unittest.main()
