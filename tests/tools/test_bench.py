# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/bench with programs that only write what the environment tells them."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench"
sys.path.insert(0, str(SCRIPT.parent / "lib"))
from benchmarks import BenchError, measure, scaling  # noqa: E402
from plots.schema import check_plot  # noqa: E402

# Writes $CONTENT to the file after the option that the help names, and notes its arguments.
PROGRAM = f"""#!{sys.executable}
import os, sys
from pathlib import Path
here, option = Path(__file__), "OPTION"
if "--help" in sys.argv:
    sys.exit(print(option))
Path(here.parent, here.name + ".arguments").write_text(" ".join(sys.argv[1:]))
if "--fail" in sys.argv:
    sys.exit("it failed")
words = " ".join(sys.argv[1:]).replace("=", " ").split()
Path(words[words.index(option) + 1]).write_text(os.environ["CONTENT"])
"""


def run_of(lanes=1, backend="serial", threads=1, times=None, found="aa", **more):
    times = times or {"fit": 100., "total": 200.}
    spread = {step: {"min": 0.9 * us, "lower_quartile": 0.98 * us, "upper_quartile": 1.02 * us, "max": 1.5 * us}
              for step, us in times.items()}
    return {"backend": backend, "precision": "float", "lanes": lanes, "threads": threads, "time_us": times,
            "time_spread_us": spread, "hash": found, "results": {"hash": found}, **more}


def report(*runs, **more):
    return {"schema": "trackplex-report", "schema_version": 1, "program": "kalman_fit", "git": "abc123", "host": "here",
            "cpu": "Fast 1", "compiler": "GCC 12", "load": 0.1, "date": "2026-01-02T03:04:05Z", "input": {"tracks": 10},
            "runs": list(runs), **more}


def google(times):
    """Of each name its repetitions in ns."""
    entries = [{"name": name, "run_name": name, "run_type": "iteration", "real_time": ns, "time_unit": "ns"}
               for name, values in times.items() for ns in values]
    entries.append({"name": "x_mean", "run_name": "x", "run_type": "aggregate", "real_time": 1., "time_unit": "ns"})
    return {"context": {"host_name": "there", "load_avg": [0.2], "compiler": "clang", "threads": "2"}, "benchmarks": entries}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, option="--json", name="program"):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PROGRAM.replace("OPTION", option))
        file.chmod(0o755)
        return file

    def bench(self, *arguments, content=None):
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "CONTENT": content if isinstance(content, str) else json.dumps(content)})

    def expect(self, status, words, *arguments, content=None):
        result = self.bench(*arguments, content=content)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, result.stdout + result.stderr)
        return result

    def measured(self, content, file="history.jsonl", *options):
        """Appends the records of a report to the file."""
        program = self.program("--benchmark_out" if "benchmarks" in content else "--json")
        self.expect(0, "records to", "run", "--busy", "--output", file, *options, "--", program, "--tracks", 10, content=content)
        return [json.loads(line) for line in (self.folder / file).read_text().splitlines()]


class Run(Case):
    def test_a_line_for_each_step_of_each_run(self):
        found = self.measured(report(run_of(), run_of(8, times={"fit": 25., "total": 50., "skipped": 0.})))
        self.assertEqual([(one["work"], one["lanes"], one["median"]) for one in found],
                         [("fit", 1, 100.), ("total", 1, 200.), ("fit", 8, 25.), ("total", 8, 50.)])
        one = found[0]
        self.assertEqual((one["schema"], one["schema_version"], one["unit"]), ("trackplex-benchmark", 1, "us"))
        self.assertEqual((one["git"], one["host"], one["cpu"], one["compiler"]), ("abc123", "here", "Fast 1", "GCC 12"))
        self.assertEqual((one["load"], one["date"], one["hash"], one["label"]), (0.1, "2026-01-02T03:04:05Z", "aa", None))
        self.assertEqual((one["lower_quartile"], one["upper_quartile"], one["max"]), (98., 102., 150.))
        self.assertEqual(one["command"], ["program", "--tracks", "10"])

    def test_records_are_appended_with_label_and_repetitions(self):
        self.measured(report(run_of()))
        found = self.measured(report(run_of()), "history.jsonl", "--label", "after", "--repeat", "7")
        self.assertEqual([(one["label"], one["n"]) for one in found], [(None, None)] * 2 + [("after", 7)] * 2)
        self.assertIn("--tracks 10 --repeat 7 --json", (self.folder / "program.arguments").read_text())

    def test_runs_of_several_works(self):
        runs = (run_of(work="small"), run_of(work="large"), run_of(), run_of(), run_of(results={"study": "bins", "case": "2"}))
        found = self.measured(report(*runs))
        self.assertEqual([one["work"] for one in found[::2]], ["small: fit", "large: fit", "fit", "#2: fit", "bins, 2: fit"])

    def test_google_benchmark(self):
        found = self.measured(google({"kalman/Serial/float/lanes:8/fit/real_time": [1000., 3000., 2000.],
                                      "beam/OpenMP/track": [5000.]}))
        one, other = found
        self.assertEqual([one[key] for key in ("work", "backend", "precision", "lanes", "threads")],
                         ["kalman/fit", "serial", "float", 8, 1])
        self.assertEqual((one["median"], one["lower_quartile"], one["max"], one["n"]), (2., 1.5, 3., 3))
        self.assertEqual((other["work"], other["backend"], other["threads"], other["hash"]), ("beam/track", "openmp", 2, None))
        self.assertEqual((one["host"], one["compiler"], one["load"], one["program"]), ("there", "clang", 0.2, "program"))
        self.assertTrue(one["cpu"])
        self.assertIn("--benchmark_repetitions=5", (self.folder / "program.arguments").read_text())
        self.assertEqual(measure.parts_of("a/Cuda/double/lanes:4/threads:2/b/process_time", {}),
                         {"work": "a/b", "backend": "cuda", "precision": "double", "lanes": 4, "threads": 2})

    def test_all_of_a_build_folder(self):
        for name in ("bench_b", "bench_a", "other"):
            self.program(name=f"build/bin/{name}")
        self.expect(0, ("bench_a: 2 records", "bench_b: 2 records"), "run", "--busy", "--all", "--build", "build",
                    content=report(run_of()))
        self.assertFalse((self.folder / "build/bin/other.arguments").exists())
        self.program("--nothing", "build/bin/bench_a")
        self.expect(1, ("bench_a is no benchmark", "bench_b: 2"), "run", "--busy", "--all", "--build", "build",
                    content=report(run_of()))

    def test_a_busy_machine(self):
        with mock.patch("os.getloadavg", return_value=(100., 0., 0.)), mock.patch("os.cpu_count", return_value=4):
            with self.assertRaisesRegex(BenchError, "load is 100.0 on 4 cores.*--busy"):
                measure.check_load(busy=False)
            self.assertIn("load is 100.0", measure.check_load(busy=True))
        with mock.patch("os.getloadavg", return_value=(1.9, 0., 0.)), mock.patch("os.cpu_count", return_value=4):
            self.assertIsNone(measure.check_load(busy=False))

    def test_errors(self):
        program = self.program()
        run = ("run", "--busy", "--")
        self.expect(2, "either --all", "run", "--busy")
        self.expect(2, "either --all", "run", "--busy", "--all", "--", program)
        self.expect(2, "no bin/bench_*", "run", "--busy", "--all", "--build", "nothing")
        self.expect(2, "cannot run nothing", *run, "nothing")
        self.expect(2, "is no benchmark", *run, self.program("--nothing", "other"))
        self.expect(2, "leave --json out", *run, program, "--json", "x.json")
        self.expect(2, "not 1 or more", "run", "--repeat", 0, "--", program)
        self.expect(1, ("failed with status 1", "it failed"), *run, program, "--fail")
        self.expect(1, "no times that can be read", *run, program, content="{")
        self.expect(1, "measured nothing", *run, program, content=report())
        self.expect(1, "cannot write", "run", "--busy", "--output", "no/x.jsonl", "--", program, content=report(run_of()))
        self.assertFalse((self.folder / "benchmarks.jsonl").exists())


# Runs a program, whose report then tells that it ran on so many ranks, and so many times as fast.
LAUNCHER = f"""#!{sys.executable}
import json, os, sys
content = json.loads(os.environ["CONTENT"])
content["ranks"] = int(sys.argv[1])
for run in content["runs"]:
    run["time_us"]["total"] /= content["ranks"]
    run["hash"] += "other" * ("--differ" in sys.argv)
os.environ["CONTENT"] = json.dumps(content)
os.execv(sys.argv[2], sys.argv[2:])
"""


class Ranks(Case):
    def ranks(self, status, words, *arguments, content=None, launcher=None):
        file = self.folder / "launcher"
        file.write_text(LAUNCHER)
        file.chmod(0o755)
        return self.expect(status, words, "ranks", "--busy", "--rounds", 3, "--launcher", launcher or f"{file} {{ranks}}", *arguments,
                           content=content or report(run_of(), ranks=1))

    def test_a_table_of_what_ranks_gain(self):
        result = self.ranks(0, "", "--ranks", "1,4", "--json", "ranks.json", "--", self.program(), "--tracks", 10)
        self.assertEqual(result.stdout.splitlines()[2:],
                         ["| no launcher | 200 us (200 us to 200 us) | 1.00 (1.00 to 1.00) | 100 % |",
                          "| 1 | 200 us (200 us to 200 us) | 1.00 (1.00 to 1.00) | 100 % |",
                          "| 4 | 50 us (50 us to 50 us) | 4.00 (4.00 to 4.00) | 100 % |"])
        found = json.loads((self.folder / "ranks.json").read_text())
        self.assertEqual([row["ranks"] for row in found["ranks"]], [0, 1, 4])
        self.assertEqual(found["ranks"][2]["time_us"], {"median": 50., "lower_quartile": 50., "upper_quartile": 50., "all": [50.] * 3})
        self.assertEqual((found["rounds"], found["same_bits"], found["command"]), (3, True, ["program", "--tracks", "10"]))

    def test_quartiles(self):
        self.assertEqual(scaling.quartiles([1., 5., 2., 4., 3.]), {"median": 3., "lower_quartile": 2., "upper_quartile": 4.})
        self.assertEqual(scaling.quartiles([7.]), {"median": 7., "lower_quartile": 7., "upper_quartile": 7.})

    def test_other_results(self):
        self.ranks(1, "the runs have different results", "--", self.program(), "--differ")

    def test_errors(self):
        program = self.program()
        self.ranks(2, "give a program")
        self.ranks(2, "not 1 or more", "--ranks", "0", "--", program)
        self.ranks(2, "leave --json out", "--", program, "--json", "x.json")
        self.ranks(1, ("failed with status 1", "it failed"), "--", program, "--fail")
        self.ranks(1, "on 1 ranks instead of 2", "--ranks", "2", "--", program, launcher="env NUMBER={ranks}")
        self.ranks(1, "no report that can be read", "--", program, content="{")
        self.ranks(1, "no time in total", "--", program, content=report(run_of(times={"fit": 1.}), ranks=1))
        self.ranks(1, "cannot write", "--json", "no/x.json", "--", program)


# A program whose report has numbers that depend on its options and, with --drift, on the round.
SCANNED = f"""#!{sys.executable}
import json, sys
from pathlib import Path
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
if "--slots" not in options:
    sys.exit("no slots")
runs = Path(__file__).with_suffix(".runs")
runs.write_text(runs.read_text() + "x" if runs.exists() else "x")
events = float(options["--slots"]) * (2. if options["--backend"] == "openmp" else 1.)
drift = len(runs.read_text()) if options.get("--drift") == "yes" else 0.
found = dict(efficiency=0.1 * events, efficiency_error=0.01, none=None, text="many")
Path(options["--json"]).write_text(json.dumps(dict(program="scanned", rate=dict(events_per_s=events + drift), results=found)))
"""


class Scan(Case):
    OVER = ("--over", "backend=serial,openmp", "--over", "slots=1,2,10")

    def setUp(self):
        super().setUp()
        self.scanned = self.folder / "scanned"
        self.scanned.write_text(SCANNED)
        self.scanned.chmod(0o755)

    def scan(self, status, words, *arguments, options=()):
        return self.expect(status, words, "scan", "--busy", *arguments, "--json", "scan.json", "--", self.scanned, *options)

    def found(self):
        return json.loads((self.folder / "scan.json").read_text())

    def test_a_table_and_a_plot_of_all_combinations(self):
        result = self.scan(0, "", *self.OVER, "--value", "rate/events_per_s", "--value", "found=results/efficiency",
                           "--value", "none=results/none")
        self.assertEqual(result.stdout.splitlines(),
                         ["| backend | slots | rate/events_per_s | found | none |", "|---|---|---|---|---|",
                          "| serial | 1 | 1 | 0.1 (0.09 to 0.11) | - |", "| serial | 2 | 2 | 0.2 (0.19 to 0.21) | - |",
                          "| serial | 10 | 10 | 1 (0.99 to 1.01) | - |", "| openmp | 1 | 2 | 0.2 (0.19 to 0.21) | - |",
                          "| openmp | 2 | 4 | 0.4 (0.39 to 0.41) | - |", "| openmp | 10 | 20 | 2 (1.99 to 2.01) | - |"])
        (plot,) = self.found()["plots"]
        check_plot(plot, "plot")
        self.assertEqual([panel["title"] for panel in plot["panels"]], ["rate/events_per_s", "found", "none"])
        self.assertEqual(plot["panels"][0]["x"], {"label": "slots", "log": True})
        self.assertEqual([(line["label"], line["x"], line["y"]) for line in plot["panels"][0]["series"]],
                         [("backend serial", [1, 2, 10], [1, 2, 10]), ("backend openmp", [1, 2, 10], [2, 4, 20])])
        self.assertEqual([line["y"] for line in plot["panels"][2]["series"]], [[], []])

    def test_medians_and_quartiles_of_rounds(self):
        self.scan(0, "| serial | 1 | 6 (4 to 8) |", "--over", "backend=serial", "--over", "slots=1,2", "--value", "rate/events_per_s",
                  "--rounds", 5, options=("--drift", "yes"))
        self.assertEqual([point["values"]["rate/events_per_s"]["median"] for point in self.found()["points"]], [6, 8])
        self.assertEqual(self.found()["command"], ["scanned", "--drift", "yes"])

    def test_numbers_beside_them(self):
        file = self.folder / "paper.csv"
        file.write_text("# a comment\nslots,backend,found,year\n2,openmp,0.45,1999\n3,openmp,0.5,1999\n")
        arguments = (*self.OVER, "--value", "found=results/efficiency", "--beside", "paper.csv")
        self.scan(0, ("| openmp | 2 | 0.4 (0.39 to 0.41) | 0.45 |", "| serial | 2 | 0.2 (0.19 to 0.21) |  |"), *arguments)
        *_, points = self.found()["plots"][0]["panels"][0]["series"]
        self.assertEqual(points, {"label": "", "style": "points", "color": 1, "x": [2], "y": [0.45], "open": [True]})
        file.write_text("slots,found\n2,0.45\n")
        self.scan(3, "has no table of numbers with the columns backend, slots, found", *arguments)
        file.unlink()
        self.scan(3, "cannot read paper.csv", *arguments)

    def test_words_have_no_axis(self):
        self.scan(0, "| openmp | 2 |", "--over", "backend=serial,openmp", "--value", "rate/events_per_s", options=("--slots", "1"))
        self.assertEqual(self.found()["plots"], [])

    def test_errors(self):
        value = ("--value", "rate/events_per_s")
        self.scan(2, "give NAME=VALUE", "--over", "slots", *value)
        self.scan(2, "--value", *self.OVER)
        self.scan(3, "the report has no rate/nothing (there: events_per_s)", *self.OVER, "--value", "rate/nothing")
        self.scan(3, "the report has no rate/events_per_s/x", *self.OVER, "--value", "rate/events_per_s/x")
        self.scan(3, "results/text is not a number", *self.OVER, "--value", "results/text")
        self.scan(1, ("failed with status 1", "no slots"), "--over", "backend=serial", *value)
        self.expect(2, "give a program", "scan", "--busy", *self.OVER, *value)


class Compare(Case):
    def history(self, file, label=None, git="abc123", found="aa", cpu="Fast 1", **times):
        options = ("--label", label) if label else ()
        self.measured(report(run_of(times=times, found=found), git=git, cpu=cpu), file, *options)

    def test_verdicts(self):
        self.history("old.jsonl", a=100., b=100., c=100., d=100., gone=1.)
        self.history("new.jsonl", a=110., b=90., c=102., d=103.5, new=1.)
        result = self.expect(1, "1 faster, 1 slower, 2 same, 1 only in old, 1 only in new", "compare", "old.jsonl", "new.jsonl")
        verdicts = {line.split()[1]: line.split("%  ")[1] for line in result.stdout.splitlines() if line.startswith("kalman_fit")}
        self.assertEqual(verdicts, {"a": "slower", "b": "faster", "c": "same", "d": "same"})
        self.expect(0, "0 slower", "compare", "old.jsonl", "new.jsonl", "--threshold", 20)
        self.expect(0, "5 same", "compare", "old.jsonl", "old.jsonl", "--threshold", 0)

    def test_revisions_labels_and_the_last_time(self):
        self.history("h.jsonl", "before", "abc123", a=500.)
        self.history("h.jsonl", "before", "abc123", a=100.)
        self.history("h.jsonl", "after", "def456", a=50.)
        self.expect(0, ("0.500", "1 faster"), "compare", "h.jsonl@before", "h.jsonl@after")
        self.expect(1, "1 slower", "compare", "h.jsonl@def", "h.jsonl@abc123")
        self.expect(0, "1 same", "compare", "h.jsonl@after", "h.jsonl")
        self.expect(3, "(there are: abc123, before, def456, after)", "compare", "h.jsonl@x", "h.jsonl")

    def test_other_results_and_machines(self):
        self.history("old.jsonl", a=100.)
        self.history("new.jsonl", a=100., found="bb", cpu="Slow 2")
        self.expect(1, ("same, other results", "1 with other results", "other cpu: Fast 1 and Slow 2"), "compare", "old.jsonl",
                    "new.jsonl")

    def test_other_input_does_not_compare(self):
        self.measured(report(run_of()), "old.jsonl")
        self.measured(report(run_of(), input={"tracks": 20}), "new.jsonl")
        self.expect(3, "nothing was measured in both", "compare", "old.jsonl", "new.jsonl")

    def test_bad_files(self):
        self.history("good.jsonl", a=1.)
        line = json.loads((self.folder / "good.jsonl").read_text())
        for words, text in (("is not JSON", "{"), ("no record of scripts/bench", "{}"), ("has no records", ""),
                            ("has version 2", json.dumps({**line, "schema_version": 2})),
                            ("has no host", json.dumps({key: value for key, value in line.items() if key != "host"})),
                            ("not numbers above 0", json.dumps({**line, "median": 0}))):
            with self.subTest(words):
                (self.folder / "bad.jsonl").write_text(text)
                self.expect(3, words, "compare", "good.jsonl", "bad.jsonl")
                self.expect(3, words, "report", "bad.jsonl")
        self.expect(3, "cannot read", "compare", "good.jsonl", "nothing.jsonl")
        self.expect(2, "NEW", "compare", "good.jsonl")
        self.expect(2, "not 0 or more", "compare", "good.jsonl", "good.jsonl", "--threshold", -1)


class Report(Case):
    def test_tables(self):
        self.measured(report(run_of(), run_of(8, times={"fit": 25., "total": 1e6}), run_of(8, "openmp", 2, found="bb")))
        self.measured(google({"kalman/Serial/float": [1000.]}))
        self.expect(0, "", "report", "history.jsonl", "--output", "bench.md")
        text = (self.folder / "bench.md").read_text()
        self.assertIn("## there, revision ", text)
        for line in ("## here, revision abc123", "Fast 1; GCC 12; 2026-01-02T03:04:05Z; load up to 0.1", "### kalman_fit",
                     "`program --tracks 10`",
                     "| fit | serial | float | 1 | 1 | 100 us | 4.0 % | 1.00 | yes |",
                     "| fit | serial | float | 8 | 1 | 25 us | 4.0 % | 4.00 | yes |",
                     "| fit | openmp | float | 8 | 2 | 100 us | 4.0 % | 1.00 | **no** |",
                     "| total | serial | float | 8 | 1 | 1 s | 4.0 % | 0.00 | yes |",
                     "| kalman | serial | float |  | 1 | 1 us | 0.0 % |  |  |"):
            self.assertIn(line + "\n", text)

    def test_the_last_time_counts(self):
        self.measured(report(run_of(times={"fit": 1.})))
        self.measured(report(run_of(times={"fit": 2.})))
        result = self.expect(0, "| 2 us |", "report", "history.jsonl")
        self.assertNotIn("| 1 us |", result.stdout)

    def test_a_file_that_cannot_be_written(self):
        self.measured(report(run_of()))
        self.expect(1, "cannot write", "report", "history.jsonl", "--output", "no/bench.md")


if __name__ == "__main__":
    unittest.main()
