# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs lhcb_tracks as a user would: python3 test_lhcb_tracks.py PROGRAM"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import raw_files  # noqa: E402
from program_case import main  # noqa: E402
from tables import TableCase, read_csv  # noqa: E402


class Mode(TableCase):
    """lhcb_tracks is lhcb_velo_ut with vertices and, where the geometry has a SciFi, long tracks."""

    def test_information(self):
        text = self.succeed("--help").stdout
        for words in ("VELO, UT and SciFi", "--long-with-ut", "lhcb_tracks --generate 100"):
            self.assertIn(words, text)
        self.assertRegex(self.succeed("--version").stdout, r"^lhcb_tracks \(Trackplex ")
        self.fail_with(2, "not expected", "--no-such-option")

    def test_without_a_scifi(self):
        report = self.report("--generate", 2)
        self.assertEqual(report["program"], "lhcb_tracks")
        results = report["results"]
        self.assertGreater(results["vertices"]["found"], 1)
        self.assertNotIn("long_tracks", results)
        self.assertIn("Velo+UT", results["categories"])

    def test_with_a_scifi(self):
        events, file = self.folder / "events", self.folder / "t.csv"
        self.succeed("--generate", 2, "--repeat", 1, "--write-input", events, "--output", file)
        tracks = raw_files.fast_tracks(read_csv(file), ["1_0", "1_1"])
        raw_files.add_scifi(events, tracks)
        shown = self.folder / "shown.json"
        results = self.report("--input", events, "--event-display", shown)["results"]
        self.assertGreater(results["long_tracks"], 0.7 * sum(map(len, tracks.values())))
        self.assertNotIn("Velo+UT", results["categories"])
        self.assertIn("Velo+UT", results["velo_ut_categories"])
        self.assertEqual(self.report("--input", events, "--long")["results"], results)
        self.assertGreater(results["vertices"]["found"], 1)
        drawn = json.loads(shown.read_text()).values()
        self.assertEqual(sum(len(event["Tracks"].get("Long tracks", [])) for event in drawn), results["long_tracks"])
        self.assertEqual(sum(len(event["Hits"]["SciFi hits"]) for event in drawn), results["scifi_hits"])
        meshes = json.loads(shown.with_suffix(".gltf").read_text())["meshes"]
        self.assertEqual([mesh["name"] for mesh in meshes], ["VELO", "UT", "SciFi"])


if __name__ == "__main__":
    main()
