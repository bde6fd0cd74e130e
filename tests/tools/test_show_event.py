# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/show_event on a small event. What draws is skipped where Chromium is missing, or Phoenix cannot be fetched."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

sys.dont_write_bytecode = True
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "show_event"
loader = SourceFileLoader("show_event", str(SCRIPT))
show_event = importlib.util.module_from_spec(importlib.util.spec_from_loader("show_event", loader))
loader.exec_module(show_event)
browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

EVENTS = {
    "first": {"event number": 1, "run number": 1,
              "Tracks": {"found": [{"color": "0x1f77b4", "linewidth": 0.3, "pos": [[0, 0, 0], [1, 2, 10], [3, 4, 20]]},
                                   {"color": "0x1f77b4", "linewidth": 0.3, "pos": [[0, 0, 0], [-1, 2, 10], [-3, 4, 20]]}]},
              "Hits": {"hits": [{"type": "CircularPoint", "color": "#2ca02c", "size": 1, "pos": [1, 2, 10]}]},
              "Vertices": {"primary": [{"x": 0, "y": 0, "z": 0, "size": 1, "color": "#d62728"}]}},
    "second": {"event number": 2, "run number": 1}}
GLTF = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"name": "Planes"}]}


class ShowEvent(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "events.json"
        self.file.write_text(json.dumps(EVENTS))

    def run_script(self, *arguments, **environment):
        return subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True, check=False,
                              timeout=600, env={**os.environ, **environment})

    def test_serves_what_the_page_asks_for(self):
        phoenix = self.folder / "cache" / "phoenix"
        phoenix.mkdir(parents=True)
        (phoenix / "phoenix.min.js").write_text("bundle")
        (phoenix.parent / "three.module.min.js").write_text("three")
        (self.folder / "events.gltf").write_text(json.dumps(GLTF))
        content = show_event.files_of(self.file, phoenix.parent)
        self.assertEqual(json.loads(content("/events.json")[0]), EVENTS)
        self.assertEqual(json.loads(content("/geometry.json")[0]), {"name": "Planes"})
        self.assertEqual(json.loads(content("/detector.gltf")[0]), GLTF)
        self.assertEqual(content("/phoenix/phoenix.min.js")[0], b"bundle")
        self.assertEqual(content("/three.module.min.js"), (b"three", "text/javascript"))
        self.assertIn(b"<select", content("/")[0])
        for path in ("/phoenix/1.phoenix.min.js", "/phoenix/../three.module.min.js", "/events.gltf", "/etc/passwd"):
            self.assertIsNone(content(path)[0], path)
        (self.folder / "events.gltf").unlink()
        content = show_event.files_of(self.file, phoenix.parent)
        self.assertEqual(json.loads(content("/geometry.json")[0]), {"name": None})
        self.assertIsNone(content("/detector.gltf")[0])

    def test_other_files_are_refused(self):
        for text, words in (("[1", "is not JSON"), ("[]", "has no events"), (json.dumps(EVENTS["first"]), "--event-display")):
            self.file.write_text(text)
            with self.assertRaises(show_event.ShowError) as refused:
                show_event.read_events(self.file)
            self.assertEqual(refused.exception.status, 3)
            self.assertIn(words, str(refused.exception))
        with self.assertRaises(show_event.ShowError):
            show_event.read_events(self.folder / "none.json")

    def test_a_damaged_detector_and_a_wrong_port_are_refused(self):
        cache = self.folder / "cache" / "trackplex" / "-".join(["phoenix", *show_event.PACKAGES.values()])
        (cache / "phoenix").mkdir(parents=True)
        (cache / "three.module.min.js").write_text("three")
        for port in (-1, 99999):
            result = self.run_script(self.file, "--port", port, XDG_CACHE_HOME=str(self.folder / "cache"))
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, f"^show_event: cannot serve at port {port} ")
        for text in ("[]", "{}", '{"scenes": []}', "{"):
            (self.folder / "events.gltf").write_text(text)
            result = self.run_script(self.file, XDG_CACHE_HOME=str(self.folder / "cache"))
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("events.gltf is no glTF with a scene", result.stderr)

    def test_says_that_npm_is_missing(self):
        result = self.run_script(self.file, PATH=str(self.folder), XDG_CACHE_HOME=str(self.folder / "empty"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("npm is missing", result.stderr)

    def test_reads_the_state_of_a_page(self):
        self.assertEqual(show_event.state_of('<pre id="state">{"errors": ["a &lt; b &amp; c"]}</pre>'), {"errors": ["a < b & c"]})
        self.assertTrue(show_event.state_of("<html></html>")["errors"])

    @unittest.skipUnless(browser, "Chromium is missing")
    def test_draws_all_objects(self):
        result = self.run_script(self.file, "--check")
        if "npm" in result.stderr:
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        state = json.loads(result.stdout.splitlines()[-1])
        self.assertEqual(state["events"], 2)
        self.assertEqual(state["geometry"], 0)
        self.assertEqual(state["drawn"], {"found": 2, "hits": 1, "primary": 1})


if __name__ == "__main__":
    unittest.main()
