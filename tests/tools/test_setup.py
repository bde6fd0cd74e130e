#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the parts of scripts/setup."""

import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def run(commands):
    """What bash prints for these commands after the parts of scripts/setup."""
    parts = "".join(f". {PROJECT}/scripts/lib/{part}.sh\n" for part in ("common", "debian", "kokkos"))
    return subprocess.run(["bash", "-c", parts + commands], capture_output=True, text=True, check=False)


class Kokkos(unittest.TestCase):
    def test_the_pinned_release_has_an_address_and_a_sum(self):
        self.assertRegex(run("kokkos_release").stdout, r"^https://\S+/kokkos-[0-9.]+\.tar\.gz [0-9a-f]{64}\n$")

    def test_the_archive_is_checked_and_unpacked(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(f"""
                cd {folder} && mkdir kokkos-1 work && echo 'SET(Kokkos_VERSION_MAJOR 1)' >kokkos-1/CMakeLists.txt
                tar czf archive.tar.gz kokkos-1 && sum=$(sha256sum <archive.tar.gz | cut -d" " -f1)
                kokkos_release() {{ echo "file://$PWD/archive.tar.gz $wanted"; }}
                wanted=${{sum//[0-9]/0}} && ! fetch_kokkos_release work || echo taken
                wanted=$sum && fetch_kokkos_release work && kokkos_source_version work/source""")
        self.assertIn("the checksum of the archive is not the pinned one", done.stdout + done.stderr)
        self.assertNotIn("taken", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "1", done.stderr)

    def test_sources_are_kept_in_the_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(f"""
                cache_dir={folder}/cache && mkdir -p $cache_dir {folder}/work
                fetch_kokkos_release() {{
                  echo fetched && mkdir $1/source && echo 'SET(Kokkos_VERSION_MAJOR 1)' >$1/source/CMakeLists.txt
                }}
                provide_kokkos_source {folder}/work && echo "$kokkos_source"
                provide_kokkos_source {folder}/work && kokkos_source_version $kokkos_source""")
        self.assertEqual(done.stdout.splitlines(), ["fetched", f"{folder}/cache/kokkos-source-1", "1"], done.stderr)

    def test_another_cpu_has_another_kokkos(self):
        here, there = (run(f"{setting} bash -c '. {PROJECT}/scripts/lib/common.sh && machine_id'").stdout
                       for setting in ("TRACKPLEX_MARCH=", "TRACKPLEX_MARCH=another"))
        self.assertRegex(here, r"^[0-9a-f]{8}\n$")
        self.assertNotEqual(here, there)


class Jobs(unittest.TestCase):
    def test_no_more_compilers_than_cores_or_memory_for_them(self):
        machines = {"16 64000000": "16", "16 8000000": "6", "2 500000": "1"}
        done = run("".join(f"jobs_for {machine}\n" for machine in machines))
        self.assertEqual(done.stdout.split(), list(machines.values()), done.stderr)

    def test_free_memory_of_this_machine(self):
        self.assertGreater(int(run("free_memory").stdout), 100000)

    def test_the_user_decides(self):
        self.assertEqual(run("CMAKE_BUILD_PARALLEL_LEVEL=77\n. $project_dir/scripts/lib/common.sh\necho $jobs").stdout, "77\n")


if __name__ == "__main__":
    unittest.main()
