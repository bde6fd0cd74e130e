# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lhcb_velo_ut as a user would: python3 test_lhcb_velo_ut.py PROGRAM"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import raw_files  # noqa: E402
from program_case import N_LANES, ONE_LANE, PROGRAM, main  # noqa: E402
from tables import TableCase, beside, float32, read_csv  # noqa: E402

CATEGORIES = ["Velo", "Velo+UT", "Velo+UT p>5GeV", "Velo+UT not long", "Velo+UT not long p>5GeV", "Long", "Long p>5GeV",
              "Long p>3GeV pT>0.5GeV", "Long fromB", "Long fromB p>5GeV", "Long fromB p>3GeV pT>0.5GeV",
              "Long electrons", "Long fromB electrons", "Long fromB electrons p>5GeV"]
VELO_CATEGORIES = ["Velo", "Velo forward", "Velo backward", "Velo eta25", "Velo eta25 p>5GeV", "Velo electrons eta25",
                   "Long eta25", "Long eta25 p<5GeV", "Long eta25 p>5GeV", "Long eta25 p>3GeV pT>0.4GeV",
                   "Long electrons eta25", "Long fromB eta25", "Long fromB eta25 p>5GeV",
                   "Long fromB eta25 p>3GeV pT>0.4GeV", "Long fromD eta25", "Long strange eta25"]
STEPS = ["load", "vp_clustering", "velo", "ut_decoding", "ut_windows", "ut_tracklets", "copy_back", "total"]
RESULTS = ["events", "bad_events", "velo_hits", "velo_tracks", "velo_overflow", "ut_hits", "left_out", "tracks",
           "tracks_in_acceptance", "ghosts", "ghost_rate", "ghost_rate_error", "velo_ghosts", "velo_ghost_rate", "events_with_truth",
           "categories", "velo_categories", "momentum", "hash"]

# For every machine, backend and number of lanes
GOLDEN = {("float", "2676b4840dcdc2e6"), ("double", "d79d10f785c33842")}


class Case(TableCase):
    TABLE_ARGUMENTS = ("--generate", 1, "--repeat", 1, "--output")

    def hash_of(self, *arguments):
        return self.report(*arguments)["results"]["hash"]

    def tracks_of(self, *arguments):
        """Report, and the objects of the events in the file of tracks."""
        file = self.folder / "tracks.json"
        report = self.report(*arguments, "--output", file)
        return report, json.loads(file.read_text())["events"]


class FileCase(Case):
    """A test with a copy of files of three events that the program generated."""
    NAMES = ("3_0", "3_1", "3_2")
    GENERATE = ("--generate", 3, "--seed", 3)

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.written = Path(folder.name) / "events"
        cls("run_program").succeed(*cls.GENERATE, "--repeat", 1, "--quiet", "--write-input", cls.written)

    def setUp(self):
        super().setUp()
        self.events = self.folder / "events"
        shutil.copytree(self.written, self.events)

    def banks(self, detector, name):
        return self.events / "banks" / detector / f"{name}.bin"

    def mdf(self, *events):
        """Writes an MDF file next to the folder with the geometry; of all events, if none are given."""
        file = self.events / "events.mdf"
        file.write_bytes(b"".join(events or (raw_files.mdf_event_of_files(self.events, n) for n in self.NAMES)))
        return file

    def change(self, file, place, value):
        data = bytearray(file.read_bytes())
        data[place:place + len(value)] = value
        file.write_bytes(data)

    def truncate(self, file, size):
        data = file.read_bytes()
        file.write_bytes(data[:size])

    def check_skipped(self, words, source, bad):
        """Without event `bad`, which must be refused otherwise, the others are as ever."""
        self.fail_with(3, words, "--input", source, "--repeat", 1)
        _, all_events = self.tracks_of(*self.GENERATE)
        report, events = self.tracks_of("--input", source, "--skip-bad-events")
        self.assertEqual((report["results"]["events"], report["results"]["bad_events"]), (2, 1))
        self.assertEqual([event["tracks"] for event in events],
                         [event["tracks"] for i, event in enumerate(all_events) if i != bad])
        self.assertEqual([event["number"] for event in events], [i for i in range(3) if i != bad])
        result = self.succeed("--input", source, "--repeat", 1, "--skip-bad-events")
        self.assertRegex(result.stderr, "^lhcb_velo_ut: warning: skipped an event: ")
        self.assertIn(words, result.stderr)
        self.assertIn("1 damaged events were skipped", result.stdout)


def remove_charges(file):
    """Makes the charges of the simulated particles in a file 0."""
    data = bytearray(file.read_bytes())
    at = 4
    for _ in range(struct.unpack_from("<I", data)[0]):
        struct.pack_into("<f", data, at + 64, 0.0)
        at += 72
        for _ in range(3):
            at += 4 + 4 * struct.unpack_from("<I", data, at)[0]
    assert at == len(data)
    file.write_bytes(data)


class Information(Case):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Events:", "Tracking:", "Pipeline:", "How to run:", "Output:", "Information:", "Examples:", "Exit status:",
                      "--geometry", "--truth", "--skip-bad-events", "--parameters", "--velo-states", "--candidates", "lhcb_velo",
                      "--details", "--write-input", "--display", "--backend"):
            self.assertIn(words, text)

    def test_version_names_the_backends(self):
        self.assertRegex(self.succeed("--version").stdout,
                         r"^lhcb_velo_ut \(Trackplex \S+, revision \S+, Kokkos .*serial")


    def test_the_mode_of_the_velo(self):
        file = self.folder / "tracks.json"
        arguments = ("--generate", 2, "--repeat", 1, "--quiet", "--output", file)
        self.succeed("lhcb_velo", *arguments)
        mode = file.read_bytes()
        subprocess.run([Path(PROGRAM).with_name("lhcb_velo"), *map(str, arguments)], check=True)
        self.assertEqual(file.read_bytes(), mode)
        self.assertEqual(self.succeed("lhcb_velo", "--version").stdout.split()[0], "lhcb_velo")


class WrongUsage(FileCase):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--nonsense", "--nonsense"),
                ("--generate", "--generate", 0),
                ("--generate", "--generate", 1, "--input", "a.mdf"),
                ("--truth", "--generate", 1, "--truth", self.events),
                ("--events", "--generate", 1, "--events", 0),
                ("--batch", "--generate", 1, "--batch", 0),
                ("--parameters", "--generate", 1, "--parameters", "worst"),
                ("--constants", "--generate", 1, "--constants", 2021),
                ("--sectors", "--generate", 1, "--sectors", 2),
                ("--candidates", "--generate", 1, "--candidates", 17),
                ("--velo-states", "--generate", 1, "--velo-states", "middle"),
                ("--hits-per-slot", "--generate", 1, "--hits-per-slot", 0),
                ("--output", "--generate", 1, "--output", "tracks.txt"),
                ("--display", "--generate", 1, "--display", 1),
                ("--display", "--generate", 1, "--display", -1),
                ("--backend", "--generate", 1, "--backend", "abacus"),
                ("--threads", "--generate", 1, "--threads", 0),
                ("--lanes", "--generate", 1, "--lanes", 3),
                ("--precision", "--generate", 1, "--precision", "half"),
                ("--repeat", "--generate", 1, "--repeat", 0),
                ("--seed", "--generate", 1, "--seed", -1)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)

    def test_no_geometry_with_the_input(self):
        shutil.rmtree(self.events / "geometry")
        self.fail_with(2, "--geometry", "--input", self.events)
        self.assertEqual(self.hash_of("--input", self.events, "--geometry", self.written / "geometry"),
                         self.hash_of(*self.GENERATE))

    def test_written_events_spare_what_is_there(self):
        before = sorted(self.events.rglob("*"))
        self.fail_with(2, str(self.events), "--generate", 1, "--write-input", self.events)
        self.fail_with(2, "events.mdf", "--generate", 1, "--write-input", self.mdf())
        self.assertEqual([file for file in sorted(self.events.rglob("*")) if file.name != "events.mdf"], before)

    def test_events_that_bank_files_cannot_hold(self):
        event = raw_files.mdf_event_of_files(self.events, "3_0")
        out = self.folder / "written"
        self.fail_with(2, "3_0", "--input", self.mdf(event, event), "--write-input", out)
        no_hits = raw_files.mdf_event(3, 7, [(raw_files.UT, 4, 0, bytes(8))])
        self.fail_with(2, "version 4", "--input", self.mdf(no_hits), "--write-input", out)
        self.assertFalse(out.exists())

    def test_a_backend_that_is_not_built(self):
        built = self.succeed("--version").stdout
        for backend in ("cuda", "hip", "openmp"):
            if backend not in built:
                result = self.fail_with(2, "not built", "--generate", 1, "--backend", backend)
                self.assertIn("serial", result.stderr)


class BadInput(FileCase):
    def test_no_such_file(self):
        self.fail_with(3, "nowhere.mdf", "--input", self.folder / "nowhere.mdf")

    def test_a_folder_without_events(self):
        self.fail_with(3, f"{self.folder}: no event", "--input", self.folder)

    def test_geometry(self):
        self.fail_with(3, "nowhere", "--input", self.events, "--geometry", self.folder / "nowhere")
        file = self.events / "geometry" / "ut_geometry.bin"
        self.truncate(file, 1000)
        self.fail_with(3, "ut_geometry.bin", "--input", self.events)
        file.unlink()
        self.fail_with(3, "ut_geometry.bin", "--input", self.events)

    def test_truth(self):
        file = self.events / "MC_info" / "tracks" / "3_1.bin"
        self.truncate(file, 1000)
        self.fail_with(3, "3_1.bin", "--input", self.events)
        file.unlink()
        self.fail_with(3, "3_1.bin", "--input", self.events, "--truth", self.events)
        self.fail_with(3, "tracks", "--input", self.events, "--truth", self.folder)

    def test_a_bank_that_is_too_short_for_its_pixels(self):
        file = self.banks("VP", "3_1")
        n = struct.unpack_from("<I", file.read_bytes())[0]
        self.change(file, 4 * (n + 2) + 4, struct.pack("<I", 10**6))
        self.check_skipped("VP bank 0 (source 0): its payload has", self.events, 1)

    def test_a_ut_file_that_ends_early(self):
        file = self.banks("UT", "3_2")
        self.truncate(file, file.stat().st_size - 4)
        self.check_skipped("UT/3_2.bin", self.events, 2)

    def test_a_file_that_is_missing(self):
        self.banks("UT", "3_0").unlink()
        self.check_skipped("UT/3_0.bin", self.events, 0)

    def test_a_truncated_mdf_file(self):
        file = self.mdf()
        self.truncate(file, file.stat().st_size - 100)
        self.check_skipped("are lost", file, 2)

    def test_a_wrong_checksum(self):
        file = self.mdf()
        self.change(file, raw_files.HEADER_BYTES + 2000, b"\x5a\x5a\x5a\x5a")
        self.check_skipped("checksum", file, 0)

    def test_clusters_of_the_readout(self):
        events = [raw_files.mdf_event_of_files(self.events, name) for name in self.NAMES]
        events[1] = raw_files.mdf_event(3, 1, [(raw_files.VP_CLUSTERS, 3, 0, bytes(4))])
        self.check_skipped("clusters", self.mdf(*events), 1)

    def test_no_good_event(self):
        for name in self.NAMES:
            self.truncate(self.banks("VP", name), 50)
        report = self.folder / "report.json"
        result = self.fail_with(3, "no event can be reconstructed (3 are damaged)", "--input", self.events,
                                "--skip-bad-events", "--json", report)
        self.assertEqual(result.stderr.count("warning: skipped an event"), 3)
        self.assertFalse(report.exists())


class Files(FileCase):
    def test_written_events_are_read_back(self):
        generated = self.report(*self.GENERATE)
        read = self.report("--input", self.events)
        self.assertEqual(read["results"], generated["results"])
        self.assertEqual(read["input"] | {"kind": "generated", "seed": 3},
                         generated["input"] | {"path": str(self.events)})
        again = self.folder / "again"
        self.succeed("--input", self.mdf(), "--repeat", 1, "--quiet", "--write-input", again)
        for file in self.written.rglob("*.bin"):
            self.assertEqual((again / file.relative_to(self.written)).read_bytes(), file.read_bytes(), file)

    def test_only_good_events_are_written(self):
        self.banks("VP", "3_1").unlink()
        out = self.folder / "good"
        self.succeed("--input", self.events, "--repeat", 1, "--quiet", "--skip-bad-events", "--write-input", out)
        self.assertEqual(sorted(file.name for file in (out / "banks" / "UT").iterdir()), ["3_0.bin", "3_2.bin"])

    def test_mdf_and_bank_files_are_the_same(self):
        report = self.report("--input", self.mdf())
        self.assertEqual(report["input"]["kind"], "mdf")
        self.assertEqual(report["results"], self.report("--input", self.events)["results"])

    def test_a_limit(self):
        for source in (self.events, self.mdf()):
            results = self.report("--input", source, "--events", 2)["results"]
            self.assertEqual(results["events"], 2)
            self.assertEqual(results["hash"], self.hash_of(*self.GENERATE, "--events", 2))

    def truth_files(self):
        return [self.events / "MC_info" / "tracks" / f"{name}.bin" for name in self.NAMES]

    def test_identifiers_of_other_years(self):
        expected = self.report("--input", self.events)["results"]
        for file in self.truth_files():  # VELO as in 2023, with its bits of fractions, UT as in 2019
            file.write_bytes(raw_files.with_ids(
                file.read_bytes(), lambda i: i & 0x0FFFFFFF | 0x20000000 | (i & 3) << 26, lambda i: i & 0x0FFFFFFF))
        self.assertEqual(self.report("--input", self.events)["results"], expected)

    def test_identifiers_that_cannot_be_translated(self):
        without = self.report("--input", self.events, "--truth", "none")["results"]
        self.assertEqual(without["events_with_truth"], 0)
        file = self.truth_files()[1]
        file.write_bytes(raw_files.with_ids(file.read_bytes(), ut=lambda i: i & 0x0FFFFFFF | 0x30000000))
        self.fail_with(3, "has an identifier of 2023 (tag 3)", "--input", self.events)
        self.assertEqual(self.report("--input", self.events, "--truth", "none")["results"], without)
        file.write_bytes(raw_files.with_ids(file.read_bytes(), lambda i: i | 0xF0000000, lambda i: i & 0x0FFFFFFF))
        self.fail_with(3, "a VELO hit of it has the tag 15", "--input", self.events)

    def test_truth_of_other_events_warns(self):
        self.assertEqual(self.succeed("--input", self.events, "--repeat", 1, "--quiet").stderr, "")
        files = self.truth_files()
        contents = [file.read_bytes() for file in files]
        for file, other in zip(files, contents[1:] + contents[:1]):
            file.write_bytes(other)
        result = self.succeed("--input", self.events, "--repeat", 1, "--quiet")
        self.assertRegex(result.stderr, r"warning: \d+ of \d+ VELO tracks match no particle")
        self.assertRegex(result.stderr, r"warning: \d+ of \d+ tracks in the UT match no particle")

    def test_any_number_of_readers(self):
        expected = self.report("--input", self.events, "--readers", 1)["results"]
        for options in (("--readers", 3), ("--readers", 3, "--slots", 2)):
            self.assertEqual(self.report("--input", self.events, *options)["results"], expected)

    def test_truth_elsewhere_in_part_or_not_at_all(self):
        truth = self.folder / "truth"
        shutil.move(self.events / "MC_info", truth)
        results = self.report("--input", self.events)["results"]
        self.assertEqual((results["events_with_truth"], results["ghosts"], results["ghost_rate"],
                          results["categories"], results["velo_categories"]), (0, None, None, {}, {}))
        self.assertIn("no truth", self.succeed("--input", self.events, "--repeat", 1).stdout)
        whole = self.report("--input", self.events, "--truth", truth)["results"]
        self.assertEqual(whole, self.report(*self.GENERATE)["results"])
        shutil.move(truth, self.events / "MC_info")
        (self.events / "MC_info" / "tracks" / "3_1.bin").unlink()
        results = self.report("--input", self.events)["results"]
        self.assertEqual(results["events_with_truth"], 2)
        self.assertLess(results["categories"]["Velo"]["particles"], whole["categories"]["Velo"]["particles"])


class Reports(Case):
    def check_outcome(self, outcome):
        self.assertEqual(list(outcome["time_us"]), STEPS)
        self.assertEqual(list(outcome["time_spread_us"]), STEPS)
        for step, median in outcome["time_us"].items():
            spread = outcome["time_spread_us"][step]
            self.assertLess(0, spread["min"])
            self.assertLessEqual(spread["min"], median)
            self.assertLessEqual(median, spread["max"])
        self.assertAlmostEqual(outcome["rate"]["events_per_s"] * outcome["time_us"]["total"], 1e6, delta=1)
        self.assertIn(outcome["precision"], ("float", "double"))
        self.assertGreaterEqual(outcome["threads"], 1)

    def check_categories(self, categories):
        for category in categories.values():
            particles, found = category["particles"], category["found"]
            self.assertLessEqual(found, particles)
            self.assertEqual(category["efficiency"], found / particles if particles else None)
            self.assertEqual(category["clone_rate"] is None, found == 0)

    def test_one_backend(self):
        report = self.report("--generate", 4, "--backend", "serial", *ONE_LANE, "--precision", "double")
        self.assertEqual((report["program"], report["backend"], report["threads"], report["precision"]),
                          ("lhcb_velo_ut", "serial", 1, "double"))
        self.assertEqual(report["input"], {"kind": "generated", "seed": 1, "events": 4, "bad_events": 0,
                                           "parameters": "best", "velo_constants": "2023", "sectors": 3,
                                           "candidates": 4})
        self.check_outcome(report)
        self.assertEqual(list(report["results"]), RESULTS)

    def test_generated_events_are_found(self):
        results = self.report("--generate", 25)["results"]
        self.assertEqual((results["events"], results["events_with_truth"], results["bad_events"],
                          results["velo_overflow"], results["left_out"]), (25, 25, 0, 0, 0))
        self.assertEqual(list(results["categories"]), CATEGORIES)
        self.assertEqual(list(results["velo_categories"]), VELO_CATEGORIES)
        self.check_categories(results["categories"])
        self.check_categories(results["velo_categories"])
        self.assertAlmostEqual(results["ghost_rate"], results["ghosts"] / results["tracks_in_acceptance"])
        self.assertAlmostEqual(results["velo_ghost_rate"], results["velo_ghosts"] / results["velo_tracks"])
        velo = {name: category["efficiency"] for name, category in results["velo_categories"].items()}
        found = {name: category["efficiency"] for name, category in results["categories"].items()}
        self.assertGreater(velo["Velo"], 0.93)
        self.assertGreater(velo["Long eta25 p>5GeV"], 0.99)
        self.assertGreater(found["Long p>3GeV pT>0.5GeV"], 0.95)
        self.assertTrue(0.75 < found["Velo+UT p>5GeV"] < 0.92, found)
        self.assertTrue(0.6 < found["Long"] < 0.8, found)
        self.assertLess(results["ghost_rate"], 0.2)
        self.assertLess(results["velo_ghost_rate"], 0.02)
        self.assertGreater(results["momentum"]["right_charge"], 0.98)
        self.assertLess(results["momentum"]["median_error"], 0.2)
        self.assertTrue(results["ghosts"] < results["tracks_in_acceptance"] <= results["tracks"]
                        < results["velo_tracks"])

    def test_charges_where_the_magnet_points_up(self):
        folder = self.folder / "up"
        self.succeed("--generate", 1, "--repeat", 1, "--write-input", folder)
        (folder / "geometry" / "polarity.bin").write_bytes(struct.pack("<f", 1.0))
        results = self.report("--generate", 20, "--geometry", folder / "geometry")["results"]
        self.assertGreater(results["momentum"]["right_charge"], 0.98)

    def test_truth_without_charges(self):
        folder = self.folder / "events"
        self.succeed("--generate", 3, "--repeat", 1, "--write-input", folder)
        for file in (folder / "MC_info" / "tracks").iterdir():
            remove_charges(file)
        self.assertIsNone(self.report("--input", folder)["results"]["momentum"]["right_charge"])
        self.assertIn("charge n/a (none in the truth)", self.succeed("--input", folder, "--repeat", 1).stdout)

    def test_all_backends_and_widths(self):
        report = self.report("--generate", 3, "--backend", "all", "--lanes", "all")
        self.assertEqual(len({outcome["lanes"] for outcome in report["runs"]}), N_LANES)
        for outcome in report["runs"]:
            self.check_outcome(outcome)
            self.assertEqual(outcome["hash"], report["results"]["hash"])

    def test_the_results_are_golden(self):
        report = self.report("--generate", 5, "--seed", 7, "--backend", "all", "--lanes", "all", "--precision", "all")
        self.assertEqual({(run["precision"], run["hash"]) for run in report["runs"]}, GOLDEN)

    def test_what_must_not_change_the_results(self):
        for precision in ("float", "double"):
            common = ("--generate", 5, "--seed", 7, "--precision", precision)
            reports = {json.dumps(self.report(*common, *more)["results"])
                       for more in ((), ("--batch", 1), ("--batch", 3), ("--backend", "serial", *ONE_LANE),
                                    (*ONE_LANE, "--batch", 2), ("--threads", 1), ("--threads", 2))}
            self.assertEqual(len(reports), 1)
        self.assertEqual(len({self.hash_of("--generate", 5, "--seed", seed) for seed in (7, 8)}), 2)

    def test_runs_with_other_threads_and_precisions(self):
        report = self.report("--generate", 3, "--threads", "1,2", "--precision", "all", "--backend", "openmp")
        self.assertEqual([(run["precision"], run["threads"]) for run in report["runs"]],
                         [("float", 1), ("double", 1), ("float", 2), ("double", 2)])
        self.assertTrue(report["same_bits"])

    def test_a_file_of_options(self):
        config = self.folder / "options.toml"
        config.write_text(self.succeed("--generate", 3, "--parameters", "2020", "--sectors", 3, "--dump-config").stdout)
        described = self.report("--config", config)
        self.assertEqual((described["input"]["parameters"], described["input"]["sectors"]), ("2020", 3))

    def test_repeat(self):
        common = ("--generate", 2, "--repeat")
        once, often = self.folder / "once.json", self.folder / "often.json"
        for count, file in ((1, once), (6, often)):
            self.succeed(*common, count, "--json", file)
        for step in STEPS:
            spread = json.loads(once.read_text())["time_spread_us"][step]
            self.assertEqual(spread["min"], spread["max"])
            spread = json.loads(often.read_text())["time_spread_us"][step]
            self.assertLess(spread["min"], spread["max"])


class Cuts(Case):
    def input_and_hash(self, *arguments):
        report = self.report("--generate", 5, *arguments)
        return report["input"], report["results"]["hash"]

    def test_sets_of_cuts(self):
        expected = {"best": ("2023", 3, 4), "2019": ("2019", 5, 6), "2020": ("2020", 5, 16), "2023": ("2023", 5, 16),
                    "paper": ("2023", 5, 16)}
        hashes = set()
        for name, (year, sectors, candidates) in expected.items():
            described, found = self.input_and_hash("--parameters", name)
            self.assertEqual((described["parameters"], described["velo_constants"], described["sectors"],
                              described["candidates"]), (name, year, sectors, candidates))
            hashes.add(found)
        self.assertEqual(len(hashes), len(expected))

    def test_velo_constants(self):
        hashes = {}
        for year in ("2019", "2020", "2023"):
            described, hashes[year] = self.input_and_hash("--constants", year)
            self.assertEqual((described["parameters"], described["velo_constants"]), ("best", year))
        self.assertEqual(len(set(hashes.values())), 3)
        self.assertEqual(hashes["2023"], self.input_and_hash()[1])

    def test_sectors_and_candidates(self):
        file = self.folder / "details.json"
        for sectors in (1, 3, 5):
            described, _ = self.input_and_hash("--sectors", sectors, "--details", file)
            self.assertEqual((described["sectors"], described["candidates"]), (sectors, 4))
            layers = json.loads(file.read_text())["events"][0]["windows"][0]["first_and_size"]
            self.assertEqual([len(groups) for groups in layers], 4 * [sectors])
        tracks = []
        for candidates in (1, 16):
            results = self.report("--generate", 5, "--parameters", "paper", "--candidates", candidates)["results"]
            tracks.append(results["categories"]["Velo+UT"]["found"])
        self.assertLess(tracks[0], tracks[1])

    def test_velo_states(self):
        for parameters, usual in (("best", "end"), ("paper", "beam")):
            hashes = {states: self.input_and_hash("--parameters", parameters, *options)[1]
                      for states, options in (("usual", ()), ("beam", ("--velo-states", "beam")), ("end", ("--velo-states", "end")))}
            self.assertEqual(hashes["usual"], hashes[usual])
            self.assertNotEqual(hashes["beam"], hashes["end"])

    def test_a_scan_of_the_cuts(self):
        table = self.scan("--over", "sectors=1,5", "--over", "candidates=1,16", "--value",
                          "long=results/categories/Long p>3GeV pT>0.5GeV/efficiency", "--value", "velo_ut=results/tracks", "--value",
                          "ghosts=results/ghost_rate", "--beside", ROOT / "docs" / "guide" / "compass_table3.csv")
        self.assertEqual(table[0], "| sectors | candidates | long | velo_ut | ghosts | long, beside | velo_ut, beside | ghosts, beside |")
        cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table[2:]]
        self.assertEqual([row[:2] + row[5:6] for row in cells],
                         [["1", "1", "0.7191"], ["1", "16", "0.8052"], ["5", "1", "0.8523"], ["5", "16", "0.9549"]])
        results = self.report("--generate", 5, "--parameters", "paper")["results"]
        self.assertEqual(cells[3][3], f"{results['tracks']:.5g}")
        rate, error = results["ghost_rate"], results["ghost_rate_error"]
        self.assertEqual(cells[3][4], f"{rate:.5g} ({rate - error:.5g} to {rate + error:.5g})")
        self.assertLess(int(cells[0][3]), int(cells[3][3]))

    def scan(self, *options):
        """The lines of the table of a scan."""
        result = subprocess.run([sys.executable, ROOT / "scripts" / "bench", "scan", "--busy", *options, "--", PROGRAM, "--generate", "5",
                                 "--repeat", "1", "--parameters", "paper"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.splitlines()


class Pipeline(FileCase):
    def pipelined(self, *arguments, repeat=2):
        """The report of a run through the pipeline that need not be a success, and the run."""
        file = self.folder / "report.json"
        result = self.run_program(*arguments, "--repeat", repeat, "--json", file)
        return json.loads(file.read_text()), result

    def test_the_results_are_those_of_direct_calls(self):
        direct = self.report("--generate", 8)["results"]
        for slots, batch in ((1, 1), (1, 7), (3, 1), (3, 7)):
            with self.subTest((slots, batch)):
                report, result = self.pipelined("--generate", 8, "--slots", slots, "--events-per-batch", batch)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(report["results"], direct)
                pipeline = report["pipeline"]
                self.assertEqual(pipeline["events"], {"read": 16, "written": 16, "failed": 0, "not_processed": 0})
                self.assertEqual(sum(slot["events"] for slot in pipeline["slots"]), 16)
                self.assertEqual([step["name"] for step in pipeline["algorithms"]],
                                 ["stage_banks", "copy_banks", "cluster_vp", "sort_by_phi", "search_by_triplet",
                                  "fit_lines", "velo_end_states", "decode_ut", "ut_windows", "ut_tracks",
                                  "count_velo_ut", "pack_velo_ut", "collect_velo_ut"])

    def test_all_backends(self):
        direct = self.report("--generate", 3)["results"]
        report = self.report("--generate", 3, "--backend", "all", "--slots", 2, "--batch", 2)
        for outcome in report["runs"]:
            self.assertEqual(outcome["hash"], direct["hash"])

    def test_files_are_read_and_written_while_others_are_reconstructed(self):
        for source in (self.events, self.mdf()):
            for option, kind in (("--output", "json"), ("--output", "csv"), ("--details", "json")):
                direct, pipelined = self.folder / f"direct.{kind}", self.folder / f"pipelined.{kind}"
                expected = self.report("--input", source, option, direct)
                found, _ = self.pipelined("--input", source, option, pipelined, "--slots", 2, "--batch", 1)
                self.assertEqual(found["results"], expected["results"])
                self.assertEqual(found["input"], expected["input"])
                self.assertEqual(pipelined.read_bytes(), direct.read_bytes())

    def test_little_memory_gives_all_events(self):
        common = ("--generate", 6, "--slots", 2, "--batch", 6)
        enough = self.report(*common)
        needed = max(slot["device_memory"]["high_water"] for slot in enough["pipeline"]["slots"])
        little = self.report(*common, "--memory", needed // 2)
        self.assertEqual(little["results"], enough["results"])
        self.assertGreater(little["pipeline"]["batches_made_smaller"], 0)

    def test_a_damaged_event_among_good_ones(self):
        self.truncate(self.banks("VP", "3_1"), 50)
        expected = self.report("--input", self.events, "--skip-bad-events")
        for allowed, status in (((), 3), (("--skip-bad-events", ), 0)):
            report, result = self.pipelined("--input", self.events, "--slots", 2, "--batch", 2, *allowed)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertRegex(result.stderr, "^lhcb_velo_ut: warning: 1 events failed")
            self.assertIn("3_1", result.stderr)
            self.assertEqual(report["results"], expected["results"])
            self.assertEqual(report["input"], expected["input"])
            self.assertEqual([failure["event"] for failure in report["pipeline"]["failures"]], [1])

    def test_the_trace(self):
        file = self.folder / "trace.json"
        self.report("--generate", 4, "--slots", 2, "--batch", 2, "--trace", file)
        events = json.loads(file.read_text())["traceEvents"]
        self.assertTrue({"read", "stage", "run", "collect", "write", "ut_tracks"} <=
                        {event["name"] for event in events if event["ph"] == "X"})

    def sequence(self, *steps):
        file = self.folder / "sequence.json"
        file.write_text(json.dumps({"sequence": steps}))
        return file

    def test_steps_in_another_order(self):
        steps = ("stage_banks", "copy_banks", "decode_ut", "cluster_vp", "sort_by_phi", "search_by_triplet", "fit_lines",
                 "velo_end_states", "ut_windows", "ut_tracks", "count_velo_ut", "pack_velo_ut", "collect_velo_ut")
        common = ("--generate", 3, "--slots", 2, "--batch", 2)
        other = self.report(*common, "--sequence", self.sequence(*steps))
        self.assertEqual(other["results"], self.report(*common)["results"])
        self.assertEqual(tuple(step["name"] for step in other["pipeline"]["algorithms"]), steps)

    def test_wrong_sequences(self):
        for words, steps in (("cluster_vp", ("stage_banks", "copy_banks", "count_velo_ut", "collect_velo_ut")),
                             ("no algorithm decode_it", ("stage_banks", "decode_it"))):
            result = self.fail_with(3, words, "--generate", 1, "--slots", 1, "--sequence", self.sequence(*steps))
            self.assertIn("sequence.json", result.stderr)


class Output(Case):
    def test_progress_ends_with_the_last_event(self):
        events = self.folder / "events"
        self.succeed("--generate", 3, "--repeat", 1, "--write-input", events)
        terminal, stderr = os.openpty()
        subprocess.run([PROGRAM, "--input", events, "--repeat", "1"], stdout=subprocess.DEVNULL, stderr=stderr, check=True)
        os.close(stderr)
        drawn = os.read(terminal, 1 << 16).decode()
        os.close(terminal)
        self.assertRegex(drawn, r"reading events \[=+\] 3/3 ")
        self.assertNotRegex(drawn, r"reading events \[=+\] 4")

    def test_the_table(self):
        text = self.succeed("--generate", 3, "--backend", "all", "--repeat", 1).stdout
        for words in ("efficiency", "Long p>3GeV pT>0.5GeV", "momentum:", "ghosts:", "serial", "us per event"):
            self.assertIn(words, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_quiet_says_nothing(self):
        result = self.succeed("--generate", 2, "--repeat", 1, "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_no_progress_bar_without_a_terminal(self):
        self.assertEqual(self.succeed("--generate", 2, "--repeat", 1).stderr, "")

    def test_overflow_warns_and_names_the_option(self):
        result = self.succeed("--generate", 3, "--repeat", 1, "--hits-per-slot", 1000)
        self.assertRegex(result.stderr, r"^lhcb_velo_ut: warning: \d+ seeds .*--hits-per-slot")
        self.assertGreater(self.report("--generate", 3, "--hits-per-slot", 1000)["results"]["velo_overflow"], 0)

    def test_a_file_that_cannot_be_written(self):
        self.fail_with(1, "cannot be written", "--generate", 1, "--repeat", 1, "--json", self.folder / "no" / "a.json")
        (self.folder / "file").touch()
        self.fail_with(1, "cannot be made", "--generate", 1, "--write-input", self.folder / "file" / "events")


class Tracks(Case):
    """The same three events in all forms of output."""
    GENERATE = ("--generate", 3, "--seed", 2)

    def setUp(self):
        super().setUp()
        self.report_, self.events = self.tracks_of(*self.GENERATE, "--details", self.folder / "details.json",
                                                   "--display", 1)
        self.details = json.loads((self.folder / "details.json").read_text())["events"]

    def test_csv_and_json_agree(self):
        file = self.folder / "t.csv"
        self.succeed(*self.GENERATE, "--repeat", 1, "--output", file)
        table, hits, events = read_csv(file), read_csv(beside(file, "hits")), read_csv(beside(file, "events"))
        self.assertEqual(table.rows(), self.report_["results"]["tracks"])
        self.assertEqual(table.metadata["program"], "lhcb_velo_ut")
        expected_hits, i = [], 0
        for e, event in enumerate(self.events):
            self.assertEqual([events[key][e] for key in ("event", "run", "number", "name", "n_tracks")],
                             [e, event["run"], event["number"], event["event"], len(event["tracks"])])
            for track in event["tracks"]:
                self.assertEqual([table[key][i] for key in ("event", "track", "run", "number", "n_velo_hits", "n_ut_hits")],
                                 [e, i, event["run"], event["number"], len(track["velo_ids"]), len(track["ut_ids"])])
                for key in set(track) - {"velo_ids", "ut_ids"}:
                    self.assertEqual(float32(table[key][i]), float32(track[key]), key)
                expected_hits += [(e, i, one, 0) for one in track["velo_ids"]] + [(e, i, one, 1) for one in track["ut_ids"]]
                i += 1
        self.assertEqual(list(zip(*hits.values())), expected_hits)

    def test_tables_as_hdf5(self):
        self.need_h5dump()
        for precision in ("float", "double"):
            file, hdf5 = self.folder / "t.csv", self.folder / "t.h5"
            for tracks in (file, hdf5):
                self.succeed(*self.GENERATE, "--repeat", 1, "--precision", precision, "--output", tracks)
            self.check_same_tables({"tracks": file, "hits": beside(file, "hits"), "events": beside(file, "events")}, hdf5,
                                   precision)

    def test_the_tables_have_the_same_bytes_from_every_backend(self):
        self.check_reproducible(*self.GENERATE, "--repeat", 1, "--output", tables=("hits", "events"))

    def test_details_hold_the_tracks(self):
        results = self.report_["results"]
        for key, total in (("velo_tracks", "velo_tracks"), ("tracks", "tracks")):
            self.assertEqual(sum(len(event[key]) for event in self.details), results[total])
        for key, total in (("velo_hits", "velo_hits"), ("ut_hits", "ut_hits")):
            self.assertEqual(sum(len(event[key]["id"]) for event in self.details), results[total])
        for event, details in zip(self.events, self.details, strict=True):
            self.assertEqual((event["event"], event["run"], event["number"]),
                             (details["event"], details["run"], details["number"]))
            for track, more in zip(event["tracks"], details["tracks"], strict=True):
                self.assertEqual(track | {"hits": more["hits"]}, more)
                self.check_track(details, more)

    def check_track(self, details, track):
        velo_track = details["velo_tracks"][track["velo_track"]]
        self.assertEqual(track["velo_ids"], [details["velo_hits"]["id"][hit] for hit in velo_track["hits"]])
        self.assertEqual((track["tx"], track["ty"]), (velo_track["tx"], velo_track["ty"]))
        self.assertFalse(velo_track["backward"])
        self.assertAlmostEqual(track["p"], abs(1 / track["qop"]))
        hits = [hit for hit in track["hits"] if hit >= 0]
        self.assertGreaterEqual(len(hits), 3)
        self.assertEqual(track["ut_ids"], [details["ut_hits"]["id"][hit] for hit in hits])
        (windows,) = [w for w in details["windows"] if w["velo_track"] == track["velo_track"]]
        for layer, hit in enumerate(track["hits"]):
            if hit >= 0:
                first, end = details["ut_hits"]["layer_offsets"][layer:layer + 2]
                self.assertTrue(first <= hit < end)
                self.assertTrue(any(first <= hit < first + size for first, size in windows["first_and_size"][layer]))

    def test_the_picture_shows_everything(self):
        details = self.details[1]
        velo_hits, ut_hits = len(details["velo_hits"]["id"]), len(details["ut_hits"]["id"])
        velo_tracks, tracks = details["velo_tracks"], details["tracks"]
        backward = sum(track["backward"] for track in velo_tracks)
        forward = len(velo_tracks) - backward - len(tracks)
        (plot,) = [plot for plot in self.report_["plots"] if plot["name"] == "event"]
        self.assertEqual(plot["title"], f"generated-2-1: {velo_hits} VELO hits, {ut_hits} UT hits, {len(velo_tracks)} VELO "
                                        f"tracks, {len(tracks)} with UT hits")
        velo, flight = ([(series["style"], series["color"], len(series["x"])) for series in panel["series"]
                         if not series.get("background")] for panel in plot["panels"])
        self.assertEqual(sum(n for style, _, n in velo if style == "dots"), velo_hits)
        self.assertEqual([n for style, _, n in velo if style == "segments"], [backward, forward, len(tracks)])
        on_tracks = {hit for track in tracks for hit in track["hits"] if hit >= 0}
        self.assertEqual({color: n for style, color, n in flight if style == "dots"},
                         {0: len(on_tracks), 7: ut_hits - len(on_tracks)})
        self.assertEqual([n for style, _, n in flight if style == "segments"], [forward, 3 * len(tracks)])

    def test_the_momenta(self):
        (plot,) = [plot for plot in self.report_["plots"] if plot["name"] == "momentum"]
        (series,) = plot["panels"][0]["series"]
        self.assertEqual(len(series["edges"]), len(series["y"]) + 1)
        self.assertLessEqual(sum(series["y"]), self.report_["results"]["momentum"]["tracks"])
        self.assertGreater(sum(series["y"]), 0.9 * self.report_["results"]["momentum"]["tracks"])


class Vertices(FileCase):
    """Primary vertices, which --vertices asks for."""
    KEYS = ["reconstructed", "overflow", "events_with_truth", "particles", "found", "efficiency", "efficiency_error", "false",
            "duplicates", "resolution_um", "pulls"]

    def test_the_truth_is_found(self):
        report = self.report("--generate", 20, "--vertices")
        results = report["results"]
        self.assertEqual([key for key in results if key not in ("scifi_hits", "vertices")], RESULTS)
        vertices = results["vertices"]
        self.assertEqual(list(vertices), self.KEYS)
        self.assertEqual(results["scifi_hits"], 0)
        self.assertEqual(vertices["events_with_truth"], 19)  # one has no collision
        self.assertGreater(vertices["found"], 0.9 * vertices["particles"])
        self.assertLess(vertices["false"], 0.1 * vertices["found"])
        self.assertAlmostEqual(vertices["efficiency"], vertices["found"] / vertices["particles"])
        for axis, limit in (("x", 30), ("y", 30), ("z", 150)):
            self.assertTrue(1 < vertices["resolution_um"][axis] < limit, axis)
            self.assertTrue(0.6 < vertices["pulls"][axis] < 1.4, axis)
        (plot,) = [plot for plot in report["plots"] if plot["name"] == "vertices"]
        self.assertEqual(len(plot["panels"]), 3)
        times = report["runs"][0]["time_us"]
        self.assertEqual([*times], STEPS[:-2] + ["vertices", "scifi_decoding"] + STEPS[-2:])

    def test_everything_else_stays(self):
        without, results = (self.report("--generate", 3, *more)["results"] for more in ((), ("--vertices", )))
        self.assertNotIn("vertices", without)
        self.assertNotEqual(results["hash"], without["hash"])
        for key in RESULTS[:-1]:
            self.assertEqual(results[key], without[key], key)

    def test_every_backend_and_the_pipeline_give_the_same(self):
        direct = self.report("--generate", 6, "--vertices")["results"]
        report = self.report("--generate", 6, "--vertices", "--backend", "all", "--slots", 2, "--batch", 4)
        for outcome in report["runs"]:
            self.assertEqual(outcome["hash"], direct["hash"])
        self.assertEqual(report["results"], direct)

    def test_a_journal_keeps_them(self):
        common = ("--generate", 5, "--vertices", "--journal", self.folder / "run.journal")
        first, second = self.report(*common)["results"], self.report(*common)["results"]
        self.assertEqual(first, second)
        self.assertGreater(first["vertices"]["found"], 5)

    def test_fingerprints_name_the_steps(self):
        file = self.folder / "fingerprints.json"
        self.succeed("--generate", 2, "--vertices", "--repeat", 1, "--fingerprints", file)
        self.assertIn("find_vertices", file.read_text())

    def test_the_list_of_algorithms(self):
        text = self.succeed("--list-algorithms").stdout
        self.assertRegex(text, r"find_vertices +device, not in the default sequence")
        text = self.succeed("--list-algorithms", "--vertices").stdout
        self.assertRegex(text, r"find_vertices +device\n")
        self.assertRegex(text, r"collect_velo_ut +host, not in the default sequence")

    def test_output(self):
        common = (*self.GENERATE, "--vertices")
        report, events = self.tracks_of(*common)
        n = report["results"]["vertices"]["reconstructed"]
        self.assertEqual(sum(len(event["vertices"]) for event in events), n)
        file = self.folder / "t.csv"
        self.succeed(*common, "--repeat", 1, "--output", file)
        table = read_csv(beside(file, "vertices"))
        self.assertEqual(table.rows(), n)
        expected = [(e, v) for e, event in enumerate(events) for v in range(len(event["vertices"]))]
        self.assertEqual(list(zip(table["event"], table["vertex"])), expected)
        z = [vertex["z"] for event in events for vertex in event["vertices"]]
        self.assertEqual([float32(value) for value in table["z"]], [float32(value) for value in z])
        without = self.folder / "without.csv"
        self.succeed(*self.GENERATE, "--repeat", 1, "--output", without)
        self.assertFalse(beside(without, "vertices").exists())
        self.assertEqual(without.read_bytes().split(b"\nevent", 1)[1], file.read_bytes().split(b"\nevent", 1)[1])

    def test_the_picture_and_the_table(self):
        report = self.report(*self.GENERATE, "--vertices", "--display", 1)
        (plot,) = [plot for plot in report["plots"] if plot["name"] == "event"]
        (series,) = [series for series in plot["panels"][0]["series"] if series["label"] == "vertices"]
        self.assertGreater(len(series["x"]), 0)
        text = self.succeed("--generate", 3, "--vertices", "--repeat", 1).stdout
        for words in ("true primary vertices", "residual [um]", "pull"):
            self.assertIn(words, text)
        results, _ = text.split("\nwork ")  # then times, of any width
        self.assertLessEqual(max(map(len, results.splitlines())), 100)

    def test_folders_complete_each_other(self):
        expected = self.report("--input", self.events, "--vertices")["results"]
        second = self.folder / "second"
        for name in ("banks/UT", "geometry/ut_tables.bin", "MC_info"):
            (second / name).parent.mkdir(parents=True, exist_ok=True)
            (self.events / name).rename(second / name)
        found = self.report("--input", self.events, second, "--vertices")
        self.assertEqual(found["results"], expected)
        self.assertEqual((found["input"]["path"], found["input"]["further_paths"]), (str(self.events), [str(second)]))
        self.fail_with(3, "ut_tables.bin", "--input", self.events, "--repeat", 1)
        self.fail_with(2, "is not a folder", "--input", self.events, second / "geometry" / "ut_tables.bin")


class LongTracks(FileCase):
    """Tracks through the SciFi, which --long asks for."""
    GENERATE = (*FileCase.GENERATE, "--long")
    CATEGORIES = ["Long", "Long p>5GeV", "Long p>3GeV pT>0.5GeV", "Long strange", "Long strange p>3GeV pT>0.5GeV",
                  "Long fromB", "Long fromB p>3GeV pT>0.5GeV", "Long fromD", "Long fromD p>3GeV pT>0.5GeV",
                  "Long electrons"]
    RENAMED = ["tracks_in_acceptance", "ghosts", "ghost_rate", "ghost_rate_error", "categories", "momentum"]

    def setUp(self):
        super().setUp()
        self.common = ("--input", self.events, "--long")

    def test_the_report(self):
        report = self.report(*self.common)
        self.assertEqual(report["input"]["long_tracks"], "all")
        results, without = report["results"], self.report("--input", self.events)["results"]
        particles = results["categories"]["Long"]["particles"]
        self.assertGreater(results["scifi_hits"], 12 * particles)
        self.assertGreater(results["long_tracks"], 0.7 * particles)
        self.assertLessEqual(results["long_tracks_with_ut"], results["long_tracks"])
        self.assertLess(results["ghosts"], 0.15 * results["tracks_in_acceptance"])
        self.assertEqual(list(results["categories"]), self.CATEGORIES)
        self.assertLess(results["scifi_residuals"]["mean_mm"], 0.13)
        self.assertAlmostEqual(results["ghost_rate"], results["ghosts"] / results["tracks_in_acceptance"])
        self.assertLessEqual(results["fast_ghosts"], results["fast_tracks"])
        for key in without:
            if key != "hash":
                name = "velo_ut_" + key if key in self.RENAMED else key
                self.assertEqual(results[name], without[key], key)
        self.assertNotEqual(results["hash"], without["hash"])
        times = report["runs"][0]["time_us"]
        self.assertEqual([*times], STEPS[:-2] + ["vertices", "scifi_decoding", "long_tracks"] + STEPS[-2:])

    def test_with_ut_only(self):
        report = self.report(*[a for a in self.common if a != "--long"], "--long-with-ut")
        self.assertEqual(report["input"]["long_tracks"], "with UT")
        self.assertEqual(report["input"]["long_search"], "forward")
        self.assertEqual(report["results"]["long_tracks"], report["results"]["long_tracks_with_ut"])

    def test_searches(self):
        both, forward, matching = (self.report(*self.common, "--long-search", search)
                                   for search in ("both", "forward", "matching"))
        self.assertEqual(both["results"], self.report(*self.common)["results"])
        self.assertEqual([r["input"]["long_search"] for r in (both, forward, matching)], ["both", "forward", "matching"])
        for report in (both, forward, matching):
            category = report["results"]["categories"]["Long"]
            self.assertGreater(category["found"], 0.5 * category["particles"])
        self.assertEqual(len({report["results"]["hash"] for report in (both, forward, matching)}), 3)

    def test_what_cannot_be(self):
        (self.events / "geometry" / "scifi_geometry.bin").unlink()
        self.fail_with(2, "the geometry has no SciFi", "--input", self.events, "--long")
        self.fail_with(2, "the geometry has no SciFi", "--input", self.events, "--long-with-ut")
        self.fail_with(2, "add --long", "--generate", 1, "--long-search", "both")
        self.fail_with(2, "leave --long-search out", *self.common, "--long-with-ut", "--long-search", "both")

    def test_events_without_banks_of_the_scifi_warn(self):
        folder = self.folder / "fewer"
        shutil.copytree(self.events, folder)
        files = sorted((folder / "banks" / "FTCluster").iterdir())
        empty = b"\0" * 8  # no banks
        files[0].write_bytes(empty)
        details = self.folder / "fewer.json"
        result = self.succeed(*[folder if a == self.events else a for a in self.common], "--repeat", 1, "--quiet",
                              "--details", details)
        self.assertRegex(result.stderr, f"warning: 1 of {len(files)} events have no banks of the SciFi")
        without = [event for event in json.loads(details.read_text())["events"] if not event["scifi_hits"]["id"]]
        self.assertEqual([event["long_tracks"] for event in without], [[]])

    def test_truth_in_several_folders(self):
        folder = self.folder / "more"
        (folder / "MC_info" / "tracks").mkdir(parents=True)
        inputs = [self.events, folder]
        arguments = [a for a in self.common if a not in ("--input", self.events)]
        both = self.report("--input", *inputs, *arguments)["results"]
        self.assertEqual(both["events_with_truth"], self.report(*self.common)["results"]["events_with_truth"])

    def test_every_backend_and_the_pipeline_give_the_same(self):
        direct = self.report(*self.common)["results"]
        report = self.report(*self.common, "--backend", "all", "--slots", 2, "--batch", 2)
        for outcome in report["runs"]:
            self.assertEqual(outcome["hash"], direct["hash"])
        self.assertEqual(report["results"], direct)
        journal = (*self.common, "--journal", self.folder / "run.journal")
        self.assertEqual(self.report(*journal)["results"], direct)
        self.assertEqual(self.report(*journal)["results"], direct)

    def test_output(self):
        report, events = self.tracks_of(*self.common)
        n = report["results"]["long_tracks"]
        tracks = [(e, track) for e, event in enumerate(events) for track in event["long_tracks"]]
        self.assertEqual(len(tracks), n)
        file = self.folder / "t.csv"
        self.succeed(*self.common, "--repeat", 1, "--output", file)
        table, hits = read_csv(beside(file, "long_tracks")), read_csv(beside(file, "long_hits"))
        self.assertEqual(table["track"], list(range(n)))
        self.assertEqual(table["event"], [e for e, _ in tracks])
        for name in ("velo_track", "ut_track"):
            self.assertEqual(table[name], [track[name] for _, track in tracks])
        for name in ("qop", "p", "quality", "x", "y", "tx", "ty"):
            self.assertEqual([float32(value) for value in table[name]],
                             [float32(track[name]) for _, track in tracks], name)
        ids = [(t, id_, detector) for t, (_, track) in enumerate(tracks)
               for detector, name in enumerate(("velo_ids", "ut_ids", "scifi_ids")) for id_ in track[name]]
        self.assertEqual(list(zip(hits["track"], hits["lhcb_id"], hits["detector"])), ids)
        for _, track in tracks:
            self.assertEqual(track["ut_track"] < 0, not track["ut_ids"])
            self.assertTrue(9 <= len(track["scifi_ids"]) <= 12)
        without = self.folder / "without.csv"
        self.succeed("--input", self.events, "--repeat", 1, "--output", without)
        self.assertFalse(beside(without, "long_tracks").exists())

    def test_details_and_text(self):
        file = self.folder / "details.json"
        text = self.succeed(*self.common, "--repeat", 1, "--details", file).stdout
        for words in ("long tracks,", "mm off their tracks", "long tracks, 2 < eta < 5", "pT > 0.5 GeV"):
            self.assertIn(words, text)
        for event in json.loads(file.read_text())["events"]:
            for track in event["long_tracks"]:
                for layer, hit in enumerate(track["hits"]):
                    if hit >= 0:
                        zones = event["scifi_hits"]["zone_offsets"]
                        self.assertTrue(zones[2 * layer] <= hit < zones[2 * layer + 2])


class Data(Case):
    """Ten simulated events of LHCb."""

    def setUp(self):
        super().setUp()
        self.data = Path(os.environ.get("TRACKPLEX_DATA", ROOT.parent / "shared" / "data")) / "lhcb-raw"
        if not self.data.exists():
            raise unittest.SkipTest(f"{self.data} is absent")

    def test_mdf_and_bank_files_are_the_same(self):
        (mdf,) = (self.data / "mdf").glob("*.mdf")
        bank_files, from_mdf = self.report("--input", self.data), self.report("--input", mdf)
        self.assertEqual((bank_files["input"]["kind"], from_mdf["input"]["kind"]), ("bank files", "mdf"))
        self.assertEqual(bank_files["results"], from_mdf["results"])
        self.assertEqual(bank_files["results"]["events"], 10)

    def test_numbers_of_2020(self):
        results = self.report("--input", self.data, "--parameters", "2020", "--precision", "double")["results"]
        self.assertEqual((results["velo_tracks"], results["tracks_in_acceptance"], results["ghosts"],
                          results["left_out"]), (2645, 747, 108, 0))
        for categories, name, found, particles in (("velo_categories", "Velo", 2337, 2495),
                                                   ("velo_categories", "Long eta25", 629, 634),
                                                   ("categories", "Velo+UT", 604, 957),
                                                   ("categories", "Long", 489, 634)):
            category = results[categories][name]
            self.assertEqual((category["found"], category["particles"]), (found, particles), name)

    def test_every_backend_gives_the_same(self):
        self.succeed("--input", self.data, "--repeat", 1, "--backend", "all", "--lanes", "all")

    def test_vertices(self):
        vertices = self.report("--input", self.data, "--parameters", "2020", "--vertices")["results"]["vertices"]
        self.assertEqual([vertices[key] for key in ("particles", "found", "false", "duplicates")], [59, 56, 0, 0])

    def test_with_the_scifi(self):
        scifi = self.data.with_name("lhcb-scifi")
        if not scifi.exists():
            raise unittest.SkipTest(f"{scifi} is absent")
        without = self.report("--input", self.data)["results"]
        results = self.report("--input", self.data, scifi)["results"]
        self.assertEqual(results["scifi_hits"], 38599)
        self.assertEqual(results["left_out"], 0)
        self.assertEqual(results["vertices"]["false"], 0)
        self.assertEqual(results["categories"], without["categories"])
        (mdf,) = (self.data / "mdf").glob("*.mdf")
        from_mdf = self.report("--input", mdf, "--geometry", self.data / "geometry", scifi / "geometry")["results"]
        self.assertEqual(from_mdf, results)
        copy = self.folder / "copy"
        self.succeed("--input", self.data, scifi, "--repeat", 1, "--write-input", copy)
        self.assertEqual(self.report("--input", copy)["results"], results)
        damaged = copy / "banks" / "FTCluster" / "6718861_6002.bin"
        damaged.write_bytes(damaged.read_bytes()[:50])
        self.fail_with(3, "FTCluster", "--input", copy, "--repeat", 1)
        self.assertEqual(self.report("--input", copy, "--skip-bad-events")["results"]["bad_events"], 1)

    def test_long_tracks(self):
        scifi = self.data.with_name("lhcb-scifi")
        if not scifi.exists():
            raise unittest.SkipTest(f"{scifi} is absent")
        common = ("--input", self.data, scifi, "--long")
        for more, long, fast in (((), 467, 216), (("--parameters", "2020"), 475, 215),
                                 (("--parameters", "2020", "--long-search", "forward"), 443, 209),
                                 (("--parameters", "2020", "--long-search", "matching"), 420, 195),
                                 (("--parameters", "2020", "--long-with-ut"), 429, 201)):
            results = self.report(*common, *more)["results"]
            found = {name: (category["found"], category["particles"])
                     for name, category in results["categories"].items()}
            self.assertEqual(found["Long"], (long, 634))
            self.assertEqual(found["Long p>3GeV pT>0.5GeV"], (fast, 234))
            self.assertLess(results["ghost_rate"], 0.062)
            self.assertLess(results["momentum"]["resolution"], 0.01)
            self.assertEqual(results["momentum"]["right_charge"], 1)
            self.assertLess(results["scifi_residuals"]["crossing_modules"]["mean_mm"], 0.1)
        # modules 1 mm farther apart
        geometry = self.folder / "geometry"
        geometry.mkdir()
        data = bytearray((scifi / "geometry" / "scifi_geometry.bin").read_bytes())
        at = len(data) - 13 * 4 * 1536
        for mat in range(1536):
            (x,) = struct.unpack_from("<f", data, at + 4 * mat)
            shift = (mat >> 2 & 7) * (1 if mat >> 5 & 1 else -1)
            if x != 0:
                struct.pack_into("<f", data, at + 4 * mat, x + shift)
        (geometry / "scifi_geometry.bin").write_bytes(data)
        self.assertNotIn("is the geometry", self.succeed(*common, "--repeat", 1).stderr)
        result = self.succeed(*common, "--geometry", self.data / "geometry", geometry, "--repeat", 1)
        self.assertIn("mm: is the geometry that of the events?", result.stderr)


if __name__ == "__main__":
    main()
