# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The YAML files of the project parse and agree with it. Exits with 77 where Python has no yaml."""

import re
import sys
import unittest
from pathlib import Path

try:
    import yaml
except ImportError:
    print("skipped: Python has no yaml (Debian: python3-yaml)")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]


def parsed(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def commands(text):
    """The files of the project that a command names."""
    return [word for word in text.split() if re.match(r"(\.ci|scripts|tests)/", word)]


class ProjectFiles(unittest.TestCase):
    def test_citation(self):
        citation = parsed("CITATION.cff")
        self.assertEqual(citation["cff-version"], "1.2.0")
        for key in ("message", "title", "authors"):
            self.assertTrue(citation[key], key)
        version = re.search(r"^ *VERSION ([0-9.]+)$", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
        self.assertEqual(str(citation["version"]), version[1])
        for reference in citation["references"]:
            for key in ("type", "title", "authors"):
                self.assertTrue(reference[key], key)
            for author in reference["authors"]:
                self.assertTrue("name" in author or "family-names" in author, author)

    @unittest.skipUnless((ROOT / ".pre-commit-config.yaml").exists(), "released archives leave it out")
    def test_hooks(self):
        for repository in parsed(".pre-commit-config.yaml")["repos"]:
            self.assertEqual(repository["repo"], "local")
            for hook in repository["hooks"]:
                files = commands(hook["entry"])
                self.assertTrue(files, hook["id"])
                for file in files:
                    self.assertTrue((ROOT / file).is_file(), file)

    def test_workflows(self):
        for workflow in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
            for job in parsed(workflow.relative_to(ROOT))["jobs"].values():
                for step in job["steps"]:
                    if "uses" in step:
                        self.assertRegex(step["uses"], r"^actions/(checkout|cache)@v\d+$")
                        continue
                    files = commands(step["run"])
                    self.assertTrue(files or step["run"].startswith("ctest "), step["run"])
                    for file in files:
                        self.assertTrue((ROOT / file).is_file(), file)

    def test_issue_templates(self):
        for template in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md")):
            head = template.read_text(encoding="utf-8").split("---\n")[1]
            for key in ("name", "about"):
                self.assertIn(key, yaml.safe_load(head), template.name)


if __name__ == "__main__":
    unittest.main()
