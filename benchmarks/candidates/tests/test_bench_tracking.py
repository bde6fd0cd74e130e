# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench_tracking as a user would: python3 test_bench_tracking.py PROGRAM"""

import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(SOURCE / "tests" / "support"))
from program_case import NAME, ProgramCase, main  # noqa: E402

SMALL = ("--tracks", 100, "--max-tracks", 100)
STEPS = ("load", "binning", "seed_fit", "best_hit", "standard", "clone_engine", "start_states", "fit", "unload")


class Case(ProgramCase):
    def check_times(self, run):
        self.assertEqual(set(run["time_us"]), set(run["time_spread_us"]))
        for step, spread in run["time_spread_us"].items():
            values = (spread["min"], spread["lower_quartile"], run["time_us"][step], spread["upper_quartile"],
                      spread["max"])
            self.assertEqual(sorted(values), list(values), step)


class Information(Case):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Events:", "Tracking:", "Studies:", "How to run:", "Output:", "Examples:", "Exit status:", "--study"):
            self.assertIn(words, text)


class WrongUsage(Case):
    def test_each_has_status_2(self):
        for words, *arguments in (("--nonsense", "--nonsense"), ("--study", "--study", "weather"),
                                  ("--order", "--order", "size"), ("--tracks", "--tracks", 0),
                                  ("--lanes", "--backend", "serial", "--precision", "double", "--lanes", 1)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)


class Reports(Case):
    def test_one_run(self):
        report = self.report(*SMALL, "--backend", "serial", "--lanes", 1)
        self.assertEqual((report["program"], report["backend"], report["lanes"]), (NAME, "serial", 1))
        self.assertEqual(set(report["time_us"]), {*STEPS, "total"})
        self.assertEqual(report["results"]["seeds"], 100)
        self.assertEqual(set(report["results"]["hashes"]), {"best_hit", "standard", "clone_engine"})
        self.check_times(report)

    def test_all_studies_give_the_same_tracks(self):
        hashes, studies = {}, set()
        for arguments in (("--backend", "serial", "--study", "all"),
                          ("--backend", "serial", "--study", "steps,sharing", "--lanes", "all"),
                          ("--backend", "all", "--study", "steps,sharing", "--threads", "2,1")):
            for run in self.report(*SMALL, *arguments)["runs"]:
                self.check_times(run)
                results = run["results"]
                studies.add(results["study"])
                self.assertLessEqual(results["hits_compatible"], results["hits_inside"])
                self.assertLessEqual(results["hits_inside"], results["hits_looked_at"])
                for strategy, found in results["hashes"].items():
                    key = (results["tracks"], results["events"], strategy)
                    self.assertEqual(hashes.setdefault(key, found), found, key)
        self.assertEqual(studies, {"steps", "sharing", "tracks", "events", "bins", "order"})

    def test_double(self):
        report = self.report(*SMALL, "--backend", "serial", "--precision", "double")
        self.assertEqual(report["precision"], "double")
        self.check_times(report)

    def test_quiet_prints_nothing(self):
        result = self.succeed(*SMALL, "--quiet", "--backend", "serial", "--repeat", 1)
        self.assertEqual((result.stdout, result.stderr), ("", ""))


class Plots(Case):
    def test_the_studies_of_events(self):
        plots = self.report(*SMALL, "--backend", "serial", "--study", "tracks,events")["plots"]
        self.assertEqual([plot["name"] for plot in plots], ["time_over_tracks", "time_over_events"])
        for plot in plots:
            for series in plot["panels"][0]["series"]:
                self.assertEqual(len(series["x"]), len(series["y"]))
                self.assertGreater(min(series["y"]), 0)


if __name__ == "__main__":
    main()
