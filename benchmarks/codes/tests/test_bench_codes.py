# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench_codes as a user would: python3 test_bench_codes.py PROGRAM"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
from program_case import NAME, ProgramCase, main  # noqa: E402

SMALL = ("--particles", 5003, "--repeat", 1)
OBSERVABLES = {"fodo_chromatic": {"sigma_x", "sigma_y", "emit_x", "emit_y"}, "fodo_exact": {"sigma_x", "sigma_y"},
               "htu": {"sigma_x", "sigma_y", "emit_x", "emit_y"},
               "htu_spin": {"sigma_sx", "sigma_sy", "sigma_sz", "mean_sz"},
               "spacecharge": {"sigma_x", "sigma_y", "sigma_t", "emit_x", "emit_y"},
               "spacecharge_2p5d": {"sigma_x", "sigma_y", "sigma_t", "emit_x", "emit_y"}}
# Of the particles of all scenarios: the same with every backend, number of threads and lane width, and on every machine.
GOLDEN = {"double": "53a7154c160882ae", "float": "5a37c47b0e48f39d"}


class Case(ProgramCase):
    REPORT_ARGUMENTS = ()


class Information(Case):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Work:", "How to run:", "Output:", "Examples:", "Exit status:", "--scenario", *OBSERVABLES):
            self.assertIn(words, text)


class WrongUsage(Case):
    def test_each_has_status_2(self):
        for words, *arguments in (("--nonsense", "--nonsense"), ("--scenario", "--scenario", "weather"),
                                  ("--particles", "--particles", 0)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)


class Reports(Case):
    def test_all_scenarios_are_correct_on_every_backend(self):
        for precision, golden in GOLDEN.items():
            report = self.report(*SMALL, "--backend", "all", "--precision", precision)
            self.assertEqual(report["program"], NAME)
            self.assertEqual(set(report["results"]) - {"hash"}, set(OBSERVABLES))
            for scenario, names in OBSERVABLES.items():
                results = report["results"][scenario]
                self.assertEqual(set(results), {*names, "lost", "verdict"})
                self.assertEqual((results["lost"], results["verdict"]), (0, "correct"), scenario)
            for run in report["runs"]:
                self.assertEqual(run["hash"], golden, run)
                self.assertEqual(set(run["time_us"]) - {"total"}, set(OBSERVABLES))

    def test_one_scenario(self):
        report = self.report(*SMALL, "--backend", "serial", "--scenario", "htu")
        self.assertEqual(set(report["results"]), {"htu", "hash"})
        self.assertEqual(set(report["time_us"]), {"htu"})


if __name__ == "__main__":
    main()
