#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipes in packaging/ agree with the project, and the rules for Debian install all headers (where debhelper is)."""

import ast
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGING = PROJECT / "packaging"


def text(path):
    return (PROJECT / path).read_text(encoding="utf-8")


def only(pattern, where):
    """What the pattern captures in a file, which has it once, or always the same."""
    found = set(re.findall(pattern, text(where), re.MULTILINE))
    if len(found) != 1:
        raise AssertionError(f"{where}: {pattern} is there as {found or 'nothing'}")
    return found.pop()


SPACK = "packaging/spack/spack_repo/trackplex/packages/trackplex/package.py"
CONDA = "packaging/conda/recipe.yaml"
VERSION = only(r"^  VERSION ([0-9.]+)$", "CMakeLists.txt")
COMPONENTS = set(re.findall(r"^trackplex_component\((\w+)", text("cmake/TrackplexLibrary.cmake"), re.MULTILINE))


class Recipes(unittest.TestCase):
    def test_versions(self):
        for pattern, where in (
            (r"^trackplex \(([0-9.]+)-\d+\)", "packaging/debian/changelog"),
            (r'^    version\("([0-9.]+)"', SPACK),
            (r"trackplex-([0-9.]+)\.tar", SPACK),
            (r'^  version: "([0-9.]+)"$', CONDA),
            (r"trackplex[-_]([0-9]+\.[0-9]+\.[0-9]+)", "packaging/README.md"),
            (r"trackplex-([0-9.]+)\.tar", "docs/install.md"),
        ):
            with self.subTest(where):
                self.assertEqual(only(pattern, where), VERSION)

    def test_versions_of_dependencies(self):
        minimum = only(r"TRACKPLEX_KOKKOS_MINIMUM ([0-9.]+)\)", "cmake/TrackplexDependencies.cmake")
        limit = int(only(r"TRACKPLEX_KOKKOS_LIMIT ([0-9]+)\)", "cmake/TrackplexDependencies.cmake"))
        cmake = only(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", "CMakeLists.txt")
        self.assertEqual(only(r'"kokkos@(.*)"', SPACK), f"{minimum}:{limit - 1}")
        self.assertEqual(only(r"- kokkos (.*)", CONDA), f">={minimum},<{limit}")
        self.assertEqual(only(r"libkokkos-dev \(>= ([0-9.]+)\)", "packaging/debian/control"), minimum)
        self.assertEqual(only(r'"cmake@([0-9.]+):"', SPACK), cmake)
        self.assertEqual(only(r"- cmake >=([0-9.]+)", CONDA), cmake)
        self.assertEqual(only(r"cmake \(>= ([0-9.]+)\)", "packaging/debian/control"), cmake)

    def test_components(self):
        calls = [node for node in ast.walk(ast.parse(text(SPACK))) if isinstance(node, ast.Call)]
        variants = {call.args[0].value for call in calls if getattr(call.func, "id", "") == "variant"}
        self.assertEqual(variants, COMPONENTS)
        tested = only(r'INSTALLED_COMPONENTS="([\w;]+)"', "packaging/debian/tests/consumer")
        self.assertEqual(set(tested.split(";")), COMPONENTS)

    def test_names(self):
        known = "".join(text(path) for path in ("CMakeLists.txt", "cmake/TrackplexFma.cmake", "scripts/lib/common.sh",
                                                "tests/install/package/CMakeLists.txt"))
        for file in (path for path in PACKAGING.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            for setting in set(re.findall(r"\bTRACKPLEX_\w+", file.read_text())):
                self.assertRegex(known, rf"\b{setting}\b", file)
            for script in set(re.findall(r"\b(?:scripts|tests/install)/\w+", file.read_text())):
                self.assertTrue((PROJECT / script).exists(), f"{file}: {script}")

    def test_recipe_of_conda_parses(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("Python has no yaml (Debian: python3-yaml)")
        self.assertEqual(yaml.safe_load(text(CONDA))["package"]["name"], "trackplex")


class Debian(unittest.TestCase):
    def test_rules_install_all_headers(self):
        if not shutil.which("dh") or not shutil.which("c++"):
            self.skipTest("debhelper or a compiler is not installed")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "trackplex"
            shutil.copytree(PACKAGING / "debian", folder / "debian")
            for part in ("CMakeLists.txt", "LICENSE", "cmake", "include", "scripts"):
                (folder / part).symlink_to(PROJECT / part)
            for command in (["debian/rules", "override_dh_auto_configure"], ["dh_auto_install", "--buildsystem=cmake"]):
                subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            root = folder / "debian" / "libtrackplex-dev" / "usr"
            installed = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
        headers = {str(path.relative_to(PROJECT)) for path in (PROJECT / "include").rglob("*.hpp")}
        for component in COMPONENTS:
            if f"share/cmake/trackplex/trackplex-{component}-targets.cmake" not in installed:
                print(f"the component {component} is left out: its dependencies are missing")
                headers = {header for header in headers if not header.startswith(f"include/trackplex/{component}/")}
        self.assertEqual({file for file in installed if file.startswith("include/")}, headers)
        self.assertIn("share/cmake/trackplex/trackplex-config.cmake", installed)

    def test_examples_exist(self):
        for pattern in text("packaging/debian/libtrackplex-dev.examples").splitlines()[1:]:
            self.assertTrue(list(PROJECT.glob(pattern)), pattern)


if __name__ == "__main__":
    unittest.main()
