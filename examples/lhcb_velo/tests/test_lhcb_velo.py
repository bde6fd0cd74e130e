# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lhcb_velo as a user would: python3 test_lhcb_velo.py PROGRAM"""

import csv
import json
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
from program_case import ProgramCase, main  # noqa: E402

CATEGORIES = ("velo", "long", "long>5GeV", "long_strange", "long_strange>5GeV", "long_fromb", "long_fromb>5GeV")
FRACTIONS = ("efficiency", "clone_rate", "purity", "hit_efficiency")
STEPS = {"load", "sort", "search", "fit", "copy_back", "total"}


class Case(ProgramCase):
    def one_track(self, name="event.json", **changes):
        """Writes an event with one straight track and no truth: hits in the even modules 10, 12 and 14."""
        event = {"description": "test", "module_prefix_sum": [0] * 11 + [1, 1, 2, 2] + [3] * 38,
                 "x": [-8.0, -10.0, -12.0], "y": [4.0, 5.0, 6.0], "z": [-62.5, -37.5, -12.5]} | changes
        file = self.folder / name
        file.write_text(json.dumps(event))
        return file


class Information(Case):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Events:", "Tracking:", "How to run:", "Output:", "Examples:", "Exit status:", "--display-event",
                      "--backend"):
            self.assertIn(words, text)

    def test_version_names_the_backends(self):
        self.assertRegex(self.succeed("--version").stdout, r"^lhcb_velo \(Trackplex \S+, revision \S+, Kokkos .*serial")


class WrongUsage(Case):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--input", ),
                ("--nonsense", "--nonsense"),
                ("--backend", "--generate", 1, "--backend", "abacus"),
                ("--lanes", "--generate", 1, "--lanes", 3),
                ("--constants", "--generate", 1, "--constants", 2021),
                ("--repeat", "--generate", 1, "--repeat", 0),
                ("--tracks", "--generate", 1, "--tracks", "tracks.txt"),
                ("--generate", "--generate", 1, "--input", "a.json"),
                ("--display-event", "--generate", 1, "--display", "a.svg", "--display-event", 1),
                ("--seed", "--generate", 1, "--seed", -1),
                ("--events", "--generate", 1, "--events", 0)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)

    def test_a_backend_that_is_not_built(self):
        built = self.succeed("--version").stdout
        for backend in ("cuda", "hip", "openmp"):
            if backend not in built:
                result = self.fail_with(2, "not built", "--generate", 1, "--backend", backend)
                self.assertIn("serial", result.stderr)


class BadInput(Case):
    def test_no_such_file(self):
        self.fail_with(3, "nowhere.json", "--input", self.folder / "nowhere.json")

    def test_a_folder_without_events(self):
        self.fail_with(3, str(self.folder), "--input", self.folder)

    def test_a_truncated_file(self):
        file = self.one_track()
        file.write_text(file.read_text()[:-20])
        self.fail_with(3, "event.json", "--input", file)

    def test_wrong_prefix_sums(self):
        self.fail_with(3, "module_prefix_sum", "--input", self.one_track(module_prefix_sum=[1] * 53))

    def test_nothing_is_written_for_coordinates_of_different_lengths(self):
        report = self.folder / "report.json"
        self.fail_with(3, "y", "--input", self.one_track(y=[4.0]), "--json", report)
        self.assertFalse(report.exists())


class Reports(Case):
    def check_outcome(self, outcome):
        self.assertEqual(set(outcome["time_us"]), STEPS)
        self.assertEqual(set(outcome["time_spread_us"]), STEPS)
        for step, median in outcome["time_us"].items():
            spread = outcome["time_spread_us"][step]
            self.assertLessEqual(spread["min"], median)
            self.assertLessEqual(median, spread["max"])
        self.assertAlmostEqual(outcome["rate"]["events_per_s"] * outcome["time_us"]["total"], 1e6, delta=1)
        self.assertIn(outcome["precision"], ("float", "double"))
        self.assertGreaterEqual(outcome["threads"], 1)

    def check_results(self, results):
        self.assertEqual(set(results["categories"]), set(CATEGORIES))
        self.assertAlmostEqual(results["ghost_rate"], results["ghosts"] / results["tracks"])
        for category in results["categories"].values():
            self.assertEqual(set(category), {"particles", "found", "clones", *FRACTIONS})
            for key in FRACTIONS:
                if category["found"]:
                    self.assertTrue(0 <= category[key] <= 1, (key, category))
        velo = results["categories"]["velo"]
        self.assertAlmostEqual(velo["efficiency"], velo["found"] / velo["particles"])
        self.assertAlmostEqual(velo["clone_rate"], velo["clones"] / velo["found"])

    def test_one_backend(self):
        report = self.report("--generate", 5, "--backend", "serial", "--lanes", 4, "--precision", "double")
        self.assertEqual(list(report), ["program", "version", "git", "backend", "threads", "lanes", "precision", "input",
                                        "results", "time_us", "time_spread_us", "rate"])
        self.assertEqual((report["program"], report["backend"], report["threads"], report["lanes"],
                          report["precision"]), ("lhcb_velo", "serial", 1, 4, "double"))
        self.assertEqual(report["input"], {"kind": "generated", "seed": 1, "events": 5, "constants": "2023"})
        self.check_outcome(report)
        self.check_results(report["results"])
        self.assertEqual(report["results"]["events"], 5)
        self.assertGreater(report["results"]["categories"]["velo"]["efficiency"], 0.8)

    def test_all_backends_and_widths(self):
        report = self.report("--generate", 3, "--backend", "all", "--lanes", "all")
        self.assertEqual(report["backend"], "all")
        self.assertIn(("serial", 8), [(outcome["backend"], outcome["lanes"]) for outcome in report["runs"]])
        for outcome in report["runs"]:
            self.check_outcome(outcome)
            self.assertEqual(outcome["results"], report["results"])
        self.check_results(report["results"])

    def test_what_must_not_change_the_tracks(self):
        common = ("--generate", 4, "--seed", 7)
        tracks = {self.report(*common, *more)["results"]["tracks_hash"]
                  for more in ((), ("--batch", 1), ("--batch", 3), ("--backend", "serial", "--lanes", 1),
                               ("--threads", 1), ("--threads", 2))}
        self.assertEqual(len(tracks), 1)
        other_seed = self.report("--generate", 4, "--seed", 8)
        self.assertNotIn(other_seed["results"]["tracks_hash"], tracks)

    def test_the_constants_differ(self):
        hashes = {self.report("--generate", 3, "--constants", year)["results"]["tracks_hash"]
                  for year in (2019, 2020, 2023)}
        self.assertEqual(len(hashes), 3)

    def test_no_truth(self):
        file = self.one_track()
        results = self.report("--input", file)["results"]
        self.assertEqual((results["tracks"], results["ghosts"], results["ghost_rate"], results["categories"]),
                         (1, None, None, {}))
        self.assertIn("no truth", self.succeed("--input", file).stdout)

    def test_a_folder_and_a_limit(self):
        for i in range(3):
            self.one_track(f"event_{i}.json")
        self.assertEqual(self.report("--input", self.folder, "--events", 2)["results"]["events"], 2)


class Output(Case):
    def test_the_table(self):
        text = self.succeed("--generate", 5, "--backend", "all", "--repeat", 1).stdout
        for words in ("efficiency", "long>5GeV", "serial", "events/s"):
            self.assertIn(words, text)
        if "\nopenmp " in text:
            self.assertIn("same tracks, bit for bit", text)

    def test_quiet_says_nothing(self):
        result = self.succeed("--generate", 2, "--repeat", 1, "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_no_progress_bar_without_a_terminal(self):
        self.assertEqual(self.succeed("--generate", 2, "--repeat", 1).stderr, "")

    def test_tracks_as_json_and_csv(self):
        found = self.report("--generate", 3, "--tracks", self.folder / "t.json")["results"]["tracks"]
        self.succeed("--generate", 3, "--repeat", 1, "--tracks", self.folder / "t.csv")
        events = json.loads((self.folder / "t.json").read_text())["events"]
        self.assertEqual(sum(len(event["tracks"]) for event in events), found)
        with open(self.folder / "t.csv", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), found)

    def test_the_picture_shows_every_hit(self):
        picture = self.folder / "event.svg"
        report = self.report("--generate", 2, "--display", picture, "--display-event", 1)
        self.assertGreater(report["results"]["tracks"], 0)
        svg = "{http://www.w3.org/2000/svg}"
        root = xml.parse(picture).getroot()
        self.assertEqual(root.tag, svg + "svg")
        texts = [text.text for text in root.iter(svg + "text")]
        self.assertTrue({"z [mm]", "x [mm]", "y [mm]"} <= set(texts))
        (counts,) = [text for text in texts if text.endswith(" tracks") and " hits, " in text]
        hits = int(counts.split()[0])
        views = [len(list(group.iter(svg + "circle"))) for group in root.iter(svg + "g")]
        self.assertEqual(views, [hits, hits])

    def test_overflow_warns_and_names_the_option(self):
        result = self.succeed("--generate", 5, "--repeat", 1, "--hits-per-slot", 1000)
        self.assertRegex(result.stderr, r"^lhcb_velo: warning: \d+ seeds .*--hits-per-slot")
        report = self.report("--generate", 5, "--hits-per-slot", 1000)
        self.assertGreater(report["results"]["overflow"], 0)

    def test_a_file_that_cannot_be_written(self):
        self.fail_with(1, "cannot be written", "--generate", 1, "--repeat", 1, "--json", self.folder / "no" / "a.json")


if __name__ == "__main__":
    main()
