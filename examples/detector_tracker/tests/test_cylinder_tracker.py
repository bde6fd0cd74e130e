# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cylinder_tracker as a user would: python3 test_cylinder_tracker.py PROGRAM"""

import json
import math
import os
import struct
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from program_case import ONE_LANE, ProgramCase, main  # noqa: E402
from tables import TableCase, beside, read_csv  # noqa: E402

STRATEGIES = ("best_hit", "standard", "clone_engine")
DEFINITIONS = ("D1", "D2", "D3")
STEPS = {"load", "binning", "seeding", "seed_fit", "clean", "fit", "smooth", "total"}

# Of an event of 300 particles of seed 7: a change of generator, seeds, building or fit that changes a bit changes them.
GOLDEN = {"truth": {"float": "bb61ec2cc28d97c2", "double": "41fe6fb051761187"},
          "triplets": {"float": "cb68d8c9be15b5fb", "double": "44fdbe97cd6588bf"}}


class Information(ProgramCase):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Input:", "Generated events:", "Tracking:", "Pipeline:", "How to run:", "Output:", "Examples:", "Exit status:",
                      "--strategy", "--seeds", "--display"):
            self.assertIn(words, text)


class WrongUsage(ProgramCase):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--nonsense", "--nonsense"),
                ("both were given", "--generate", 1, "--input", "events.bin"),
                ("--generate", "--generate", 0),
                ("--tracks", "--generate", 1, "--tracks", 200001),
                ("--min-pt", "--generate", 1, "--min-pt", 3, "--max-pt", 2),
                ("--inefficiency", "--generate", 1, "--inefficiency", 1.5),
                ("--strategy", "--generate", 1, "--strategy", "luck"),
                ("--seeds", "--generate", 1, "--seeds", "none"),
                ("--max-holes", "--generate", 1, "--max-holes", -1),
                ("--seeds-per-team", "--generate", 1, "--seeds-per-team", 0),
                ("there is no event 3", "--generate", 1, "--tracks", 10, "--repeat", 1, "--display", 3)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)


class WrongInput(ProgramCase):
    def test_a_file_that_is_none(self):
        file = self.folder / "events.bin"
        self.fail_with(3, "events.bin", "--input", file)
        file.write_bytes(b"nothing of use")
        self.fail_with(3, "events.bin", "--input", file)

    def test_a_file_without_events(self):
        file = self.folder / "events.bin"
        file.write_bytes(bytes(4))
        self.fail_with(3, "events.bin: it has no events", "--input", file, "--display", 0)
        self.fail_with(3, "it has no events", "--input", file, "--slots", 1)

    def test_events_with_numbers_that_cannot_be(self):
        file = self.folder / "events.bin"
        self.succeed("--generate", 1, "--tracks", 20, "--repeat", 1, "--write-input", file)
        data = file.read_bytes()
        for words, place, values in (("tracks[0]: its x is not finite", 12, [math.nan]),
                                     ("tracks[0]: its 1/pT is 0", 12, 6 * [0.]),
                                     ("layers[0].hits[0]: its covariance is none", 12 + 20 * 168 + 8 + 12, 6 * [0.])):
            with self.subTest(words):
                damaged = bytearray(data)
                struct.pack_into(f"<{len(values)}f", damaged, place, *values)
                file.write_bytes(damaged)
                self.fail_with(3, words, "--input", file)

    def test_a_file_that_is_cut_off(self):
        file = self.folder / "events.bin"
        self.succeed("--generate", 1, "--tracks", 20, "--repeat", 1, "--write-input", file)
        file.write_bytes(file.read_bytes()[:-1])
        self.fail_with(3, "events.bin", "--input", file)


class Reports(ProgramCase):
    def small(self, *more):
        return self.report("--generate", 1, "--tracks", 300, "--seed", 7, "--strategy", "all", *more)

    def check_quality(self, quality):
        self.assertGreaterEqual(quality["efficiency"], 0)
        self.assertLessEqual(quality["efficiency"], 1)
        for over in ("over_pt", "over_eta", "over_phi"):
            bins = quality[over]
            self.assertTrue(all(a["to"] == b["from"] for a, b in zip(bins, bins[1:])))
            total = sum(bin["total"] for bin in bins)
            passed = sum(bin["passed"] for bin in bins)
            self.assertAlmostEqual(passed / total, quality["efficiency"], places=12)

    def test_the_keys(self):
        report = self.small()
        self.assertEqual(set(report["time_us"]), STEPS | set(STRATEGIES))
        self.assertEqual(set(report["rate"]), {name + "_events_per_s" for name in STRATEGIES})
        for strategy in STRATEGIES:
            self.assertAlmostEqual(report["rate"][strategy + "_events_per_s"] * report["time_us"][strategy], 1e6, delta=1)
            results = report["results"][strategy]
            self.assertEqual(results["tracks"], 300)
            for definition in DEFINITIONS:
                quality = results[definition]
                self.check_quality(quality)
                self.assertEqual(quality["good"] + quality["fake"] + quality["neither"], 300)
        self.assertEqual(report["results"]["seeds"]["count"], 300)
        self.assertEqual(report["results"]["seeds"]["fake_rate"], 0)

    def test_sparse_events_are_found_and_fitted(self):
        report = self.report("--generate", 10, "--tracks", 300, "--strategy", "all")
        for strategy in STRATEGIES:
            results = report["results"][strategy]
            for definition in DEFINITIONS:
                self.assertGreater(results[definition]["efficiency"], 0.99)
                self.assertLess(results[definition]["fake_rate"], 0.01)
            fit = results["fit"]
            self.assertGreater(fit["fitted"], 0.99 * fit["tracks"])
            self.assertAlmostEqual(fit["chi2_per_degree_of_freedom"], 1, delta=0.05)
            for pull in fit["pulls"].values():
                self.assertLess(abs(pull["mean"]), 5 * pull["mean_error"])
                self.assertLess(abs(pull["width"] - 1), 6 * pull["width_error"])

    def test_of_no_tracks_there_are_no_means(self):
        file = self.folder / "report.json"
        text = self.succeed("--generate", 1, "--tracks", 0, "--noise", 20, "--seeds", "triplets", "--repeat", 1, "--json", file).stdout
        self.assertRegex(text, r"\nclone engine +0 +0 +- +- +-\n")
        fit = json.loads(file.read_text())["results"]["clone_engine"]["fit"]
        self.assertIsNone(fit["chi2_per_degree_of_freedom"])
        self.assertEqual({value for pull in fit["pulls"].values() for key, value in pull.items() if key != "counts"}, {None})

    def test_material_is_allowed_for(self):
        results = self.report("--generate", 10, "--tracks", 300, "--material", 0.1, "--max-pt", 2)["results"]["clone_engine"]
        self.assertGreater(results["D1"]["efficiency"], 0.99)
        fit = results["fit"]
        self.assertAlmostEqual(fit["chi2_per_degree_of_freedom"], 1, delta=0.05)
        for pull in fit["pulls"].values():
            self.assertLess(abs(pull["mean"]), 6 * pull["mean_error"])
            self.assertLess(abs(pull["width"] - 1), 0.05)

    def test_the_status_of_fits(self):
        file = self.folder / "report.json"
        for more, some_end in ((("--material", 1, "--min-pt", 0.2, "--max-pt", 0.6, "--max-holes", 10), True), ((), False)):
            text = self.succeed("--generate", 1, "--tracks", 300, "--repeat", 1, "--json", file, *more).stdout
            results = json.loads(file.read_text())["results"]["clone_engine"]
            statuses = results["fit"]["status_of_fits"]
            self.assertEqual(sum(statuses.values()), results["tracks"])
            self.assertGreaterEqual(statuses["fitted"], results["fit"]["fitted"])
            self.assertEqual(statuses["fitted"] < results["tracks"], some_end)
            self.assertEqual("status of the fits, clone engine: " in text, some_end)

    def test_standard_and_clone_engine_find_the_same(self):
        results = self.report("--generate", 2, "--tracks", 3000, "--inefficiency", 0.05, "--noise", 500,
                              "--strategy", "all")["results"]
        self.assertEqual(results["standard"], results["clone_engine"])
        self.assertNotEqual(results["best_hit"], results["clone_engine"])
        self.assertGreater(results["clone_engine"]["D1"]["efficiency"], results["best_hit"]["D1"]["efficiency"])

    def test_seeds_of_three_hits(self):
        arguments = ("--generate", 5, "--tracks", 500, "--seeds", "triplets", "--above-pt", 0.7)
        results = self.report(*arguments)["results"]
        self.assertGreater(results["seeds"]["efficiency"], 0.98)
        self.assertEqual(results["seeds"]["lost"], 0)
        quality = results["clone_engine"]["D1"]
        self.assertGreater(quality["efficiency"], 0.97)
        self.assertLess(quality["fake_rate"], 0.02)
        self.assertLess(quality["duplicate_rate"], 0.001)
        kept = self.report(*arguments, "--keep-shared")["results"]["clone_engine"]
        self.assertEqual(kept["tracks"], results["seeds"]["count"])
        self.assertGreater(kept["D1"]["duplicate_rate"], 0.01)

    def test_many_layers_without_hits_stop_candidates(self):
        few, many = (self.report("--generate", 1, "--tracks", 300, "--inefficiency", 0.4, "--max-holes", holes)["results"]["clone_engine"]["D1"]["good"] for holes in (0, 5))
        self.assertLess(few, many)

    def test_written_events_are_read_as_they_were(self):
        file = self.folder / "events.bin"
        written = self.report("--generate", 2, "--tracks", 200, "--write-input", file)
        read = self.report("--input", file)
        self.assertEqual(read["results"]["clone_engine"]["D1"], written["results"]["clone_engine"]["D1"])
        self.assertEqual(read["input"]["events"], 2)
        one = self.report("--input", file, "--events", 1)
        self.assertEqual(one["results"]["particles"], 200)

    def test_how_work_is_shared_out_changes_nothing(self):
        expected = self.small()["results"]
        for more in (("--seeds-per-team", 1), ("--seeds-per-team", 5), ("--threads", 1), ("--backend", "serial"),
                     ONE_LANE):
            with self.subTest(more):
                self.assertEqual(self.small(*more)["results"], expected)
        batches = (self.report("--generate", 3, "--tracks", 100, "--batch", batch)["results"]["clone_engine"]["D1"]
                   for batch in (1, 10))
        self.assertEqual(*batches)
        hashes = {self.report("--generate", 3, "--tracks", 100, "--batch", batch)["results"]["clone_engine"]["tracks_hash"]
                  for batch in (1, 2, 10)}
        self.assertEqual(len(hashes), 1)

    def test_the_tracks_are_golden(self):
        for seeds, of_precision in GOLDEN.items():
            for precision, golden in of_precision.items():
                for more in ((), ("--backend", "all", "--lanes", "all")):
                    with self.subTest((seeds, precision, *more)):
                        results = self.small("--seeds", seeds, "--precision", precision, *more)["results"]
                        self.assertEqual(results["clone_engine"]["tracks_hash"], golden)

    def test_threads_and_precisions(self):
        report = self.report("--tracks", 300, "--strategy", "all", "--backend", "all", "--threads", "1,2", "--precision", "all")
        self.assertIs(report["same_bits"], True)
        self.assertEqual(len({run["hash"] for run in report["runs"]}), 2)
        for run in report["runs"]:
            self.assertEqual(set(run["time_us"]), STEPS | set(STRATEGIES))

    def test_options_from_a_file(self):
        options = ("--generate", 2, "--tracks", 100, "--strategy", "best_hit", "--seeds", "triplets", "--keep-shared")
        file = self.folder / "options.ini"
        file.write_text(self.succeed(*options, "--dump-config").stdout)
        self.assertEqual(self.report("--config", file)["results"], self.report(*options)["results"])

    def test_the_first_events_only(self):
        one, two = (self.report("--generate", n, "--events", 1, "--tracks", 50)["results"] for n in (1, 2))
        self.assertEqual(one, two)


class Pipeline(ProgramCase):
    EVENTS = ("--generate", 5, "--tracks", 100, "--seed", 3)

    def test_the_tracks_are_those_of_direct_calls(self):
        for more in (("--strategy", "all"), ("--seeds", "triplets"), ("--seeds", "triplets", "--keep-shared"),
                     ("--precision", "double", "--material", 0.1)):
            direct = self.report(*self.EVENTS, *more)["results"]
            for slots, batch in ((1, 1), (3, 1), (1, 7), (3, 2)):
                with self.subTest((*more, slots, batch)):
                    report = self.report(*self.EVENTS, *more, "--slots", slots, "--events-per-batch", batch)
                    self.assertEqual(report["results"], direct)
                    for pipeline in report["pipeline"].values():
                        self.assertEqual(pipeline["events"], {"read": 5, "written": 5, "failed": 0, "not_processed": 0})
                        self.assertEqual(len(pipeline["slots"]), slots)

    def test_the_events_go_through_as_often_as_repeat_says(self):
        file = self.folder / "report.json"
        self.succeed(*self.EVENTS, "--slots", 2, "--batch", 2, "--repeat", 3, "--json", file)
        report = json.loads(file.read_text())
        self.assertEqual(report["results"]["events"], 5)
        self.assertEqual(report["pipeline"]["clone_engine"]["events"]["written"], 5 * 3)

    def test_all_backends(self):
        direct = self.report(*self.EVENTS)["results"]
        report = self.report(*self.EVENTS, "--backend", "all", "--slots", 2, "--batch", 2)
        for outcome in report["runs"]:
            self.assertEqual(outcome["hash"], direct["hash"])

    def test_events_of_a_file(self):
        file = self.folder / "events.bin"
        written = self.report(*self.EVENTS, "--write-input", file)
        read = self.report("--input", file, "--slots", 2, "--batch", 2)
        self.assertEqual(read["results"]["clone_engine"]["D1"], written["results"]["clone_engine"]["D1"])

    def test_little_memory_gives_all_events(self):
        common = (*self.EVENTS, "--slots", 1, "--batch", 5)
        enough = self.report(*common)
        (slot, ) = enough["pipeline"]["clone_engine"]["slots"]
        little = self.report(*common, "--memory", slot["device_memory"]["high_water"] // 2)
        self.assertEqual(little["results"], enough["results"])
        self.assertGreater(little["pipeline"]["clone_engine"]["batches_made_smaller"], 0)

    def test_the_trace(self):
        file = self.folder / "trace.json"
        self.report(*self.EVENTS, "--slots", 2, "--batch", 2, "--trace", file)
        names = {event["name"] for event in json.loads(file.read_text())["traceEvents"]}
        self.assertTrue({"read", "run", "write", "bin_hits", "clone_engine", "smooth_tracks"} <= names)

    def sequence(self, *steps):
        file = self.folder / "sequence.json"
        file.write_text(json.dumps({"sequence": steps}))
        return file

    def test_a_sequence_says_what_runs(self):
        head = ("stage_hits", "upload_hits", "bin_hits", "find_triplets", "count_triplets", "fill_seeds", "fit_seeds",
                "best_hit")
        tail = ("smooth_tracks", "copy_out", "collect")
        for step, options in (("keep_tracks", ("--keep-shared", )), ("resolve_ambiguities", ())):
            expected = self.report(*self.EVENTS, "--seeds", "triplets", "--strategy", "best_hit", *options)
            found = self.report(*self.EVENTS, "--slots", 2, "--sequence", self.sequence(*head, step, *tail))
            self.assertEqual(found["results"], expected["results"])

    def test_wrong_sequences(self):
        for words, steps in (("truth_seeds", ("stage_hits", "upload_hits", "upload_seeds", "clone_engine", "collect")),
                             ("no algorithm build", ("stage_hits", "build", "clone_engine"))):
            result = self.fail_with(3, words, *self.EVENTS, "--slots", 1, "--sequence", self.sequence(*steps))
            self.assertIn("sequence.json", result.stderr)
        self.fail_with(2, "no step builds tracks", *self.EVENTS, "--slots", 1, "--sequence", self.sequence("stage_hits"))


class Tables(TableCase):
    TABLE_ARGUMENTS = ("--generate", 1, "--tracks", 10, "--repeat", 1, "--output")
    EVENTS = ("--generate", 3, "--tracks", 60, "--inefficiency", 0.05)

    def test_the_tables_are_what_the_report_says(self):
        file = self.folder / "t.csv"
        for more in ((), ("--strategy", "all"), ("--seeds", "triplets", "--precision", "double")):
            results = self.report(*self.EVENTS, *more, "--output", file)["results"]
            tracks, hits = read_csv(file), read_csv(beside(file, "hits"))
            self.assertEqual(tracks["track"], list(range(tracks.rows())))
            self.assertEqual(set(tracks["event"]), {0, 1, 2})
            counts = [0] * tracks.rows()
            for track, event in zip(hits["track"], hits["event"]):
                self.assertEqual(event, tracks["event"][track])
                counts[track] += 1
            self.assertEqual(counts, tracks["n_hits"])
            found = [strategy for strategy in STRATEGIES if strategy in results]
            self.assertEqual(len(found), 3 if "--strategy" in more else 1)
            for strategy in found:
                rows = [i for i, name in enumerate(tracks["strategy"]) if name == strategy]
                self.assertEqual(len(rows), results[strategy]["tracks"])
                for i in rows:
                    is_number = not math.isnan(tracks["cov_phi_phi"][i])
                    self.assertEqual(is_number, bool(tracks["complete"][i]))

    def test_tables_as_hdf5(self):
        self.need_h5dump()
        for precision in ("float", "double"):
            for ending in ("csv", "h5"):
                self.succeed(*self.EVENTS, "--repeat", 1, "--precision", precision, "--output", self.folder / f"t.{ending}")
            file = self.folder / "t.csv"
            self.check_same_tables({"tracks": file, "hits": beside(file, "hits")}, self.folder / "t.h5", precision)

    def test_the_same_bytes_from_every_backend(self):
        self.check_reproducible(*self.EVENTS, "--repeat", 1, "--output")

    def test_the_pipeline_gives_the_same_tables(self):
        direct, pipelined = self.folder / "a.csv", self.folder / "b.csv"
        self.succeed(*self.EVENTS, "--repeat", 1, "--output", direct)
        self.succeed(*self.EVENTS, "--repeat", 1, "--slots", 2, "--batch", 2, "--output", pipelined)
        self.assertEqual(direct.read_bytes(), pipelined.read_bytes())
        self.assertEqual(beside(direct, "hits").read_bytes(), beside(pipelined, "hits").read_bytes())


class Output(ProgramCase):
    def test_the_tables(self):
        text = self.succeed("--generate", 1, "--tracks", 100, "--strategy", "all", "--backend", "all", "--repeat", 1).stdout
        for words in ("seeds of the truth", "best hit", "clone engine", "D3", "duplicates", "chi2/ndf", "us per event",
                      "serial"):
            self.assertIn(words, text)

    def test_quiet_says_nothing(self):
        result = self.succeed("--generate", 1, "--tracks", 20, "--repeat", 1, "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_no_particles(self):
        report = self.report("--generate", 1, "--tracks", 0, "--strategy", "all", "--display", 0)
        self.assertEqual(len(report["plots"]), 3)

    def test_the_plots(self):
        report = self.report("--generate", 1, "--tracks", 150, "--strategy", "all", "--noise", 100, "--display", 0)
        quality, pulls, event = report["plots"]
        self.assertEqual([plot["name"] for plot in report["plots"]], ["quality", "pulls", "event"])
        labels = [(panel["x"]["label"], panel["y"]["label"]) for panel in quality["panels"]]
        self.assertEqual(labels[:3], [(x, "efficiency") for x in ("pT [GeV]", "eta", "phi [rad]")])
        self.assertEqual([y for _, y in labels[3:]], 3 * ["fake rate"])
        for panel, over in zip(quality["panels"], ("over_pt", "over_eta", "over_phi")):
            for series, strategy in zip(panel["series"], STRATEGIES, strict=True):
                bins = [bin for bin in report["results"][strategy]["D1"][over] if bin["total"]]
                self.assertEqual(series["y"], [bin["value"] for bin in bins])
                self.assertEqual(series["error"][0], [bins[0]["value"] - bins[0]["low"], bins[0]["high"] - bins[0]["value"]])
        for panel in quality["panels"][3:]:
            for series in panel["series"]:
                self.assertTrue(all(0 <= value <= 1 for value in series["y"]))
        for panel, name in zip(pulls["panels"], ("inverse_pt", "theta")):
            self.assertTrue(panel["series"][-1]["dashed"])
            for series, strategy in zip(panel["series"], STRATEGIES):
                self.assertLessEqual(sum(series["y"]), report["results"][strategy]["fit"]["fitted"])
        for panel, layers in zip(event["panels"], ("circles", "segments")):
            self.assertEqual([series["style"] for series in panel["series"]], [layers, "dots", "polylines"])
            self.assertEqual(len(panel["series"][1]["x"]), report["results"]["hits"])
            self.assertEqual(len(panel["series"][2]["x"]), 150)

    def test_the_display_of_a_large_event_is_a_sample_of_all_directions(self):
        event = self.report("--generate", 2, "--tracks", 3000, "--display", 1)["plots"][-1]
        self.assertIn("Event 1", event["title"])
        along_beam = event["panels"][0]["series"]
        self.assertLessEqual(len(along_beam[1]["x"]), 8000)
        tracks = along_beam[2]
        self.assertTrue(300 < len(tracks["x"]) <= 400)
        quadrants = [0, 0, 0, 0]
        for x, y in zip(tracks["x"], tracks["y"]):
            quadrants[2 * (x[0] > 0) + (y[0] > 0)] += 1
        self.assertGreater(min(quadrants), len(tracks["x"]) / 8)

    def test_the_event_display_has_all_hits_and_tracks(self):
        file = self.folder / "events.json"
        report = self.report("--generate", 2, "--tracks", 150, "--noise", 10, "--event-display", file)
        events = json.loads(file.read_text())
        self.assertEqual(list(events), ["event 0", "event 1"])
        hits = sum(len(hits) for event in events.values() for hits in event["Hits"].values())
        self.assertEqual(hits, report["results"]["hits"])
        for event in events.values():
            self.assertEqual(len(event["Tracks"]["Tracks"]), 150)
            on_tracks = {tuple(hit["pos"]) for hit in event["Hits"]["Hits of tracks"]}
            for track in event["Tracks"]["Tracks"]:
                self.assertLessEqual({tuple(point) for point in track["pos"]}, on_tracks)
        scene = json.loads((self.folder / "events.gltf").read_text())
        self.assertEqual(scene["meshes"][0]["name"], "Cylinders")
        self.report("--generate", 2, "--tracks", 10, "--display", 1, "--event-display", file)
        self.assertEqual(list(json.loads(file.read_text())), ["event 1"])
        self.fail_with(2, "there is no event 2", "--generate", 2, "--tracks", 10, "--display", 2, "--event-display",
                       self.folder / "other.json")
        self.assertFalse((self.folder / "other.json").exists())

    def test_a_small_event_without_options(self):
        report = self.report()
        self.assertEqual((report["input"]["events"], report["results"]["particles"]), (1, 1000))

    def test_a_file_that_cannot_be_written(self):
        self.fail_with(1, "cannot be written", "--generate", 1, "--tracks", 10, "--repeat", 1, "--json",
                       self.folder / "no" / "a.json")


class Data(ProgramCase):
    def test_events_of_mkfit(self):
        data = Path(os.environ.get("TRACKPLEX_DATA", ROOT.parent / "shared" / "data")) / "cylinder" / "toy_2x10k.bin"
        if not data.exists():
            raise unittest.SkipTest(f"{data} is absent")
        results = self.report("--input", data, "--strategy", "all")["results"]
        best, combined = results["best_hit"]["D2"], results["clone_engine"]["D2"]
        # mkFit: 0.931 and 0.023, 0.993 and 0.007; the errors are statistical, of these 20,000 tracks
        self.assertLess(abs(best["efficiency"] - 0.931), 4 * best["efficiency_error"])
        self.assertLess(abs(best["fake_rate"] - 0.023), 4 * best["fake_rate_error"])
        self.assertGreater(combined["efficiency"], 0.993)
        self.assertLess(combined["fake_rate"], 0.007)
        self.assertEqual(results["standard"], results["clone_engine"])
        for pull in results["clone_engine"]["fit"]["pulls"].values():
            self.assertAlmostEqual(pull["width"], 1, delta=0.02)


if __name__ == "__main__":
    main()
