# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lhcb_tracks as a user would: python3 test_lhcb_tracks.py PROGRAM"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import raw_files  # noqa: E402
from program_case import main  # noqa: E402
from tables import TableCase, beside, read_csv  # noqa: E402


class Mode(TableCase):
    """lhcb_tracks is lhcb_velo_ut with vertices and, where the geometry has a SciFi, long tracks."""

    def test_information(self):
        text = self.succeed("--help").stdout
        for words in ("VELO, UT and SciFi", "--long-with-ut", "lhcb_tracks --generate 100"):
            self.assertIn(words, text)
        self.assertRegex(self.succeed("--version").stdout, r"^lhcb_tracks \(Trackplex ")
        self.fail_with(2, "not expected", "--no-such-option")

    def generated(self):
        """A folder of two generated events."""
        events = self.folder / "events"
        self.succeed("--generate", 2, "--repeat", 1, "--write-input", events)
        return events

    def test_without_a_scifi(self):
        events = self.generated()
        (events / "geometry" / "scifi_geometry.bin").unlink()
        report = self.report("--input", events)
        self.assertEqual(report["program"], "lhcb_tracks")
        results = report["results"]
        self.assertGreater(results["vertices"]["found"], 1)
        self.assertNotIn("long_tracks", results)
        self.assertIn("Velo+UT", results["categories"])

    def test_generated_events(self):
        report = self.report("--generate", 40, "--display", 3)
        self.assertEqual(report.get("warnings", []), [])
        results = report["results"]
        self.assertGreater(results["categories"]["Long"]["efficiency"], 0.75)
        self.assertGreater(results["categories"]["Long p>3GeV pT>0.5GeV"]["efficiency"], 0.9)
        self.assertLess(results["ghost_rate"], 0.1)
        self.assertLess(abs(results["momentum"]["median_bias"]), 0.003)
        self.assertLess(results["momentum"]["resolution"], 0.01)
        self.assertGreater(results["vertices"]["efficiency"], 0.9)
        self.assertNotIn("long_fits", results)
        (event,) = (plot for plot in report["plots"] if plot["name"] == "event")
        self.assertEqual([panel["title"] for panel in event["panels"]], ["VELO", "Magnet and UT", "Spectrometer"])

    def test_with_a_scifi(self):
        generated = self.report("--generate", 2)["results"]
        events = self.generated()
        shown = self.folder / "shown.json"
        results = self.report("--input", events, "--event-display", shown)["results"]
        self.assertEqual(results, generated)
        self.assertNotIn("Velo+UT", results["categories"])
        self.assertIn("Velo+UT", results["velo_ut_categories"])
        self.assertEqual(self.report("--input", events, "--long")["results"], results)
        self.assertGreater(results["vertices"]["found"], 1)
        drawn = json.loads(shown.read_text()).values()
        self.assertEqual([(event["run number"], event["event number"]) for event in drawn], [(1, 0), (1, 1)])
        self.assertEqual(sum(len(event["Tracks"].get("Long tracks", [])) for event in drawn), results["long_tracks"])
        self.assertEqual(sum(len(event["Hits"]["SciFi hits"]) for event in drawn), results["scifi_hits"])
        meshes = json.loads(shown.with_suffix(".gltf").read_text())["meshes"]
        self.assertEqual([mesh["name"] for mesh in meshes], ["VELO", "UT", "SciFi"])

    def test_fits(self):
        events, file = self.generated(), self.folder / "t.csv"
        without = self.report("--input", events, "--output", file)["results"]
        self.assertNotIn("long_fits", without)
        self.assertFalse(beside(file, "long_fits").exists())
        found = read_csv(beside(file, "long_tracks"))
        raw_files.kalman_files(events / "geometry" / "kalman")
        report = self.report("--input", events, "--output", file, "--backend", "all", "--lanes", "all")
        fits = report["results"].pop("long_fits")
        self.assertNotEqual(report["results"].pop("hash"), without.pop("hash"))
        self.assertEqual(report["results"], without)
        self.assertTrue(report["input"]["long_fits"])
        self.assertEqual(fits["fits"], without["long_tracks"])
        self.assertGreater(fits["median_chi2_per_ndf"], 0)
        self.check_truth(fits, found, report["plots"])
        table = read_csv(beside(file, "long_fits"))
        self.assertEqual(read_csv(beside(file, "long_tracks")), found)
        self.assertEqual(table["track"], found["track"])
        changes = sorted(abs(p / before - 1) for p, before in zip(table["p"], found["p"]))
        self.assertLess(changes[len(changes) // 2], 0.1)
        self.assertGreater(min(table["cov_qop_qop"]), 0)
        self.assertGreater(min(table["ndf"]), 10)
        self.assertGreater(sum(vertex >= 0 for vertex in table["vertex"]), 0.5 * len(changes))
        limit = sorted(chi2 / ndf for chi2, ndf in zip(table["chi2"], table["ndf"]))[len(found["track"]) // 2]
        limited = self.report("--input", events, "--output", file, "--max-track-chi2", limit)
        self.assertEqual(limited["input"]["max_track_chi2"], limit)
        kept = read_csv(beside(file, "long_fits"))
        self.assertTrue(0 < len(kept["chi2"]) <= len(found["track"]) // 2 + 1)
        self.assertTrue(all(chi2 <= 1.001 * limit * ndf for chi2, ndf in zip(kept["chi2"], kept["ndf"])))
        self.assertEqual(len(read_csv(beside(file, "long_tracks"))["track"]), len(kept["chi2"]))
        json_file = self.folder / "t.json"
        self.succeed("--input", events, "--output", json_file)
        written = json.loads(json_file.read_text())["events"]
        first = written[0]["long_tracks"][0]["fit"]
        for key in ("chi2", "ip_x", "ip_chi2", "qop"):
            self.assertAlmostEqual(first[key] / table[key][0], 1, places=5)
        self.assertEqual(len(first["covariance"]), 15)

    def check_truth(self, fits, found, plots):
        momentum, impact, to_found = fits["momentum"], fits["impact"], fits["vertex_impact"]
        self.assertGreater(momentum["tracks"], 0.5 * len(found["track"]))
        self.assertEqual(sum(b["tracks"] for b in momentum["bins"]), momentum["tracks"])
        self.assertLess(abs(momentum["median_bias"]), 0.2)
        for key in ("resolution", "search_resolution", "qop_pull"):
            self.assertGreater(momentum[key], 0)
        self.assertGreater(impact["tracks"], 0.5 * momentum["tracks"])
        self.assertEqual(sum(b["tracks"] for b in impact["bins"]), impact["tracks"])
        self.assertLess(impact["x_um"], 200)
        for axis in ("x", "y", "tx", "ty"):
            self.assertLess(0.3, impact["pulls"][axis])
            self.assertLess(impact["pulls"][axis], 3)
        self.assertGreater(to_found["tracks"], 0.5 * impact["tracks"])
        self.assertLess(to_found["y_um"], 200)
        self.assertIn("long_fits", [plot["name"] for plot in plots])

    def test_fits_in_a_map(self):
        events, file, map_file = self.generated(), self.folder / "t.csv", self.folder / "map.csv"
        without = self.report("--input", events)["results"]
        raw_files.field_map(map_file)
        raw_files.kalman_files(events / "geometry" / "kalman")  # the map prevails
        report = self.report("--input", events, "--output", file, "--backend", "all", "--lanes", "all", "--field-map", map_file)
        fits = report["results"].pop("long_fits")
        self.assertNotEqual(report["results"].pop("hash"), without.pop("hash"))
        self.assertEqual(report["results"], without)
        self.assertEqual(report["input"]["field_map"], str(map_file))
        self.assertTrue(report["input"]["long_fits"])
        self.assertEqual(fits["fits"], without["long_tracks"])
        found, table = read_csv(beside(file, "long_tracks")), read_csv(beside(file, "long_fits"))
        self.check_truth(fits, found, report["plots"])
        changes = sorted(abs(p / before - 1) for p, before in zip(table["p"], found["p"]))
        self.assertLess(changes[len(changes) // 2], 0.1)
        self.assertGreater(min(table["cov_qop_qop"]), 0)
        self.assertGreater(min(table["ndf"]), 10)

    def test_maps_of_fits(self):
        events, map_file = self.generated(), self.folder / "map.csv"
        raw_files.field_map(map_file, 1.1)
        self.fail_with(3, "map.csv: it is a map of the other polarity", "--input", events, "--field-map", map_file)
        raw_files.field_map(map_file, -11)
        self.fail_with(3, "check the units", "--input", events, "--field-map", map_file)
        map_file.write_text(map_file.read_text().replace("400,300,20,", "400,301,20,"))
        self.fail_with(3, "map.csv", "--input", events, "--field-map", map_file)
        self.fail_with(3, "none.csv", "--input", events, "--field-map", self.folder / "none.csv")
        self.fail_with(2, "leave --kalman-parameters out", "--input", events, "--field-map", map_file, "--kalman-parameters", events)
        (events / "geometry" / "scifi_geometry.bin").unlink()
        self.fail_with(2, "add --long", "--input", events, "--field-map", map_file)

    def test_parameters_of_fits(self):
        events, folder = self.generated(), self.folder / "parameters"
        raw_files.kalman_files(folder)
        self.assertNotIn("long_fits", self.report("--input", events)["results"])
        results = self.report("--input", events, "--kalman-parameters", folder)["results"]
        self.assertEqual(results["long_fits"]["fits"], results["long_tracks"])
        folder.rename(events / "geometry" / "kalman")
        self.assertIn("long_fits", self.report("--input", events)["results"])
        self.assertNotIn("long_fits", self.report("--input", events, "--kalman-parameters", "none")["results"])
        self.fail_with(3, "params_predictV.txt", "--input", events, "--kalman-parameters", self.folder)
        (events / "geometry" / "kalman" / "small.tab").unlink()
        self.fail_with(3, "it has no file", "--input", events)
        self.fail_with(2, "are not fitted", "--input", events, "--kalman-parameters", "none", "--max-track-chi2", 3)
        (events / "geometry" / "scifi_geometry.bin").unlink()
        self.fail_with(2, "add --long", "--input", events, "--kalman-parameters", folder)
        self.fail_with(2, "add --long", "--input", events, "--max-track-chi2", 3)


if __name__ == "__main__":
    main()
