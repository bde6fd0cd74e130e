# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cylinder_tracker on many ranks: python3 test_cylinder_tracker_ranks.py PROGRAM"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
from farm_case import FarmCase  # noqa: E402
from program_case import ONE_LANE, main  # noqa: E402


class RanksTest(FarmCase):
    EVENTS = ("--generate", 8, "--tracks", 100, "--batch", 1)

    def test_the_results_do_not_depend_on_ranks(self):
        self.check_any_number_of_ranks()

    def test_nor_do_those_of_several_strategies(self):
        self.EVENTS, self.SETTINGS = (*self.EVENTS, "--strategy", "all", "--seeds", "triplets"), ((2, 1), (3, 2))
        self.check_any_number_of_ranks()

    def test_a_journal_is_resumed(self):
        self.check_resumed(2, 3, 0.5)

    def test_a_run_that_loses_a_rank_is_resumed(self):
        self.check_killed(("--generate", 100, "--tracks", 300, "--batch", 1, *ONE_LANE), 3, 1, journal_size=1_000_000)

    def test_a_journal_is_of_one_strategy(self):
        for ranks in (0, 2):
            self.refused(ranks, 2, "--journal: is for one", *self.EVENTS, "--strategy", "all", "--journal",
                         self.folder / "journal")


if __name__ == "__main__":
    main()
