# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lhcb_velo as a user would: python3 test_lhcb_velo.py PROGRAM"""

import json
import math
import signal
import struct
import subprocess
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from program_case import ALL_LANES, N_LANES, ONE_LANE, PROGRAM, main  # noqa: E402
from tables import TableCase, beside, float32, read_csv  # noqa: E402

CATEGORIES = ("velo", "long", "long>5GeV", "long_strange", "long_strange>5GeV", "long_fromb", "long_fromb>5GeV")
FRACTIONS = ("efficiency", "clone_rate", "purity", "hit_efficiency")
STEPS = {"load", "sort", "search", "fit", "copy_back", "total"}

# For every machine, backend and number of lanes
GOLDEN = {("float", "7c32b91055742c71"), ("double", "cd76b743170e0151")}


class Case(TableCase):
    TABLE_ARGUMENTS = ("--generate", 1, "--repeat", 1, "--output")

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
        for words in ("Events:", "Tracking:", "Pipeline:", "How to run:", "Output:", "Examples:", "Exit status:", "--display", "--backend", "lhcb_velo_ut"):
            self.assertIn(words, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_version_names_the_backends(self):
        self.assertRegex(self.succeed("--version").stdout, r"^lhcb_velo \(Trackplex \S+, revision \S+, Kokkos .*serial")


class WrongUsage(Case):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--nonsense", "--nonsense"),
                ("--backend", "--generate", 1, "--backend", "abacus"),
                ("--lanes", "--generate", 1, "--lanes", 3),
                ("--constants", "--generate", 1, "--constants", 2021),
                ("--repeat", "--generate", 1, "--repeat", 0),
                ("--output", "--generate", 1, "--output", "tracks.txt"),
                ("--generate", "--generate", 1, "--input", "a.json"),
                ("--display", "--generate", 1, "--display", 1),
                ("--json", "--generate", 1, "--output", "same.json", "--json", "same.json"),
                ("--seed", "--generate", 1, "--seed", -1),
                ("--readers", "--generate", 1, "--readers", 0),
                ("exists already", "--generate", 1, "--write-input", self.one_track().parent),
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
    def test_truth_of_other_events_warns(self):
        self.succeed("--generate", 2, "--seed", 4, "--repeat", 1, "--quiet", "--write-input", self.folder / "good")
        self.assertEqual(self.succeed("--input", self.folder / "good", "--repeat", 1, "--quiet").stderr, "")
        # Hits of one event and the particles of another: as if files had been mixed up.
        events = [(self.folder / "good" / f"velo_event_{e}.velo").read_bytes() for e in (0, 1)]
        hits = [struct.unpack_from("<i", event, 12)[0] for event in events]
        self.assertLess(hits[0], 65536)
        end = [16 + 4 * 53 + 24 * n for n in hits]
        fewer = min(range(2), key=lambda e: hits[e])  # its particles' hits exist in the other one
        mixed = self.folder / "mixed.velo"
        mixed.write_bytes(events[1 - fewer][:end[1 - fewer]] + events[fewer][end[fewer]:])
        result = self.succeed("--input", mixed, "--repeat", 1, "--quiet")
        self.assertRegex(result.stderr, r"warning: \d+ of \d+ tracks match no particle")

    def test_damaged_binary_files(self):
        folder = self.folder / "events"
        self.succeed("--generate", 1, "--repeat", 1, "--quiet", "--write-input", folder)
        file = folder / "velo_event_0.velo"
        data = file.read_bytes()
        for words, damaged in (("bytes are left", data[:-1]), ("1 bytes follow the event", data + b"x"),
                               ("does not begin with TPXVELO1", b"{" + data[1:]),
                               ("x[0]: nan is out of range", data[:228] + struct.pack("<d", math.nan) + data[236:])):
            with self.subTest(words):
                file.write_bytes(damaged)
                self.fail_with(3, words, "--input", folder)

    def test_a_folder_with_both_kinds_of_files(self):
        folder = self.folder / "events"
        self.succeed("--generate", 1, "--repeat", 1, "--quiet", "--write-input", folder)
        (folder / "event.json").write_text("{}")
        self.fail_with(3, "it has *.json and *.velo files", "--input", folder)

    def test_a_field_that_is_there_twice(self):
        file = self.one_track()
        file.write_text(file.read_text().replace('"x":', '"x": [], "x":'))
        self.fail_with(3, 'has two fields "x"', "--input", file)

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
            self.assertEqual(set(category), {"particles", "found", "clones", "efficiency_error", *FRACTIONS})
            for key in FRACTIONS:
                if category["found"]:
                    self.assertTrue(0 <= category[key] <= 1, (key, category))
        velo = results["categories"]["velo"]
        self.assertAlmostEqual(velo["efficiency"], velo["found"] / velo["particles"])
        self.assertAlmostEqual(velo["clone_rate"], velo["clones"] / velo["found"])

    def test_one_backend(self):
        report = self.report("--generate", 5, "--backend", "serial", *ONE_LANE, "--precision", "double")
        self.assertEqual(list(report), ["schema", "schema_version", "program", "version", "git", "date", "host", "cpu", "load",
                                        "compiler", "flags", "kokkos", "command", "ranks", "input", "memory", "repeat", "backend",
                                        "threads", "lanes", "precision", "time_us", "time_spread_us", "rate", "results", "same_bits", "runs",
                                        "plots"])
        self.assertEqual((report["program"], report["backend"], report["threads"], report["precision"]),
                          ("lhcb_velo", "serial", 1, "double"))
        self.assertEqual(report["input"], {"kind": "generated", "seed": 1, "events": 5, "constants": "2023"})
        self.check_outcome(report)
        self.check_results(report["results"])
        self.assertEqual(report["results"]["events"], 5)
        self.assertGreater(report["results"]["categories"]["velo"]["efficiency"], 0.8)

    def test_all_backends_and_widths(self):
        report = self.report("--generate", 3, "--backend", "all", "--lanes", "all")
        self.assertEqual(len({outcome["lanes"] for outcome in report["runs"]}), N_LANES)
        for outcome in report["runs"]:
            self.check_outcome(outcome)
            self.assertEqual(outcome["hash"], report["results"]["hash"])
            self.assertIn(outcome["same_bits"], (True, None))
        self.assertTrue(report["same_bits"])
        self.check_results(report["results"])

    def test_what_must_not_change_the_tracks(self):
        common = ("--generate", 4, "--seed", 7)
        tracks = {self.report(*common, *more)["results"]["hash"]
                  for more in ((), ("--batch", 1), ("--batch", 3), ("--backend", "serial", *ONE_LANE),
                               ("--threads", 1), ("--threads", 2))}
        self.assertEqual(len(tracks), 1)
        other_seed = self.report("--generate", 4, "--seed", 8)
        self.assertNotIn(other_seed["results"]["hash"], tracks)

    def test_the_tracks_are_golden(self):
        report = self.report("--generate", 5, "--seed", 7, "--backend", "all", "--lanes", "all", "--precision", "all")
        self.assertEqual({(run["precision"], run["hash"]) for run in report["runs"]}, GOLDEN)

    def test_runs_with_other_threads_and_precisions(self):
        common = ("--generate", 4, "--backend", "openmp")
        report = self.report(*common, "--threads", "1,2", "--precision", "all", "--output", self.folder / "t.csv")
        self.assertEqual([(run["precision"], run["threads"]) for run in report["runs"]],
                         [("float", 1), ("double", 1), ("float", 2), ("double", 2)])
        self.assertTrue(report["same_bits"])
        hashes = [run["hash"] for run in report["runs"]]
        self.assertEqual(hashes[:2], hashes[2:])
        self.assertNotEqual(hashes[0], hashes[1])
        for run, precision in zip(report["runs"], ("float", "double")):
            alone = self.report(*common, "--precision", precision, "--output", self.folder / f"{precision}.csv")
            self.assertEqual(run["hash"], alone["results"]["hash"])
        self.assertEqual((self.folder / "t.csv").read_bytes(), (self.folder / "float.csv").read_bytes())

    @unittest.skipUnless(ALL_LANES, "the programs offer one width")
    def test_speed_up(self):
        report = self.report("--generate", 2, "--backend", "serial", "--lanes", "all")
        self.assertEqual([run["lanes"] for run in report["runs"]][0], 1)
        base, *others = report["runs"]
        self.assertEqual(base["speed_up"]["total"], 1)
        for run in others:
            self.assertAlmostEqual(run["speed_up"]["total"], base["time_us"]["total"] / run["time_us"]["total"])

    def test_no_arguments(self):
        text = self.succeed().stdout
        self.assertIn("100 events", text)

    def test_a_file_of_options(self):
        config = self.folder / "options.toml"
        config.write_text(self.succeed("--generate", 3, "--constants", 2020, "--threads", "1,2", "--dump-config").stdout)
        self.assertEqual(self.report("--config", config)["input"], {"kind": "generated", "seed": 1, "constants": "2020",
                                                                    "events": 3})
        config.write_text("nonsense=3\n")
        self.fail_with(2, "nonsense", "--config", config)
        self.fail_with(2, "nowhere.toml", "--config", self.folder / "nowhere.toml")

    def test_the_constants_differ(self):
        hashes = {self.report("--generate", 3, "--constants", year)["results"]["hash"]
                  for year in (2019, 2020, 2023)}
        self.assertEqual(len(hashes), 3)

    def test_no_truth(self):
        file = self.one_track()
        results = self.report("--input", file)["results"]
        self.assertEqual((results["tracks"], results["ghosts"], results["ghost_rate"], results["categories"]),
                         (1, None, None, {}))
        self.assertIn("no truth", self.succeed("--input", file).stdout)

    def test_written_events_give_the_same_results(self):
        binary = self.folder / "binary"
        again = self.folder / "again"
        generate = ("--generate", 12, "--seed", 9)
        self.succeed(*generate, "--repeat", 1, "--quiet", "--write-input", binary)
        self.assertEqual(len(list(binary.iterdir())), 12)  # in the order of their numbers, 2 before 10
        for options in ((), ("--precision", "double")):
            self.assertEqual(self.report("--input", binary, *options)["results"],
                             self.report(*generate, *options)["results"])
        pipeline = ("--slots", 2, "--batch", 5, "--readers", 3)
        self.succeed("--input", binary, *pipeline, "--repeat", 1, "--quiet", "--write-input", again)
        for file in binary.iterdir():
            self.assertEqual((again / file.name).read_bytes(), file.read_bytes())

    def test_json_becomes_binary(self):
        json_file = self.one_track()
        self.succeed("--input", json_file, "--repeat", 1, "--quiet", "--write-input", self.folder / "binary")
        self.assertEqual(self.report("--input", self.folder / "binary")["results"],
                         self.report("--input", json_file)["results"])

    def test_any_number_of_readers(self):
        folder = self.folder / "events"
        self.succeed("--generate", 50, "--repeat", 1, "--quiet", "--write-input", folder)
        expected = self.report("--input", folder, "--readers", 1)["results"]
        for options in (("--readers", 4), ("--readers", 4, "--slots", 2, "--batch", 7)):
            self.assertEqual(self.report("--input", folder, *options)["results"], expected)

    def test_a_folder_and_a_limit(self):
        for i in range(3):
            self.one_track(f"event_{i}.json")
        self.assertEqual(self.report("--input", self.folder, "--events", 2)["results"]["events"], 2)


class Pipeline(Case):
    def pipelined(self, *arguments, repeat=2):
        """The report of a run through the pipeline that need not be a success, and the run."""
        file = self.folder / "report.json"
        result = self.run_program(*arguments, "--repeat", repeat, "--json", file)
        return json.loads(file.read_text()), result

    def test_the_tracks_are_those_of_direct_calls(self):
        common = ("--generate", 9, "--seed", 5)
        direct = self.report(*common)
        for slots, batch in ((1, 1), (1, 7), (3, 1), (3, 7)):
            with self.subTest((slots, batch)):
                report = self.report(*common, "--slots", slots, "--events-per-batch", batch)
                self.assertEqual(report["results"], direct["results"])
                pipeline = report["pipeline"]
                self.assertEqual(pipeline["ending"], "end_of_input")
                self.assertEqual(pipeline["events"], {"read": 9, "written": 9, "failed": 0, "not_processed": 0})
                self.assertEqual(len(pipeline["slots"]), slots)
                self.assertEqual(sum(slot["events"] for slot in pipeline["slots"]), 9)
                self.assertGreaterEqual(pipeline["batches"], -(-9 // batch))
                self.assertIn("search_by_triplet", [step["name"] for step in pipeline["algorithms"]])
                rate = pipeline["events_per_s"]
            self.assertAlmostEqual(report["rate"]["events_per_s"], rate, delta=1e-12 * rate)

    def test_all_backends_and_widths(self):
        direct = self.report("--generate", 3)["results"]
        report = self.report("--generate", 3, "--backend", "all", "--lanes", "all", "--slots", 2, "--batch", 2)
        self.assertEqual(report["results"], direct)
        for outcome in report["runs"]:
            self.assertEqual(outcome["hash"], direct["hash"])
            self.assertEqual(outcome["pipeline"]["events"]["written"], 3)

    def test_the_events_go_through_as_often_as_repeat_says(self):
        report, result = self.pipelined("--generate", 4, "--slots", 2, "--batch", 3, repeat=5)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(report["results"]["events"], 4)
        self.assertEqual(report["pipeline"]["events"]["written"], 4 * 5)

    def test_little_memory_gives_all_events(self):
        common = ("--generate", 8, "--slots", 2, "--batch", 8)
        enough = self.report(*common)
        needed = max(slot["device_memory"]["high_water"] for slot in enough["pipeline"]["slots"])
        little = self.report(*common, "--memory", needed // 2)
        self.assertEqual(little["results"], enough["results"])
        self.assertEqual(enough["pipeline"]["batches_made_smaller"], 0)
        self.assertGreater(little["pipeline"]["batches_made_smaller"], 0)
        self.assertLessEqual(little["pipeline"]["slots"][0]["device_memory"]["high_water"], needed // 2)

    def test_too_little_memory_for_any_event(self):
        report, result = self.pipelined("--generate", 2, "--slots", 1, "--memory", "4K")
        self.assertEqual(result.returncode, 1)
        self.assertIn("2 events failed", result.stderr)
        self.assertIn("do not fit", result.stderr)
        self.assertEqual(report["results"]["events"], 0)

    def test_a_damaged_file_among_good_ones(self):
        for i in range(5):
            self.one_track(f"event_{i}.json")
        good = self.report("--input", *(self.folder / f"event_{i}.json" for i in (0, 1, 3, 4)))["results"]
        damaged = self.folder / "event_2.json"
        damaged.write_text(damaged.read_text()[:-20])
        files = [self.folder / f"event_{i}.json" for i in range(5)]
        self.fail_with(3, "event_2.json", "--input", *files)  # direct calls
        report, result = self.pipelined("--input", *files, "--slots", 2, "--batch", 2,
                                        "--output", self.folder / "t.csv")
        self.assertEqual(result.returncode, 3)
        self.assertRegex(result.stderr, r"^lhcb_velo: warning: 1 events failed")
        self.assertIn("event_2.json", result.stderr)
        self.assertEqual(report["results"], good)
        (failure, ) = report["pipeline"]["failures"]
        self.assertEqual((failure["event"], failure["stage"]), (2, "read"))
        self.assertEqual(report["pipeline"]["events"]["written"], 2 * 4)
        self.assertEqual(read_csv(self.folder / "t.csv").rows(), 4)
        self.assertEqual(read_csv(beside(self.folder / "t.csv", "events"))["name"],
                         [f"event_{i}.json" for i in (0, 1, 3, 4)])

    def test_the_file_of_tracks_is_that_of_direct_calls(self):
        for kind in ("json", "csv", "h5") if self.has_hdf5() else ("json", "csv"):
            direct, pipelined = self.folder / f"direct.{kind}", self.folder / f"pipelined.{kind}"
            self.succeed("--generate", 5, "--repeat", 1, "--output", direct)
            self.succeed("--generate", 5, "--repeat", 3, "--slots", 2, "--batch", 2, "--output", pipelined)
            self.assertEqual(direct.read_bytes(), pipelined.read_bytes())
            for table in ("hits", "events") if kind == "csv" else ():
                self.assertEqual(beside(direct, table).read_bytes(), beside(pipelined, table).read_bytes())

    def test_the_trace_is_one_of_chrome(self):
        file = self.folder / "trace.json"
        self.report("--generate", 6, "--slots", 2, "--batch", 2, "--trace", file)
        events = json.loads(file.read_text())["traceEvents"]
        lanes = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
        self.assertTrue({"reader", "slot 0", "slot 1", "steps of slot 0", "writer"} <= set(lanes.values()))
        spans = [event for event in events if event["ph"] == "X"]
        batches = {event["args"]["batch"] for event in spans if event["name"] == "run"}
        self.assertEqual(batches, {0, 1, 2})
        self.assertEqual(sum(event["args"]["events"] for event in spans if event["name"] == "run"), 6)
        for event in spans:
            self.assertIn(event["tid"], lanes)
            self.assertGreaterEqual(event["dur"], 0)

    def sequence(self, *steps):
        file = self.folder / "sequence.json"
        file.write_text(json.dumps({"sequence": steps}))
        return file

    def test_a_sequence_from_a_file(self):
        steps = ("stage_velo_hits", "copy_velo_hits", "sort_by_phi", "search_by_triplet", "fit_lines",
                 "count_velo_tracks", "pack_velo_tracks", "collect_velo_tracks")
        common = ("--generate", 4, "--slots", 2, "--batch", 3)
        other = self.report(*common, "--sequence", self.sequence(*steps))
        self.assertEqual(other["results"], self.report(*common)["results"])
        self.assertEqual(tuple(step["name"] for step in other["pipeline"]["algorithms"]), steps)

    def test_wrong_sequences(self):
        good = ["stage_velo_hits", "copy_velo_hits", "sort_by_phi", "search_by_triplet", "fit_lines",
                "count_velo_tracks", "pack_velo_tracks", "collect_velo_tracks"]
        for words, steps in (("search_by_triplet", [name for name in good if name != "search_by_triplet"]),
                             ("there is no algorithm abracadabra", ["abracadabra", *good]),
                             ("the last step must be collect_velo_tracks", good[:-1]),
                             ("which is there already", [*good[:3], "sort_by_phi", *good[3:]])):
            with self.subTest(steps):
                result = self.fail_with(3, words, "--generate", 1, "--slots", 1, "--sequence", self.sequence(*steps))
                self.assertIn("sequence.json", result.stderr)
        self.fail_with(3, "nowhere.json", "--generate", 1, "--slots", 1, "--sequence", self.folder / "nowhere.json")

    def test_the_listed_sequence_is_a_file_that_runs(self):
        text = self.succeed("--list-algorithms").stdout
        self.assertIn("search_by_triplet", text)
        steps = json.loads(text[text.index("{"):])["sequence"]
        self.report("--generate", 1, "--slots", 1, "--sequence", self.sequence(*steps))

    def test_a_scan_of_slots_and_batches(self):
        result = subprocess.run([sys.executable, ROOT / "scripts" / "bench", "scan", "--busy", "--over", "slots=1,2", "--over", "batch=1,4",
                                 "--value", "rate/events_per_s", "--value", "smaller=pipeline/batches_made_smaller", "--rounds", "2",
                                 "--json", self.folder / "scan.json", "--", PROGRAM, "--generate", "3", "--repeat", "2"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        points = json.loads((self.folder / "scan.json").read_text())["points"]
        self.assertEqual([list(point["options"].values()) for point in points], [["1", "1"], ["1", "4"], ["2", "1"], ["2", "4"]])
        for point in points:
            self.assertGreater(point["values"]["rate/events_per_s"]["median"], 0)
            self.assertEqual(point["values"]["smaller"]["median"], 0)

    def test_a_signal_ends_a_run_with_what_was_finished(self):
        file, tracks = self.folder / "report.json", self.folder / "tracks.json"
        process = subprocess.Popen([PROGRAM, "--generate", "20", "--slots", "2", "--batch", "5", "--repeat", "1000000",
                                    "--json", str(file), "--output", str(tracks)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(600):  # the pipeline writes tracks: it runs
            time.sleep(0.1)
            if tracks.exists() and tracks.stat().st_size > 1000:
                break
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("stopped by a signal", errors)
        report = json.loads(file.read_text())
        self.assertEqual(report["pipeline"]["ending"], "stop_requested")
        written = report["pipeline"]["events"]["written"]
        self.assertGreater(written, 0)
        self.assertEqual(report["results"]["events"], min(written, 20))
        self.assertEqual(len(json.loads(tracks.read_text())["events"]), min(written, 20))

    def test_options_that_would_have_no_effect(self):
        for words, *arguments in (("--trace", "--trace", "t.json"), ("--sequence", "--sequence", "s.json"),
                                  ("--memory", "--memory", "1M"),
                                  ("--slots", "--slots", 0), ("--memory", "--slots", 1, "--memory", "much")):
            with self.subTest(arguments):
                self.fail_with(2, words, "--generate", 1, *arguments)


class Output(Case):
    def test_the_table(self):
        text = self.succeed("--generate", 5, "--backend", "all", "--repeat", 1).stdout
        for words in ("efficiency", "long>5GeV", "serial", "us per event"):
            self.assertIn(words, text)
        if len(self.succeed("--version").stdout.split("backends ")[1].split()) > 1:
            self.assertIn("gave the same bits", text)

    def test_quiet_says_nothing(self):
        result = self.succeed("--generate", 2, "--repeat", 1, "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_no_progress_bar_without_a_terminal(self):
        self.assertEqual(self.succeed("--generate", 2, "--repeat", 1).stderr, "")

    def test_tracks_as_json_and_csv(self):
        found = self.report("--generate", 3, "--output", self.folder / "t.json")["results"]["tracks"]
        file = self.folder / "t.csv"
        self.succeed("--generate", 3, "--repeat", 1, "--output", file)
        events = json.loads((self.folder / "t.json").read_text())["events"]
        self.assertEqual(sum(len(event["tracks"]) for event in events), found)
        table, hits, of_events = read_csv(file), read_csv(beside(file, "hits")), read_csv(beside(file, "events"))
        self.assertEqual(of_events, {"event": [0, 1, 2], "name": [event["event"] for event in events],
                                     "n_tracks": [len(event["tracks"]) for event in events]})
        self.assertEqual((table.units["x"], table.units["tx"]), ("mm", None))
        self.assertEqual(table.metadata["program"], "lhcb_velo")
        self.assertEqual(json.loads(table.metadata["input"])["seed"], 1)
        expected = [(e, track) for e, event in enumerate(events) for track in event["tracks"]]
        for i, (event, track) in enumerate(expected):
            self.assertEqual((table["event"][i], table["track"][i], table["n_hits"][i]), (event, i, len(track["hits"])))
            for name in ("x", "y", "z", "tx", "ty", "chi2", "ndf", "backward"):
                self.assertEqual(float32(table[name][i]), track[name])
        self.assertEqual(list(zip(*hits.values())),
                         [(event, i, hit) for i, (event, track) in enumerate(expected) for hit in track["hits"]])

    def test_tracks_as_hdf5(self):
        self.need_h5dump()
        for precision in ("float", "double"):
            file, hdf5 = self.folder / "t.csv", self.folder / "t.h5"
            for tracks in (file, hdf5):
                self.succeed("--generate", 3, "--repeat", 1, "--precision", precision, "--output", tracks)
            self.check_same_tables({"tracks": file, "hits": beside(file, "hits"), "events": beside(file, "events")}, hdf5,
                                   precision)

    def test_the_tables_have_the_same_bytes_from_every_backend(self):
        self.check_reproducible("--generate", 4, "--repeat", 1, "--output", tables=("hits", "events"))

    def test_the_picture_shows_every_hit(self):
        report = self.report("--generate", 2, "--display", 1)
        (plot,) = report["plots"]
        hits, tracks = (int(words.split()[0]) for words in plot["title"].split(": ")[1].split(", "))
        for panel in plot["panels"]:
            count = {style: sum(len(series["x"]) for series in panel["series"]
                                if series["style"] == style and not series.get("background"))
                     for style in ("dots", "segments")}
            self.assertEqual(count, {"dots": hits, "segments": tracks})

    def test_the_event_display_has_all_hits_and_tracks(self):
        file = self.folder / "events.json"
        report = self.report("--generate", 3, "--event-display", file)
        events = json.loads(file.read_text())
        self.assertEqual(len(events), 3)
        counts = {kind: sum(len(entries) for event in events.values() for entries in event[kind].values()) for kind in ("Tracks", "Hits")}
        self.assertEqual(counts, {"Tracks": report["results"]["tracks"], "Hits": report["results"]["hits"]})
        scene = json.loads((self.folder / "events.gltf").read_text())
        self.assertEqual(scene["meshes"][0]["name"], "VELO")
        self.report("--generate", 3, "--display", 2, "--event-display", file)
        self.assertEqual(list(json.loads(file.read_text())), list(events)[2:])
        self.fail_with(2, "--event-display", "--generate", 1, "--event-display", "events.gltf")
        other = self.folder / "other.json"
        self.fail_with(2, "there is no event 3", "--generate", 3, "--display", 3, "--event-display", other)
        self.assertFalse(other.exists())

    def test_overflow_warns_and_names_the_option(self):
        result = self.succeed("--generate", 5, "--repeat", 1, "--hits-per-slot", 1000)
        self.assertRegex(result.stderr, r"^lhcb_velo: warning: \d+ seeds .*--hits-per-slot")
        report = self.report("--generate", 5, "--hits-per-slot", 1000)
        self.assertGreater(report["results"]["overflow"], 0)

    def test_a_file_that_cannot_be_written(self):
        self.fail_with(1, "cannot be written", "--generate", 1, "--repeat", 1, "--json", self.folder / "no" / "a.json")


if __name__ == "__main__":
    main()
