# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench_tracking as a user would: python3 test_bench_tracking.py PROGRAM"""

import importlib.util
import subprocess
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
        report = self.report(*SMALL, "--backend", "serial", "--lanes", 8)
        self.assertEqual((report["program"], report["backend"], report["lanes"]), (NAME, "serial", 8))
        self.assertEqual(set(report["time_us"]), set(STEPS))
        self.assertEqual(report["results"]["seeds"], 100)
        self.assertEqual(set(report["results"]["hash"]), {"best_hit", "standard", "clone_engine"})
        self.check_times(report)

    def test_all_studies_give_the_same_tracks(self):
        hashes, studies = {}, set()
        for arguments in (("--backend", "serial", "--study", "all"),
                          ("--backend", "serial", "--study", "steps,sharing", "--lanes", "all"),
                          ("--backend", "all", "--study", "steps,sharing", "--threads", 2)):
            for run in self.report(*SMALL, *arguments)["runs"]:
                self.check_times(run)
                results = run["results"]
                studies.add(results["study"])
                self.assertLessEqual(results["hits_compatible"], results["hits_inside"])
                self.assertLessEqual(results["hits_inside"], results["hits_looked_at"])
                for strategy, found in results["hash"].items():
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
    def test_figures_of_reports(self):
        if importlib.util.find_spec("matplotlib") is None:
            self.skipTest("matplotlib is missing")
        files = []
        for arguments in (("--backend", "serial", "--lanes", "all"),
                          ("--backend", "openmp", "--lanes", 8, "--threads", 1),
                          ("--backend", "openmp", "--lanes", 8, "--threads", 2)):
            files.append(self.folder / f"report{len(files)}.json")
            result = self.run_program(*SMALL, *arguments, "--repeat", 1, "--json", files[-1])
            if "openmp is not built" in result.stderr:
                self.skipTest("OpenMP is not built")
            self.assertEqual(result.returncode, 0, result.stderr)
        subprocess.run([sys.executable, SOURCE / "scripts" / "plot", *files, "--output", self.folder, "--only", "speed_up"],
                       check=True, stdout=subprocess.DEVNULL)
        figure = (self.folder / f"{NAME}_speed_up.svg").read_text()
        for words in ("speed-up over 1 lane", "speed-up over 1 thread", "clone engine"):
            self.assertIn(words, figure)


if __name__ == "__main__":
    main()
