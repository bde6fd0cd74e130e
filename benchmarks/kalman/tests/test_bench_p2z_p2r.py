# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench_p2z or bench_p2r as a user would: python3 test_bench_p2z_p2r.py PROGRAM"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
from program_case import NAME, ProgramCase, main  # noqa: E402

# Hashes of the states of 2 x 101 generated tracks, by program, precision and form: the same with every
# backend, number of threads, lane width and layout, and on every machine. What changes them says so.
GOLDEN = {
    ("bench_p2z", "float"): "3ce621caa04c76cd",
    ("bench_p2z", "double"): "b6625b0a992c398b",
    ("bench_p2r", "float"): "99b2bb48b745b854",
    ("bench_p2r", "double"): "3f6b14c92ae0f974",
    ("bench_p2r", "float", "--published"): "b09b958f751078fd",
    ("bench_p2r", "double", "--published"): "7731d787d2eb3b5d",
}
SMALL = ("--generate-sample", "--tracks", 101, "--events", 2, "--repeat", 1)


class Case(ProgramCase):
    REPORT_ARGUMENTS = ()


class Information(Case):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Tracks:", "Kernel:", "How to run:", "Output:", "Examples:", "Exit status:", "--layout", "--threads"):
            self.assertIn(words, text)


class WrongUsage(Case):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--nonsense", "--nonsense"),
                ("--layout", "--layout", "rows"),
                ("--layers", *SMALL, "--layers", 0),
                ("--smear", *SMALL, "--smear", -1),
                ("--events", "--generate-sample", "--tracks", 100000, "--events", 100000),
                ("--generate-sample", "--generate-sample", "--input", self.folder)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)


class BadInput(Case):
    def write(self, text):
        (self.folder / f"{NAME.removeprefix('bench_')}_input.csv").write_text(text)

    def test_each_has_status_3(self):
        track = "track," + ",".join(["1"] * 28) + "\n"
        hit = "hit00," + ",".join(["1"] * 9) + "\n"
        for words, text in (("cannot be opened", None), ("missing", ""), ("missing", track), ("missing", hit),
                            ("not a number", track + hit.replace("1", "one", 1)),
                            ("8 numbers instead of 9", track + hit.replace(",1", "", 1)),
                            ("neither", "trick\n" + track + hit)):
            with self.subTest(words):
                if text is not None:
                    self.write(text)
                self.fail_with(3, words, "--input", self.folder, "--tracks", 1, "--events", 1)

    def test_more_layers_than_hits(self):
        self.write("track," + ",".join(["1"] * 28) + "\nhit00," + ",".join(["1"] * 9) + "\n")
        self.fail_with(2, "the sample has 1 hits", "--input", self.folder, "--tracks", 1, "--events", 1)


class Reports(Case):
    def check_times(self, run):
        self.assertEqual(set(run["time_us"]), {"total"})
        spread = run["time_spread_us"]["total"]
        self.assertLessEqual(spread["min"], run["time_us"]["total"])
        self.assertLessEqual(run["time_us"]["total"], spread["max"])
        self.assertAlmostEqual(run["rate"]["tracks_per_s"] * run["time_us"]["total"] / 1e6, 1, places=6)

    def test_one_run(self):
        report = self.report(*SMALL, "--backend", "serial", "--lanes", 1, "--precision", "double", "--layout", "soa")
        self.assertEqual((report["program"], report["backend"], report["lanes"], report["precision"]),
                         (NAME, "serial", 1, "double"))
        self.assertEqual(report["input"]["kind"], "generated")
        self.assertEqual(report["runs"][0]["work"], "soa")
        self.check_times(report)
        results = report["results"]
        self.assertEqual((results["tracks"], results["not_finite"], results["failed"]), (202, 0, 0))
        for key in ("x", "y", "z", "pt", "phi", "theta"):
            self.assertIn(key, results["average"])
            self.assertGreaterEqual(results["std"][key], 0)

    def test_same_bits_and_golden_hash(self):
        forms = ((), ("--published",)) if NAME == "bench_p2r" else ((),)
        for form in forms:
            report = self.report(*SMALL, "--backend", "all", "--lanes", "all", "--layout", "all", "--precision", "all",
                                 "--threads", "1,2", *form)
            self.assertGreaterEqual(len(report["runs"]), 30)
            self.assertIs(report["same_bits"], True)
            self.assertEqual({run["work"] for run in report["runs"]}, {"aos", "soa", "tiles"})
            self.assertEqual({run["threads"] for run in report["runs"] if run["backend"] == "openmp"}, {1, 2})
            for precision in ("float", "double"):
                runs = [run for run in report["runs"] if run["precision"] == precision]
                with self.subTest((precision, *form)):
                    self.assertEqual({run["hash"] for run in runs}, {GOLDEN[NAME, precision, *form]})
                for run in runs:
                    self.check_times(run)

    def test_quiet_prints_nothing(self):
        result = self.succeed(*SMALL, "--quiet", "--backend", "serial")
        self.assertEqual((result.stdout, result.stderr), ("", ""))


if __name__ == "__main__":
    main()
