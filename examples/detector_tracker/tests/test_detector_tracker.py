# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs detector_tracker as a user would: python3 test_detector_tracker.py PROGRAM"""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from program_case import ONE_LANE, PROGRAM, ProgramCase, main  # noqa: E402
from tables import TableCase, beside, read_csv  # noqa: E402

PULLS = {"inverse_pt", "phi", "theta"}
DATA = Path(os.environ.get("TRACKPLEX_DATA", ROOT.parent / "shared" / "data"))
PARAMETERS = {"inverse_pt", "phi", "theta", "d0", "z0"}
STAGES = {"load", "binning", "seeding", "building", "clean", "fit", "collect", "total"}
CMS = ("--detector", "cms")
TELESCOPE = ("--detector", "telescope")

# Of 300 tracks of seed 7. A change of the generator or the fit that changes a bit changes them.
GOLDEN = {"float": "0937bc68acf1a54a", "double": "17d0d357158d9013"}

TRACK = "simTrack 0 0 0 2 0 0.5 1 pt=2 trkIdx=0 algo=4\n"


def write_modules(file, radii, n_phi=12):
    """Barrels of modules with pixels in TrackML's format, mm."""
    columns = ["volume_id", "layer_id", "module_id", "cx", "cy", "cz"]
    columns += [f"rot_{row}{axis}" for row in "xyz" for axis in "uvw"]
    columns += ["module_t", "module_minhu", "module_maxhu", "module_hv", "pitch_u", "pitch_v"]
    rows = [",".join(columns)]
    for layer, radius in enumerate(radii):
        half_width = (radius - 0.15) * math.tan(math.pi / n_phi)
        for module in range(n_phi):
            phi = 2 * math.pi * module / n_phi
            c, s = math.cos(phi), math.sin(phi)
            numbers = [8, 2 * (layer + 1), module + 1, radius * c, radius * s, 0, -s, 0, c, c, 0, s, 0, 1, 0,
                       0.15, half_width, half_width, 500, 0.05, 0.05]
            rows.append(",".join(map(repr, numbers)))
    file.write_text("\n".join(rows) + "\n")
    return file


def hit(radius, strip=False):
    """A hit of a straight track along (2, 0, 0.5), 20 um by 100 um on a plane across x."""
    zz = 20 if strip else 1e-4
    return f"recHit {radius} 0 {radius / 4} 0 0 4e-6 0 {zz} 0 {radius} 0.25 0 0.02 0.00004\n"


class Information(ProgramCase):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Detector and input:", "Generated events:", "Tracking:", "How to run:", "Output:", "Examples:",
                      "--detector", "--input", "--max-chi2", "--display"):
            self.assertIn(words, text)

    def test_modes_are_arguments_and_links(self):
        for mode, *arguments in (("kalman_fit", "--generate", 20), ("cylinder_tracker", "--generate", 1, "--tracks", 20)):
            link, file = Path(PROGRAM).with_name(mode), self.folder / "report.json"
            reports = []
            for command in ([PROGRAM, mode], [link]):
                subprocess.run([*map(str, (*command, *arguments)), "--repeat", "1", "--quiet", "--json", file], check=True)
                reports.append(json.loads(file.read_text()))
            self.assertEqual([report["program"] for report in reports], [mode, mode])
            self.assertEqual(*(report["results"] for report in reports))
            self.assertIn(f"detector_tracker {mode}", self.succeed("--help").stdout)
            self.assertIn("A mode of detector_tracker", self.succeed(mode, "--help").stdout)


class WrongUsage(ProgramCase):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--detector", "--detector", "atlantis"),
                ("--generate", "--generate", 0),
                ("--min-pt", "--min-pt", 3, "--max-pt", 3),
                ("--min-pt", *CMS, "--min-pt", 3, "--max-pt", 3),
                ("--min-pt", *CMS, "--min-pt", 0.1),
                ("--field", "--field", 0),
                ("--field", *CMS, "--field", 0),
                ("--field", "--detector", "trackml", "--field", 2),
                ("--generate", "--detector", "trackml", "--input", __file__, "--generate", 10),
                ("--generate", *CMS, "--input", __file__, "--generate", 10),
                ("--input", "--input", __file__),
                ("--geometry", "--geometry", __file__),
                ("--particles", *CMS, "--particles", __file__),
                ("--particles", "--detector", "trackml", "--input", __file__, "--particles", __file__),
                ("--tracks", "--particles", __file__, "--tracks", 10),
                ("--noise", "--detector", "acts", "--input", __file__, "--noise", 0.1),
                ("--noise", "--noise", 0.95),
                ("--noise", *CMS, "--noise", 0.1),
                ("--batch", *CMS, "--batch", 2),
                ("--slots", *CMS, "--slots", 2),
                ("--list-algorithms", *CMS, "--list-algorithms"),
                ("--memory", "--memory", "64M"),
                ("--fingerprints", *CMS, "--fingerprints", "bits.json"),
                ("--sigma-z", *CMS, "--sigma-z", 1),
                ("--sigma-z", "--detector", "telescope", "--sigma-z", 1),
                ("--sigma-z", "--sigma-z", 0),
                ("there is no event 3", "--tracks", 10, "--display", 3),
                ("there is no event 3", *TELESCOPE, "--generate", 3, "--display", 3),
                ("--input", *TELESCOPE, "--input", __file__),
                ("--min-pt", *TELESCOPE, "--min-pt", 1),
                ("--particles", *TELESCOPE, "--particles", __file__),
                ("--max-chi2", "--max-chi2", -1)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)

    def test_the_event_display_has_the_modules_of_each_layer(self):
        file = self.folder / "events.json"
        self.succeed("--tracks", 200, "--repeat", 1, "--event-display", file)
        (event,) = json.loads(file.read_text()).values()
        for track in event["Tracks"]["Tracks"]:
            points = track["pos"]
            self.assertGreaterEqual(len(points), 3)
            for a, b, c, d in zip(points, points[1:], points[2:], points[3:]):  # in the order of flight
                self.assertLessEqual(math.dist(a, b) + math.dist(c, d), math.dist(a, c) + math.dist(b, d) + 1e-6)
        scene = json.loads((self.folder / "events.gltf").read_text())
        self.assertEqual(scene["scenes"][0]["name"], "small")
        self.assertGreater(len(scene["meshes"]), 3)
        self.fail_with(2, "--event-display", "--event-display", "events.txt")
        self.fail_with(2, "--event-display", *CMS, "--event-display", file)

    def test_damaged_input_names_the_place(self):
        file = self.folder / "muons.txt"
        for text, words in (
                (TRACK + "recHit 1 2\n", "line 2: '' is no number"),
                (TRACK + hit(4) + hit(8), "too few hits"),
                (TRACK + hit(4) + hit(8, strip=True) + hit(12, strip=True), "too few hits"),
                (TRACK + hit(4) + hit(8) + hit(12).replace(" 4e-6 ", " 0 "), "has no plane"),
                ("", "there are no tracks")):
            with self.subTest(words):
                file.write_text(text)
                result = self.run_program(*CMS, "--input", file)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(words, result.stderr)


class WrongInput(ProgramCase):
    def test_files_that_are_none(self):
        file = self.folder / "modules.csv"
        file.write_text("nothing of use")
        self.fail_with(3, "modules.csv", "--detector", file)
        self.fail_with(3, "particles.csv", "--particles", self.folder / "particles.csv")

    def test_events_without_hits(self):
        table = self.write_table()
        self.fail_with(3, "there are no hits", "--detector", table, "--input", self.folder / "event")

    def write_table(self):
        """Three barrels of 12 modules with pixels."""
        return write_modules(self.folder / "modules.csv", (30, 70, 110))


class GeneratedMuons(ProgramCase):
    def check_pulls(self, pulls, errors=5):
        for name, pull in pulls.items():
            with self.subTest(name):
                self.assertLess(abs(pull["mean"]), errors * pull["mean_error"])
                self.assertLess(abs(pull["width"] - 1), errors * pull["width_error"])

    def test_pulls_are_normal(self):
        for precision in ("float", "double"):
            report = self.report(*CMS, "--generate", 20000, "--precision", precision)
            results = report["results"]
            self.assertEqual((results["lost"], results["failed"], results["outliers"]), (0, 0, 0))
            self.assertEqual(set(results["pulls"]), PULLS)
            self.check_pulls(results["pulls"])
            self.check_pulls(results["impact_pulls"])
            self.assertAlmostEqual(results["chi2_per_degree_of_freedom"], 1, delta=0.01)
            self.assertEqual(report["input"]["kind"], "generated")

    def test_all_backends_widths_and_threads(self):
        report = self.report(*CMS, "--generate", 300, "--backend", "all", "--lanes", "all", "--threads", "1,2")
        self.assertIs(report["same_bits"], True)

    def test_the_states_are_golden(self):
        for precision, golden in GOLDEN.items():
            results = self.report(*CMS, "--generate", 300, "--seed", 7, "--precision", precision)["results"]
            self.assertEqual(results["hash"], golden)

    def test_outliers_are_left_out(self):
        results = self.report(*CMS, "--generate", 500, "--max-chi2", 6)["results"]
        self.assertGreater(results["outliers"], 100)
        self.assertLess(results["chi2_per_degree_of_freedom"], 0.95)
        self.assertEqual(sum(results["status_of_fits"].values()), 500)
        self.assertEqual(results["status_of_fits"]["fitted"], results["fitted"] + results["failed"])


class FilesOfMuons(ProgramCase):
    def test_a_straight_track(self):
        file = self.folder / "muons.txt"
        file.write_text(TRACK + "".join(hit(4 * i) for i in range(1, 11)))
        results = self.report(*CMS, "--input", file, file, "--precision", "double")["results"]
        self.assertEqual((results["tracks"], results["fitted"]), (2, 2))
        # straight: a larger momentum than the true one
        self.assertGreater(abs(results["resolution"]["pt_bias"]), 1)  # of any charge

    def test_muons_of_cms(self):
        files = {10: DATA / "cmssw-muons" / "cmssw.rectracks.SingleMu10GeV.10k.new.txt.gz",
                 1: DATA / "cmssw-muons" / "cmssw.rectracks.SingleMu1GeV.first_half.txt.gz"}
        for pt, file in files.items():
            if not file.exists():
                self.skipTest(f"no {file}")
            for precision in ("float", "double"):
                with self.subTest((pt, precision)):
                    results = self.report(*CMS, "--input", file, "--precision", precision)["results"]
                    self.assertEqual(results["fitted"], results["tracks"])
                    for pull in results["pulls"].values():
                        self.assertLess(abs(pull["mean"]), 0.1)
                        self.assertLess(abs(pull["width"] - 1), 0.1)
                    self.assertLess(results["resolution"]["pt_relative"], 0.009)
                    self.assertLess(abs(results["resolution"]["pt_bias"]), 0.002)
                    self.assertTrue(math.isclose(results["chi2_per_degree_of_freedom"], 1, abs_tol=0.05))


class Events(ProgramCase):
    SMALL = ("--generate", 2, "--tracks", 150, "--seed", 7)

    def test_the_keys(self):
        file = self.folder / "report.json"
        self.succeed(*self.SMALL, "--noise", 0.1, "--display", 1, "--repeat", 1, "--json", file)
        report = json.loads(file.read_text())
        results = report["results"]
        self.assertEqual(set(report["time_us"]), STAGES)
        self.assertAlmostEqual(report["rate"]["events_per_s"] * report["time_us"]["total"], 1e6, delta=1)
        self.assertEqual(set(results["pulls"]), PARAMETERS)
        self.assertEqual(report["input"]["noise"], 0.1)
        self.assertEqual([plot["name"] for plot in report["plots"]], ["quality", "pulls", "event"])
        self.assertEqual((results["events"], results["particles"]), (2, 300))
        self.assertEqual(len(results["hash"]), 16)
        for over in ("over_pt", "over_eta", "over_phi"):
            bins = results[over]
            self.assertTrue(all(a["to"] == b["from"] for a, b in zip(bins, bins[1:])))
        for key in ("score", "efficiency", "fake_rate", "matched_efficiency", "duplicate_rate", "purity"):
            self.assertGreaterEqual(results[key], 0)
            self.assertLessEqual(results[key], 1)

    def test_tracks_are_found_and_fitted(self):
        for precision in ("float", "double"):
            with self.subTest(precision):
                results = self.report("--generate", 4, "--tracks", 250, "--precision", precision)["results"]
                self.assertGreater(results["efficiency"], 0.98)
                self.assertLess(results["fake_rate"], 0.01)
                self.assertGreater(results["score"], 0.95)
                self.assertGreater(results["matched_efficiency"], 0.98)
                for pull in results["pulls"].values():
                    self.assertLess(abs(pull["mean"]), 5 * pull["mean_error"])
                    self.assertLess(abs(pull["width"] - 1), 5 * pull["width_error"])

    def test_all_backends_widths_and_threads(self):
        report = self.report(*self.SMALL, "--backend", "all", "--lanes", "all", "--threads", "1,2", "--precision", "all")
        self.assertIs(report["same_bits"], True)
        self.assertEqual(len({run["hash"] for run in report["runs"]}), 2)

    def test_batches_change_nothing(self):
        one, all_events = (self.report("--generate", 3, "--tracks", 100, "--batch", batch)["results"] for batch in (1, 3))
        self.assertEqual(one["hash"], all_events["hash"])
        self.assertEqual(one["efficiency"], all_events["efficiency"])
        self.assertAlmostEqual(one["score"], all_events["score"], places=12)

    def test_fingerprints_have_the_steps_of_each_pass(self):
        file, other = (self.folder / name for name in ("one.json", "other.json"))
        self.report("--generate", 3, "--tracks", 100, "--batch", 2, "--lanes", "all", "--precision", "all", "--fingerprints", file)
        self.report("--generate", 3, "--tracks", 100, "--batch", 2, *ONE_LANE, "--fingerprints", other)
        batches = json.loads(file.read_text())["runs"][0]["batches"]
        self.assertEqual([batch["events"] for batch in batches], [2, 1])
        steps = [step["algorithm"] for step in batches[0]["steps"]]
        self.assertEqual(steps[:4], ["stage_hits", "upload_hits", "free_all_hits", "bin_free_hits"])
        for step in ("bin_free_hits", "clone_engine", "fit_tracks", "collect_tracks"):
            self.assertEqual(steps.count(step), 3, step)
        self.assertEqual(batches[0]["steps"][-1]["arrays"][-1]["size"], 2)  # hashes of the events
        compare = [sys.executable, ROOT / "scripts" / "compare_bits", file, other]
        self.assertIn("The same bits", subprocess.run(compare, capture_output=True, text=True, check=True).stdout)

    def test_the_pipeline_changes_nothing(self):
        events = ("--generate", 5, "--tracks", 60, "--sigma-z", 5)
        journal = ("--journal", self.folder / "finished")
        for detector in ((), TELESCOPE):
            expected = self.report(*detector, *events[:2] if detector else events)["results"]
            for arguments in (("--slots", 2), ("--slots", 2, "--memory", "4M", "--batch", 5), journal, journal):
                with self.subTest((detector, arguments)):
                    results = self.report(*detector, *events[:2] if detector else events, *arguments)["results"]
                    for key in ("hash", "tracks", "efficiency"):
                        self.assertEqual(results[key], expected[key])
            Path(journal[1]).unlink()

    def test_steps_can_be_chosen(self):
        self.assertIn("count_lines", self.succeed(*TELESCOPE, "--list-algorithms").stdout)
        text = self.succeed("--list-algorithms").stdout
        sequence = json.loads(text[text.index('{"sequence"'):])["sequence"]
        passes = len(sequence) // 14
        self.assertEqual((passes, sequence.count("fit_tracks")), (3, 3))
        file = self.folder / "steps.json"
        run = ("--tracks", 100, "--slots", 1, "--sequence", file)
        file.write_text(json.dumps({"sequence": sequence}))
        self.assertEqual(self.report(*run)["results"]["hash"], self.report("--tracks", 100)["results"]["hash"])
        file.write_text(json.dumps({"sequence": sequence[:3 + 2 * 14]}))
        self.assertEqual(self.report(*run)["results"]["tracks_of_pass"][2:], [0])
        file.write_text(json.dumps({"sequence": sequence + sequence[-14:]}))
        self.fail_with(3, "bin_free_hits occurs more often than there are passes (3 passes)", *run)

    def test_seeds_give_other_events(self):
        first, second = (self.report("--tracks", 50, "--seed", seed)["results"]["hash"] for seed in (1, 2))
        self.assertNotEqual(first, second)

    def test_no_particles(self):
        results = self.report("--tracks", 0)["results"]
        self.assertEqual((results["tracks"], results["hits"]), (0, 0))

    def test_particles_of_a_list(self):
        file = self.folder / "particles.csv"
        rows = ["particle_id,vx,vy,vz,px,py,pz,q,nhits"]
        rows += [f"{i + 1},0,0,0,{math.cos(i)},{math.sin(i)},{0.1 * (i % 9 - 4)},{(-1) ** i},0" for i in range(40)]
        file.write_text("\n".join(rows) + "\n")
        results = self.report("--particles", file, "--generate", 2)["results"]
        self.assertEqual(results["particles"], 80)
        self.assertGreater(results["efficiency"], 0.97)

    def test_cuts_on_particles(self):
        results = self.report(*self.SMALL, "--above-pt", 2)["results"]
        self.assertLess(sum(bin["total"] for bin in results["over_pt"]), 200)
        results = self.report(*self.SMALL, "--max-vertex-r", 0)["results"]
        self.assertEqual(sum(bin["total"] for bin in results["over_pt"]), 0)
        near, away = (sum(bin["total"] for bin in self.report(*self.SMALL, "--max-vertex-r", 0.05, *at)["results"]["over_pt"])
                      for at in ((), ("--beam-x", 0.3, "--beam-y", -0.2)))
        self.assertGreater(near, 0.95 * 300)
        self.assertGreater(away, 0.95 * 300)

    def test_collisions_away_from_the_origin(self):
        events = ("--generate", 2, "--tracks", 200)
        at_origin = self.report(*events)["results"]
        report = self.report(*events, "--beam-x", 0.1, "--beam-y", -0.2, "--beam-z", 30)
        self.assertEqual(report["input"]["beam_cm"], [0.1, -0.2, 30])
        for key in ("efficiency", "matched_efficiency"):
            self.assertGreater(report["results"][key], at_origin[key] - 0.005)
        self.assertLess(report["results"]["fake_rate"], 0.005)
        self.assertLess(report["results"]["seed_cut"]["beyond"], 5)
        self.assertGreater(report["results"]["seed_cut"]["tracks_of_first_batch"], 100)

    def test_tracks_beyond_the_cut_are_counted(self):
        report = self.report("--generate", 1, "--tracks", 200, "--sigma-z", 1)
        cut = report["results"]["seed_cut"]
        self.assertAlmostEqual(cut["max_z0_cm"], 3.5)
        self.assertGreater(cut["beyond"], 50)
        text = self.succeed("--generate", 1, "--tracks", 200, "--sigma-z", 1).stdout
        self.assertIn("begin more than 3.5 cm from z = 0 cm", text)

    def test_a_detector_of_a_table(self):
        table = write_modules(self.folder / "modules.csv", (30, 60, 90, 120, 150))
        report = self.report("--detector", table, "--tracks", 100)
        self.assertEqual(report["input"]["modules"], 60)
        self.assertGreater(report["results"]["efficiency"], 0.9)


class Telescope(ProgramCase):
    def test_tracks_are_found_and_fitted(self):
        for precision in ("float", "double"):
            with self.subTest(precision):
                results = self.report(*TELESCOPE, "--generate", 200, "--precision", precision)["results"]
                self.assertEqual(results["events"], 200)
                self.assertGreater(results["efficiency"], 0.99)
                self.assertLess(results["fake_rate"], 0.005)
                self.assertGreater(results["hit_efficiency"], 0.98)
                self.assertGreater(results["purity"], 0.98)
                self.assertEqual(set(results["pulls"]), {"x", "y", "x_slope", "y_slope", "q_over_p"})
                for name in ("x", "y", "q_over_p"):  # slopes: the truth is that in front of the first plane's material
                    pull = results["pulls"][name]
                    self.assertLess(abs(pull["mean"]), 5 * pull["mean_error"])
                    self.assertLess(abs(pull["width"] - 1), 5 * pull["width_error"])

    def test_all_backends_widths_and_threads(self):
        report = self.report(*TELESCOPE, "--generate", 10, "--backend", "all", "--lanes", "all", "--threads", "1,2",
                             "--precision", "all", "--display", 9)
        self.assertIs(report["same_bits"], True)
        self.assertEqual(len({run["hash"] for run in report["runs"]}), 2)
        self.assertEqual([plot["name"] for plot in report["plots"]], ["quality", "pulls", "event"])

    def test_batches_change_nothing(self):
        one, all_events = (self.report(*TELESCOPE, "--generate", 7, "--batch", batch)["results"] for batch in (1, 7))
        self.assertEqual(one["hash"], all_events["hash"])


class Tables(TableCase):
    TABLE_ARGUMENTS = ("--generate", 1, "--tracks", 10, "--repeat", 1, "--output")
    EVENTS = ("--generate", 3, "--tracks", 60, "--batch", 2)

    def check_tables(self, file, results, parameter):
        tracks, hits = read_csv(file), read_csv(beside(file, "hits"))
        self.assertEqual(tracks["track"], list(range(tracks.rows())))
        self.assertEqual(tracks.rows(), results["tracks"])
        counts = [0] * tracks.rows()
        for track, event in zip(hits["track"], hits["event"]):
            self.assertEqual(event, tracks["event"][track])
            counts[track] += 1
        self.assertEqual(counts, tracks["n_hits"])
        self.assertTrue(all(variance > 0 for variance in tracks[f"cov_{parameter}_{parameter}"]))
        self.assertGreater(sum(particle >= 0 for particle in tracks["particle"]), 0.9 * tracks.rows())

    def test_the_tables_are_what_the_report_says(self):
        file = self.folder / "t.csv"
        for precision in ("float", "double"):
            results = self.report(*self.EVENTS, "--precision", precision, "--output", file)["results"]
            self.check_tables(file, results, "inverse_pt")
        results = self.report(*TELESCOPE, "--generate", 20, "--output", file)["results"]
        self.check_tables(file, results, "q_over_p")

    def test_tables_as_hdf5(self):
        self.need_h5dump()
        for ending in ("csv", "h5"):
            self.succeed(*self.EVENTS, "--repeat", 1, "--output", self.folder / f"t.{ending}")
        file = self.folder / "t.csv"
        self.check_same_tables({"tracks": file, "hits": beside(file, "hits")}, self.folder / "t.h5", "float")

    def test_the_same_bytes_from_every_backend(self):
        self.check_reproducible(*self.EVENTS, "--repeat", 1, "--output")


class FilesOfEvents(ProgramCase):
    def data(self, *parts):
        file = DATA.joinpath(*parts)
        if not DATA.joinpath("trackml").exists() or not file.parent.exists():
            self.skipTest(f"no {file}")
        os.environ["TRACKPLEX_DATA"] = str(DATA)
        return file

    def test_an_event_of_trackml(self):
        event = self.data("trackml", "event000000001")
        results = self.report("--detector", "trackml", "--input", event, "--above-pt", 0.5)["results"]
        self.assertGreaterEqual(results["score"], 0.9)
        self.assertGreaterEqual(results["score_above_pt"], 0.95)
        self.assertLessEqual(results["tracks"], 548)
        same = self.report("--detector", "trackml", "--input", f"{event}-hits.csv.gz", "--geometry",
                           event.parent / "detectors.csv.gz", "--above-pt", 0.5)["results"]
        self.assertEqual(same, results)

    def test_muons_of_acts(self):
        hits = self.data("acts-trackml", "hits.csv.gz")
        results = self.report("--detector", "acts", "--input", hits)["results"]
        self.assertGreaterEqual(results["efficiency"], 0.99)
        self.assertLessEqual(results["fake_rate"], 0.005)
        self.assertGreaterEqual(results["hit_efficiency"], 0.98)
        self.assertGreaterEqual(results["purity"], 0.98)
        self.assertNotIn("score", results)


if __name__ == "__main__":
    main()
