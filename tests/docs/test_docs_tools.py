#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what makes and checks the documentation: docs/filter.py, docs/check_site.py, check_docs.py, run_commands.py."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs"
sys.path[:0] = [str(DOCS), str(HERE)]
import check_site  # noqa: E402
import filter  # noqa: E402
import run_commands  # noqa: E402

PAGE = DOCS / "units.md"  # where the text of a test stands


class Filter(unittest.TestCase):
    def test_formulas_between_dollars_but_not_in_code(self):
        self.assertEqual(filter.prose(PAGE, "of $a$ and\n$b +\nc$, `$HOME`"), "of \\f$a\\f$ and\n\\f$b +\nc\\f$, `$HOME`")
        self.assertEqual(filter.prose(PAGE, "$$a\n= b$$"), "\\f[a\n= b\\f]")

    def test_links_to_pages_headings_examples_and_other_files(self):
        self.assertEqual(filter.prose(PAGE, "[a\nb](guide/beam.md)"), '\n@ref page_docs_guide_beam "a b"')
        self.assertEqual(filter.prose(PAGE, "[a](guide/beam.md#two-words)"), '@ref page_docs_guide_beam_two_words "a"')
        self.assertEqual(
            filter.prose(PAGE, "[a](../examples/12_pulses.cpp)"), '<a href="12_pulses_8cpp-example.html">a</a>'
        )
        self.assertEqual(filter.prose(PAGE, "[a](../LICENSE)"), "a")
        self.assertEqual(filter.prose(PAGE, "[a](https://kokkos.org)"), "[a](https://kokkos.org)")

    def test_lists_of_pages_make_the_tree(self):
        page = DOCS / "guide" / "README.md"
        self.assertEqual(filter.prose(page, "- [a](beam.md): x"), '- @subpage page_docs_guide_beam "a": x')
        self.assertEqual(filter.prose(page, "see [a](beam.md)"), 'see @ref page_docs_guide_beam "a"')

    def test_anchors_are_those_of_github(self):
        text = "# A `b`, c\n```sh\n# no heading\n```\n## A `b`, c\n"
        self.assertEqual(list(filter.headings(text)), ["a-b-c", "a-b-c-1"])

    def test_lines_keep_their_numbers(self):
        for page in DOCS.rglob("*.md"):
            self.assertEqual(len(list(filter.markdown(page))), len(page.read_text().splitlines()), page)


class Site(unittest.TestCase):
    def check(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                (Path(folder) / f"{name}.html").write_text(text)
            done = subprocess.run(
                [sys.executable, DOCS / "check_site.py", folder], capture_output=True, text=True, check=False
            )
        return done.returncode, done.stdout

    def test_a_good_site_passes(self):
        self.assertEqual(self.check(a='<a href="b.html#x">', b='<p id="x"><a href="https://kokkos.org">')[0], 0)

    def test_broken_links_are_named(self):
        status, text = self.check(a='<a href="b.html#y"><img src="c.png">', b='<p id="x">')
        self.assertEqual(status, 1)
        self.assertIn("a.html: links to b.html#y, where b.html has no such place", text)
        self.assertIn("a.html: links to c.png, which does not exist", text)

    def test_formulas_that_do_not_show_are_named(self):
        status, text = self.check(a=r"<p>\(\frac{1}{2}\)</p> \frac{1}{2}")
        self.assertEqual(status, 1)
        self.assertIn("stands outside of a formula", text)

    def test_an_empty_site_fails(self):
        self.assertEqual(self.check()[0], 1)


class CheckDocs(unittest.TestCase):
    def problems(self, text):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.md").write_text(text)
            (Path(folder) / "b.cpp").write_text("// SPDX\nint b;\n")
            done = subprocess.run([sys.executable, HERE / "check_docs.py", folder], capture_output=True, text=True, check=False)
        return done.stdout

    def test_links_and_shown_files(self):
        self.assertEqual(self.problems("# One two\n[a](#one-two) [b](b.cpp)\n<!-- file: b.cpp -->\n```cpp\nint b;\n```\n"), "")
        self.assertIn("links to c.md, which does not exist", self.problems("[c](c.md)"))
        self.assertIn("where there is no such heading", self.problems("[c](#c)"))
        self.assertIn("does not show b.cpp", self.problems("<!-- file: b.cpp -->\n```cpp\nint c;\n```\n"))


class Commands(unittest.TestCase):
    def test_lines_without_comments_joined(self):
        text = "```sh\na \\\n  b  # c\n# d\ne\n```\n```cpp\nno\n```\n"
        self.assertEqual(list(run_commands.commands(text)), ["a    b", "e"])

    def test_each_reason_not_to_run_is_one(self):
        pages = [*HERE.parents[1].glob("*.md"), *DOCS.rglob("*.md")]
        shown = [command for page in pages for command in run_commands.commands(page.read_text())]
        for pattern, reason in run_commands.NOT_RUN.items():
            self.assertTrue(any(run_commands.reason_not_to_run(c, None) == reason for c in shown), pattern)

    def test_a_command_that_fails_is_an_error(self):
        with tempfile.TemporaryDirectory() as build:
            self.assertIsNone(run_commands.run("page", ["true"], HERE.parents[1], Path(build), None))
            self.assertIn("failed: false", run_commands.run("page", ["true", "false"], HERE.parents[1], Path(build), None))


if __name__ == "__main__":
    unittest.main()
