#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/compare_bits finds the algorithm, the array and the element of twenty flipped bits, and nothing where no bit is
flipped, on other numbers of threads. Usage: test_compare_bits.py <flip_bit>"""

import json
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "compare_bits"
FAULTS = 20
flip_bit = None


def compare(*files):
    return subprocess.run([sys.executable, SCRIPT, *files], capture_output=True, text=True, check=False)


class CompareBits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.clean = cls.write("clean", 1)
        cls.content = json.loads(cls.clean.read_text())

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def write(cls, name, threads, *fault):
        path = Path(cls.folder.name) / f"{name}.json"
        subprocess.run([flip_bit, path, str(threads), *map(str, fault)], check=True)
        return path

    def changed(self, name, change):
        """The clean file with a change of its content."""
        content = json.loads(self.clean.read_text())
        change(content)
        path = Path(self.folder.name) / f"{name}.json"
        path.write_text(json.dumps(content))
        return path

    def refused(self, why, *files):
        done = compare(*files)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(why, done.stderr)

    def faults(self):
        """Elements and bits of twenty arrays of different algorithms, as far as there are any."""
        arrays = [(step["algorithm"], array["array"], array["size"], array)
                  for step in self.content["runs"][0]["batches"][0]["steps"] for array in step["arrays"]
                  if array["array"] != "results"]
        # An array may have elements that are nowhere written: zeros, equal in all runs, and as good as others.
        chosen = random.Random(28)
        by_algorithm = {}
        for array in arrays:
            by_algorithm.setdefault(array[0], []).append(array)
        for group in by_algorithm.values():
            chosen.shuffle(group)
        faults = []
        while len(faults) < FAULTS and any(by_algorithm.values()):
            for group in by_algorithm.values():
                if group and len(faults) < FAULTS:
                    algorithm, name, size, array = group.pop()
                    bits = 4 * len(array["values"]) // size
                    # of floating-point numbers one of the fraction: others may turn zeros into NaN, which are all alike
                    bit = chosen.randrange(16 if array["type"].startswith("float") else bits)
                    batch_of_two = self.content["runs"][0]["batches"][1]["steps"]
                    smaller = min(size, next(a["size"] for s in batch_of_two if s["algorithm"] == algorithm
                                             for a in s["arrays"] if a["array"] == name))
                    faults.append((algorithm, name, chosen.randrange(smaller), bit))
        return faults

    def test_twenty_flipped_bits_are_found(self):
        faults = self.faults()
        self.assertEqual(len(faults), FAULTS)
        self.assertGreaterEqual(len({fault[0] for fault in faults}), 8)
        for number, (algorithm, array, element, bit) in enumerate(faults):
            with self.subTest(algorithm=algorithm, array=array, element=element, bit=bit):
                faulty = self.write("faulty", 1 + number % 2, algorithm, array, element, bit)
                done = compare(self.clean, faulty)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(f"first difference is in {algorithm}, batch 0\n", done.stdout)
                self.assertRegex(done.stdout, f"{array}: element {element}[ :]")

    def test_threads_make_no_difference(self):
        done = compare(self.clean, self.write("of_two", 2))
        self.assertEqual((done.returncode, done.stdout), (0, "The same bits in 2 runs, in every step\n"), done.stderr)

    def test_runs_of_one_file_are_compared(self):
        twice = self.changed("twice", lambda content: content["runs"].append(content["runs"][0]))
        self.assertEqual(compare(twice).returncode, 0)

    def test_without_the_values_a_block_of_elements_is_found(self):
        def as_blocks(content, differs):
            step = content["runs"][0]["batches"][1]["steps"][2]
            array = step["arrays"][0]
            n = -(-array["size"] // 64)
            del array["values"]
            array["blocks"] = "0" * 16 * n
            if differs:
                array["hash"], array["blocks"] = "1" * 16, "0" * 16 + "1" * 16 + "0" * 16 * (n - 2)

        one = self.changed("one", lambda content: as_blocks(content, False))
        other = self.changed("other", lambda content: as_blocks(content, True))
        self.assertEqual(compare(one, one).returncode, 0)
        done = compare(one, other)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("batch 1", done.stdout)
        self.assertIn("one of the elements 64 to 127", done.stdout)

    def test_lengths_that_differ_are_told(self):
        def shorten(content):
            array = content["runs"][0]["batches"][0]["steps"][0]["arrays"][0]
            array["values"] = array["values"][: -len(array["values"]) // array["size"]]
            array["size"] -= 1
            array["hash"] = "0"

        done = compare(self.clean, self.changed("shorter", shorten))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"\d+ elements and \d+ elements")

    def test_files_that_cannot_be_compared_are_refused(self):
        self.refused("no two runs", self.clean)
        self.refused("cannot read", self.clean, "nowhere.json")
        self.refused("no file of fingerprints", self.clean, self.changed("other", lambda c: c.update(schema="report")))
        self.refused("version 2 of the format", self.clean, self.changed("new", lambda c: c.update(schema_version=2)))
        self.refused("different programs", self.clean, self.changed("program", lambda c: c.update(program="other")))
        self.refused("different inputs", self.clean, self.changed("input", lambda c: c.update(input={"seed": 1})))
        self.refused("events in a batch", self.clean, self.changed("batch", lambda c: c.update(events_per_batch=5)))
        self.refused("different numbers of events", self.clean,
                     self.changed("fewer", lambda c: c["runs"][0]["batches"].pop()))
        self.refused("different algorithms", self.clean,
                     self.changed("steps", lambda c: c["runs"][0]["batches"][0]["steps"].pop()))
        self.refused("damaged", self.clean, self.changed("damaged", lambda c: c["runs"][0].pop("precision")))


if __name__ == "__main__":
    flip_bit = sys.argv.pop(1)
    unittest.main()
