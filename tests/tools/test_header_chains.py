# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scripts/lib/header_chains.py on small made-up projects."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "lib"))
import header_chains  # noqa: E402


def write_headers(root, headers):
    """headers: name below trackplex/ without suffix -> what it includes, likewise or a system header."""
    for name, included in headers.items():
        path = root / "trackplex" / f"{name}.hpp"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"#include <{i}>\n" if "." in i else f"#include <trackplex/{i}.hpp>\n" for i in included))


def sources(headers, left_out=()):
    """Folder/name of each source -> the headers that it includes, in order."""
    with tempfile.TemporaryDirectory() as folder:
        root, output = Path(folder, "include"), Path(folder, "checks")
        write_headers(root, headers)
        header_chains.write(root, output, left_out)
        return {
            path.relative_to(output).as_posix(): [
                m.group(1).removeprefix("trackplex/").removesuffix(".hpp")
                for m in map(header_chains.INCLUDE.match, path.read_text().splitlines()) if m
            ]
            for path in output.rglob("*.cpp")
        }


class Chains(unittest.TestCase):
    def test_headers_that_include_one_another_share_a_source_smallest_first(self):
        self.assertEqual(sources({"a/x": ["a/y"], "a/y": ["a/z"], "a/z": []}), {"plain/a-x.cpp": ["a/z", "a/y", "a/x"]})

    def test_headers_that_do_not_are_apart(self):
        self.assertEqual(sources({"a/x": [], "a/y": []}), {"plain/a-x.cpp": ["a/x"], "plain/a-y.cpp": ["a/y"]})

    def test_before_a_header_stands_only_what_it_includes(self):
        headers = {"a/x": ["a/p", "a/q"], "a/y": ["a/q", "a/r"], "a/p": [], "a/q": ["b/detail/s"], "a/r": ["b/detail/s"],
                   "b/detail/s": []}
        includes = {f"trackplex/{n}.hpp": [f"trackplex/{i}.hpp" for i in found] for n, found in headers.items()}
        seen = []
        for chain in sources(headers).values():
            for i, header in enumerate(chain):
                closure = header_chains.closure(f"trackplex/{header}.hpp", includes)
                self.assertLessEqual({f"trackplex/{name}.hpp" for name in chain[:i]}, closure)
            seen += chain
        self.assertEqual(sorted(seen), sorted(headers))

    def test_as_few_sources_as_possible(self):
        self.assertEqual(len(sources({"a/x": ["a/p", "a/q"], "a/y": ["a/p"], "a/p": [], "a/q": []})), 2)

    def test_headers_in_a_circle_are_apart(self):
        self.assertEqual(len(sources({"a/x": ["a/y"], "a/y": ["a/x"]})), 2)

    def test_with_and_without_kokkos(self):
        headers = {"a/x": ["a/y"], "a/y": ["Kokkos_Core.hpp"], "a/z": ["vector"], "a/w": ["a/y", "a/z"]}
        self.assertEqual(sources(headers), {"kokkos/a-w.cpp": ["a/y", "a/w"], "kokkos/a-x.cpp": ["a/x"],
                                            "plain/a-z.cpp": ["a/z"]})

    def test_left_out_domains(self):
        self.assertEqual(sources({"a/x": [], "io/y": ["a/x"]}, ["io"]), {"plain/a-x.cpp": ["a/x"]})


class Files(unittest.TestCase):
    def test_only_what_changes_is_written_and_old_sources_go(self):
        with tempfile.TemporaryDirectory() as folder:
            root, output = Path(folder, "include"), Path(folder, "checks")
            write_headers(root, {"a/x": [], "a/y": []})
            header_chains.write(root, output, ())
            first = output / "plain" / "a-x.cpp"
            time = first.stat().st_mtime_ns
            write_headers(root, {"a/z": ["a/y"]})
            header_chains.write(root, output, ())
            self.assertEqual(first.stat().st_mtime_ns, time)
            self.assertEqual(sorted(path.name for path in output.rglob("*.cpp")), ["a-x.cpp", "a-z.cpp"])


if __name__ == "__main__":
    unittest.main()
