# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs coulomb on many ranks: python3 test_coulomb_ranks.py PROGRAM"""

import json
import re
import signal
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from ranks import RanksCase, main  # noqa: E402

# Several batches, of which some are not of the same size on all ranks.
FEW = ("--histories", 20011, "--batch", 1500)


class Case(RanksCase):
    REPORT_ARGUMENTS = ()  # one repetition is the default

    def setUp(self):
        super().setUp()
        self.file = self.folder / "checkpoint.json"

    def results_of(self, ranks, *arguments, threads=1):
        return self.report_of(ranks, *arguments, threads=threads)["results"]

    def held(self):
        """The number of histories that the checkpoint has, which all begin at 0."""
        if not self.file.exists():
            return 0
        ranges = json.loads(self.file.read_text())["counts"]["histories"]
        return ranges[0][1] if ranges else 0

    def check_resumed(self, ranks):
        """Going on with the checkpoint counts what a run counts that nothing has ended."""
        n = self.held()
        self.assertGreater(n, 0)
        n += 1000
        resumed = self.results_of(ranks, "--resume", self.file, "--histories", n)
        self.assertEqual(resumed["ranges"], [[0, n]])
        self.assertEqual(resumed, self.results_of(0, "--histories", n, threads=2))


class SameCounts(Case):
    def test_on_any_number_of_ranks_and_threads(self):
        expected = self.results_of(0, *FEW)
        for ranks in range(1, 6):
            for threads in (1, 2):
                with self.subTest(ranks=ranks, threads=threads):
                    report = self.report_of(ranks, *FEW, threads=threads)
                    self.assertEqual(report["results"], expected)
                    self.assertEqual((report["ranks"], report["rate"]["histories"]), (ranks, 20011))

    def test_on_all_backends_and_lanes_in_both_precisions(self):
        arguments = (*FEW, "--backend", "all", "--lanes", "all", "--precision", "all", "--repeat", 2)
        one, three = self.report_of(0, *arguments), self.report_of(3, *arguments)
        self.assertIs(three["same_bits"], True)
        self.assertEqual(three["results"], one["results"])
        self.assertEqual(len(three["runs"]), len(one["runs"]))

    def test_fewer_histories_than_ranks(self):
        self.assertEqual(self.results_of(5, "--histories", 3), self.results_of(0, "--histories", 3))

    def test_until_an_error_is_reached(self):
        goal = ("--relative-error", 4e-3)
        expected = self.results_of(0, *goal)
        self.assertEqual(expected["stopped_by"], "precision")
        self.assertEqual(self.results_of(3, *goal), expected)
        self.results_of(2, "--histories", 50001, "--checkpoint", self.file)
        self.assertEqual(self.results_of(5, *goal, "--resume", self.file), expected)

    def test_the_files_are_the_same(self):
        for ranks, folder in ((0, self.folder / "one"), (3, self.folder / "three")):
            folder.mkdir()
            self.results_of(ranks, *FEW, "--bins", 20, "--output", folder / "water", "--plane", folder / "plane.csv",
                            "--checkpoint", folder / "checkpoint.json")
        names = sorted(file.name for file in (self.folder / "one").iterdir())
        self.assertEqual(len(names), 5)
        self.assertEqual(sorted(file.name for file in (self.folder / "three").iterdir()), names)
        for name in names:
            one, three = (re.sub('"lane_steps": [0-9]+', "", (self.folder / folder / name).read_text())  # as batches end
                          for folder in ("one", "three"))
            self.assertEqual(three, one, name)


class Checkpoints(Case):
    def test_any_other_number_of_ranks_goes_on(self):
        expected = self.results_of(0, *FEW)
        for before, after in ((3, 2), (3, 0), (0, 3), (2, 5)):
            with self.subTest(before=before, after=after):
                self.results_of(before, "--histories", 7001, "--batch", 999, "--checkpoint", self.file)
                self.assertEqual(self.held(), 7001)
                self.assertEqual(self.results_of(after, *FEW, "--resume", self.file), expected)

    def test_parts_are_merged(self):
        parts = [self.folder / f"{i}.json" for i in range(2)]
        self.results_of(3, "--histories", 7001, "--checkpoint", parts[0])
        self.results_of(2, "--first-history", 7001, "--histories", 13010, "--checkpoint", parts[1])
        self.assertEqual(self.results_of(2, "--merge", *parts), self.results_of(0, *FEW))

    def test_bad_ones_are_refused_once(self):
        self.results_of(0, "--histories", 100, "--checkpoint", self.file)
        text = self.file.read_text()
        for words, content in (("truncated", text[:len(text) // 2]), ("checkpoint.json", text.replace("[", "{", 1)),
                               ("another simulation", text)):
            with self.subTest(words):
                self.file.write_text(content)
                self.fail_on(3, 3, words, "--resume", self.file, "--seed", 2)


class Ends(Case):
    """Of runs that would take for ever."""
    FOREVER = ("--histories", 10**15, "--batch", 5000)

    def start(self, ranks, every=0):
        running = self.start_on(ranks, *self.FOREVER, "--checkpoint", self.file, "--checkpoint-every", every, "--json",
                                self.folder / "end.json")
        self.wait_for(self.held)
        return running

    def test_a_killed_rank_ends_all(self):
        running = self.start(3)
        running.kill(1)
        result = running.wait(timeout=20)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, "(?i)rank 1 .*(signal|code:?) 9")
        self.assertEqual(list(self.folder.glob("end.json")), [])
        self.check_resumed(2)

    def test_a_signal_to_any_rank_ends_all_with_a_checkpoint(self):
        for rank, number in ((2, signal.SIGTERM), (0, signal.SIGINT)):
            with self.subTest(rank=rank):
                self.file.unlink(missing_ok=True)
                running = self.start(3)
                running.send_signal(number, rank)
                result = running.wait(timeout=20)
                self.assertEqual(result.returncode, 1)
                found = [line for line in result.stderr.splitlines() if line.startswith("coulomb: interrupted")]
                self.assertEqual(found, [f"coulomb: interrupted after {self.held()} histories; continue with --resume {self.file}"])
                results = json.loads((self.folder / "end.json").read_text())["results"]
                self.assertEqual((results["stopped_by"], results["ranges"]), ("interrupt", [[0, self.held()]]))
                self.assertEqual(self.held() % 15000, 0)
        self.check_resumed(5)

    def test_a_signal_to_the_launcher(self):
        running = self.start(2)
        running.send_signal(signal.SIGINT)
        self.assertNotEqual(running.wait(timeout=20).returncode, 0)
        self.check_resumed(3)


if __name__ == "__main__":
    main()
