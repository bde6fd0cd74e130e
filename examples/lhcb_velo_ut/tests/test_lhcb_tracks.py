# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the mode lhcb_tracks: python3 test_lhcb_tracks.py LHCB_TRACKS

What it does is tested as lhcb_velo_ut --long (test_lhcb_velo_ut.py)."""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
import raw_files  # noqa: E402
from program_case import PROGRAM, ProgramCase, main  # noqa: E402
from tables import read_csv  # noqa: E402


class LongTracks(ProgramCase):
    REPORT_ARGUMENTS = ("--repeat", 1, "--quiet")

    def test_the_name(self):
        self.assertRegex(self.succeed("--version").stdout, r"^lhcb_tracks \(Trackplex")
        self.assertIn("Usage: lhcb_tracks", self.succeed("--help").stdout)

    def test_finds_long_tracks_by_default(self):
        events, file, shown = self.folder / "events", self.folder / "t.csv", self.folder / "events.json"
        result = self.succeed("--generate", 1, "--repeat", 1)
        self.assertIn("warning: the geometry has no SciFi", result.stderr)
        self.fail_with(2, "the geometry has no SciFi", "--generate", 1, "--long")
        common = ("--generate", 3, "--seed", 3, "--repeat", 1, "--quiet")
        subprocess.run([Path(PROGRAM).with_name("lhcb_velo_ut"), *map(str, common), "--write-input", events, "--output", file],
                       check=True)
        tracks = raw_files.fast_tracks(read_csv(file), [f"3_{i}" for i in range(3)])
        raw_files.add_scifi(events, tracks)
        report = self.report("--input", events, "--event-display", shown)
        results = report["results"]
        self.assertGreater(results["long_tracks"], 0.7 * sum(map(len, tracks.values())))
        self.assertIn("Long p>5GeV", results["categories"])
        drawn = json.loads(shown.read_text())
        self.assertEqual(sum(len(event["Tracks"].get("Long tracks", [])) for event in drawn.values()), results["long_tracks"])
        self.assertEqual(sum(len(event["Hits"]["SciFi hits"]) for event in drawn.values()), results["scifi_hits"])
        meshes = [mesh["name"] for mesh in json.loads(shown.with_suffix(".gltf").read_text())["meshes"]]
        self.assertEqual(meshes, ["VELO", "UT", "SciFi"])


if __name__ == "__main__":
    main()
