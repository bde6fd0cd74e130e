# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs coulomb as a user would: python3 test_coulomb.py PROGRAM

Comparisons with published distributions need their folder: TRACKPLEX_REFERENCE, or shared/reference beside the sources.
"""

import csv
import json
import math
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import program_case  # noqa: E402
from program_case import N_LANES, ONE_LANE, main  # noqa: E402
from tables import TableCase  # noqa: E402

REFERENCE = Path(os.environ.get("TRACKPLEX_REFERENCE") or ROOT.parent / "shared" / "reference") / "coulomb"
# A of the published materials at 128 keV, and their mean free paths in mm
MATERIALS = {"water": (1.280542578e-4, 4.107028357e-4), "air": (1.309821503e-4, 3.525077485e-1),
             "bone": (1.845853136e-4, 2.191834742e-4), "tissue": (1.236446220e-4, 4.056486629e-4),
             "gold": (1.323518893e-3, 2.892176723e-5)}
PULLS = {"z", "z2", "r2", "cosine", "cosine2", "scatterings"}
TALLIES = ("longitudinal", "transverse", "angle")

# Of 20000 histories of seed 7 in gold. A change that changes a count changes them.
GOLDEN = {"float": "80a2430932b67f23", "double": "3064440ccacf5002"}


def rows_of(file):
    """The comments of a CSV file, and its rows as dictionaries."""
    lines = file.read_text().splitlines()
    n = sum(line.startswith("# ") for line in lines)
    assert n > 0
    return "\n".join(lines[:n]), list(csv.DictReader(lines[n:]))


class Case(TableCase):
    TABLE_ARGUMENTS = ("--histories", 10, "--output")
    REPORT_ARGUMENTS = ()  # one repetition is the default

    def results(self, *arguments):
        return self.report(*arguments)["results"]


class Information(Case):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Simulation:", "Histories:", "How to run:", "Output:", "Examples:", "Exit status:", "--material",
                      "--energy", "--limit", "--histories", "--seed", "--precision", "--backend", "--checkpoint",
                      "--resume", "--merge", "--relative-error", "water, air, bone, tissue, gold"):
            self.assertIn(words, text)

    @unittest.skipUnless(sys.platform == "linux", "the libraries are those of ELF")
    def test_hdf5_is_loaded_when_it_is_used(self):
        """A function of HDF5 that hdf5_on_demand.cpp lacks links the program to HDF5."""
        libraries = subprocess.run(["ldd", program_case.PROGRAM], capture_output=True, text=True).stdout
        self.assertNotIn("libhdf5", libraries)


class WrongUsage(Case):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--nonsense", "--nonsense"),
                ("--material", "--material", "cheese"),
                ("there is no element 'Xx'", "--composition", "Xx:1", "--density", 1),
                ("needs --density", "--composition", "H:1"),
                ("do not add up to 1 (their sum is 3)", "--composition", "H:2,O:1", "--density", 1),
                ("--composition", "--composition", "H:-1", "--density", 1),
                ("--composition", "--composition", "H:1,", "--density", 1),
                ("--composition", "--composition", "H:1", "--density", 1, "--material", "gold"),
                ("--atoms", "--atoms"),
                ("--energy", "--energy", 0),
                ("--energy", "--energy", "1GW"),
                ("--limit", "--limit", "-1"),
                ("--limit", "--limit", "far"),
                ("--source", "--source", "disk"),
                ("--source", "--source", "disk:-1"),
                ("--histories", "--histories", "many"),
                ("--histories", "--histories", 0),
                ("--histories", "--histories", 1.5),
                ("--histories", "--histories", "e3"),
                ("--histories", "--histories", 2**64),
                ("64 bits", "--histories", 2, "--first-history", 2**64 - 1),
                ("--precision", "--precision", 1e-4),
                ("--relative-error", "--relative-error", "fine"),
                ("--relative-error", "--relative-error", 0),
                ("--relative-error", "--relative-error", 1.5),
                ("--bins", "--bins", 0),
                ("--energy", "--energy", "nan"),
                ("--energy: 1e300GeV is out of range", "--energy", "1e300GeV"),
                ("--limit: 1e300m is out of range", "--limit", "1e300m"),
                ("--source: disk:1e300m is out of range", "--source", "disk:1e300m"),
                ("'nan' is not a number", "--checkpoint-every", "nan"),
                ("'nan' is not a number", "--density", "nan", "--composition", "H:1"),
                ("--merge", "--merge", "a", "--histories", 5),
                ("--merge", "--merge", "a", "--resume", "b"),
                *(("--checkpoint: it is for one run", "--checkpoint", self.folder / "a", *several)
                  for several in (("--backend", "all"), ("--lanes", "all"), ("--threads", "1,2"), ("--precision", "all"),
                                  ("--repeat", 2)))):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)

    def test_a_screening_that_single_precision_does_not_resolve(self):
        self.fail_with(2, "take double precision", "--energy", "10GeV", "--histories", 10)
        self.assertEqual(self.results("--energy", "10GeV", "--histories", 10, "--precision", "double")["histories"], 10)


class Physics(Case):
    def check_pulls(self, results, most=4):
        self.assertEqual(set(results["lewis_pulls"]), PULLS)
        self.assertEqual(set(results["moments"]), PULLS)
        for name, pull in results["lewis_pulls"].items():
            moment = results["moments"][name]
            self.assertLess(abs(pull), most, name)
            self.assertAlmostEqual(pull, (moment["value"] - moment["exact"]) / moment["error"], places=6)

    def test_the_default_simulation(self):
        self.assertIn("default: 1e6", self.succeed("--help").stdout)
        report = self.report()
        self.assertEqual((report["program"], report["precision"]), ("coulomb", "float"))
        given = report["input"]
        self.assertEqual((given["material"], given["kinetic_energy_mev"], given["limit_mean_free_paths"],
                          given["source"], given["seed"], given["histories"]),
                         ("water", 0.128, 33.5, "pencil", 1, 1000000))
        results = report["results"]
        self.assertEqual((results["histories"], results["stopped_by"], results["ranges"]),
                         (1000000, "histories", [[0, 1000000]]))
        self.check_pulls(results)
        for name in TALLIES:
            tally = results["tallies"][name]
            self.assertEqual(sum(tally["counts"]) + tally["underflow"] + tally["overflow"], 1000000)
        rate = report["rate"]
        self.assertAlmostEqual(rate["histories_per_s"] * report["time_us"]["total"] / 1e6, 1, places=6)
        self.assertAlmostEqual(rate["scatterings_per_s"] / rate["histories_per_s"], 33.5, delta=0.03)
        self.assertGreater(rate["lane_occupancy"], 0.9)
        self.assertLessEqual(rate["lane_occupancy"], 1)

    def test_the_published_materials(self):
        for material, (screening, mean_free_path) in MATERIALS.items():
            with self.subTest(material):
                report = self.report("--material", material, "--histories", 300000, "--seed", 5)
                self.assertAlmostEqual(report["input"]["screening"] / screening, 1, places=8)
                self.assertAlmostEqual(report["input"]["mean_free_path_mm"] / mean_free_path, 1, places=8)
                self.check_pulls(report["results"])

    def test_other_energies_limits_and_double_precision(self):
        for arguments in (("--energy", "1MeV", "--limit", "100"), ("--energy", "20keV", "--limit", "2"),
                          ("--material", "gold", "--limit", "0.01mm", "--precision", "double")):
            with self.subTest(arguments):
                self.check_pulls(self.results("--histories", 100000, *arguments))

    def test_units(self):
        def given(*arguments):
            return self.report("--histories", 100, *arguments)["input"]
        self.assertEqual(given("--energy", "128keV"), given("--energy", 0.128))
        self.assertEqual(given("--energy", "1GeV", "--precision", "double")["kinetic_energy_mev"], 1000)
        for limit in ("0.0137mm", "13.7um"):
            self.assertAlmostEqual(given("--limit", limit)["limit_mm"], 0.0137, places=12)
        self.assertAlmostEqual(given("--limit", "1um")["limit_mean_free_paths"], 0.001 / MATERIALS["water"][1], places=6)

    def test_water_by_its_composition(self):
        def screening(*arguments):
            return self.report("--histories", 100, "--density", 1, *arguments)["input"]["screening"]
        expected = MATERIALS["water"][0]
        for arguments in (("--composition", "H:0.111894,O:0.888106"), ("--composition", "H:2,O:1", "--atoms"),
                          ("--composition", "1:1.008:0.111894,8:15.999:0.888106")):
            with self.subTest(arguments):
                self.assertAlmostEqual(screening(*arguments) / expected, 1, delta=1e-4)
        self.assertGreater(abs(screening("--composition", "H:0.667,O:0.333") / expected - 1), 1e-3)

    def test_a_disk_source_widens_the_transverse_distribution(self):
        pencil, disk = (self.results("--histories", 200000, "--source", source) for source in ("pencil", "disk:0.01"))
        self.check_pulls(disk)
        self.assertGreater(disk["moments"]["r2"]["value"], 5 * pencil["moments"]["r2"]["value"])
        self.assertEqual(disk["moments"]["cosine"], pencil["moments"]["cosine"])


class Histories(Case):
    def test_the_counts_are_golden(self):
        for real, golden in GOLDEN.items():
            for more in ((), ("--backend", "serial", *ONE_LANE), ("--threads", 1), ("--threads", 2),
                         ("--batch", 777)):
                with self.subTest((real, *more)):
                    results = self.results("--histories", 20000, "--seed", 7, "--material", "gold", "--precision", real, *more)
                    self.assertEqual(results["hash"], golden)

    def test_all_backends_and_widths(self):
        report = self.report("--histories", 20000, "--seed", 7, "--material", "gold", "--backend", "all", "--lanes", "all",
                             "--precision", "all", "--threads", "1,2", "--plane", self.folder / "plane.csv")
        self.assertTrue(report["same_bits"])
        for what, n in (("precision", 2), ("lanes", 1 + N_LANES), ("threads", 2)):
            self.assertGreaterEqual(len({run[what] for run in report["runs"]}), n)
        self.assertEqual(len({run["hash"] for run in report["runs"]}), 2)
        for run in report["runs"]:
            self.assertGreater(run["rate"]["histories_per_s"], 0)

    def test_repetitions_are_the_same_and_timed(self):
        once, thrice = (self.report("--histories", 50000, "--repeat", n) for n in (1, 3))
        self.assertEqual(once["results"], thrice["results"])
        spread = thrice["time_spread_us"]["total"]
        self.assertLess(spread["min"], spread["max"])
        self.assertTrue(spread["min"] <= thrice["time_us"]["total"] <= spread["max"])

    def test_the_input_changes_the_counts(self):
        hashes = [self.results("--histories", 2000, *more)["hash"]
                  for more in ((), ("--seed", 2), ("--material", "air"), ("--energy", 0.129), ("--limit", 33.6),
                               ("--source", "disk:0.001"), ("--first-history", 1), ("--precision", "double"))]
        self.assertEqual(len(set(hashes)), len(hashes))

    def test_a_configuration_file_has_all_options(self):
        options = ("--histories", 1000, "--composition", "H:2,O:1", "--atoms", "--density", 1, "--energy", "1MeV",
                   "--relative-error", 1e-3, "--precision", "double", "--source", "disk:1um")
        file = self.folder / "coulomb.toml"
        file.write_text(self.succeed(*options, "--dump-config").stdout)
        expected, found = self.report(*options), self.report("--config", file)
        self.assertEqual((found["input"], found["results"]), (expected["input"], expected["results"]))

    def test_histories_at_the_end_of_64_bits(self):
        results = self.results("--histories", 1000, "--first-history", 2**64 - 1001)
        self.assertEqual(results["ranges"], [[2**64 - 1001, 2**64 - 1]])
        self.assertLess(max(map(abs, results["lewis_pulls"].values())), 5)

    def test_one_history_has_no_errors(self):
        results = self.results("--histories", 1)
        self.assertEqual((results["histories"], results["lewis_pulls"]), (1, {}))

    def test_it_stops_when_the_precision_is_reached(self):
        results = self.results("--relative-error", 2e-3, "--batch", 30000)
        self.assertEqual(results["stopped_by"], "precision")
        self.assertLessEqual(results["relative_error"], 2e-3)
        self.assertGreater(results["relative_error"], 1.8e-3)
        for name in PULLS - {"scatterings"}:
            moment = results["moments"][name]
            self.assertLessEqual(moment["error"] / abs(moment["value"]), 2e-3)
        again = self.results("--relative-error", 2e-3, "--backend", "serial")
        self.assertEqual(again["hash"], results["hash"])

    def test_the_number_of_histories_limits_the_precision(self):
        results = self.results("--relative-error", 1e-7, "--histories", 100000)
        self.assertEqual((results["stopped_by"], results["histories"]), ("histories", 100000))


class Checkpoints(Case):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "checkpoint.json"

    def test_a_resumed_run_has_the_same_counts(self):
        whole = self.results("--histories", 300000)
        self.results("--histories", 123456, "--checkpoint", self.file)
        report = self.report("--histories", 300000, "--resume", self.file, "--checkpoint", self.file)
        self.assertEqual(report["results"], whole)
        self.assertEqual(report["rate"]["histories"], 300000 - 123456)
        done = self.report("--histories", 300000, "--resume", self.file)  # nothing is left to do
        self.assertEqual(done["results"], whole)
        self.assertEqual(done["rate"]["histories_per_s"], None)

    def test_a_resumed_run_reaches_the_same_precision(self):
        whole = self.results("--relative-error", 3e-3)
        self.results("--histories", 100001, "--checkpoint", self.file)
        self.assertEqual(self.results("--relative-error", 3e-3, "--resume", self.file), whole)

    def test_parts_are_merged(self):
        whole = self.results("--histories", 100000)
        parts = [self.folder / f"{i}.json" for i in range(3)]
        for i, (begin, n) in enumerate(((60000, 40000), (0, 20000), (20000, 40000))):
            self.results("--first-history", begin, "--histories", n, "--checkpoint", parts[i], *((), ONE_LANE)[i != 1])
        self.assertEqual(self.results("--merge", *parts), whole)
        # a part that is missing is filled in
        self.assertEqual(self.results("--resume", *parts[:2], "--histories", 100000), whole)
        self.fail_with(3, "twice", "--merge", parts[0], parts[0])

    def test_another_simulation_is_refused(self):
        self.results("--histories", 1000, "--checkpoint", self.file)
        for arguments in (("--material", "gold"), ("--energy", 1), ("--limit", 30), ("--seed", 2), ("--bins", 10),
                          ("--precision", "double"), ("--source", "disk:1"), ("--plane", self.folder / "plane.csv")):
            with self.subTest(arguments):
                self.fail_with(3, "another simulation", "--resume", self.file, *arguments)

    def test_files_that_are_no_checkpoints(self):
        self.fail_with(3, "cannot be opened", "--resume", self.file)
        self.file.write_text("{")
        self.fail_with(3, str(self.file), "--resume", self.file)

    def test_links_and_devices_are_written_to(self):
        link, device = self.folder / "link.json", self.folder / "device.json"
        link.symlink_to("target.json")
        device.symlink_to("/dev/null")
        for _ in range(2):
            self.results("--histories", 1000, "--checkpoint", link)
            self.results("--histories", 1000, "--checkpoint", device)
        self.assertTrue(link.is_symlink() and device.is_char_device())
        self.assertEqual(self.results("--merge", self.folder / "target.json")["histories"], 1000)
        self.fail_with(1, "cannot be written", "--histories", 1000, "--checkpoint", "/dev/full")
        self.assertEqual([file for file in self.folder.iterdir() if file.suffix == ".part"], [])

    @unittest.skipIf(os.name == "nt", "needs signals")
    def test_an_interrupted_run_keeps_what_is_done(self):
        report = self.folder / "interrupted.json"
        process = subprocess.Popen([program_case.PROGRAM, "--histories", str(10**15), "--batch", "5000",
                                    "--checkpoint", str(self.file), "--checkpoint-every", "0", "--json", str(report)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            if self.file.exists() and json.loads(self.file.read_text())["counts"]["histories"]:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, r"^coulomb: interrupted after \d+ histories; continue with --resume ")
        interrupted = json.loads(report.read_text())["results"]
        self.assertEqual(interrupted["stopped_by"], "interrupt")
        n = interrupted["histories"]
        self.assertGreater(n, 0)
        self.assertEqual(n % 5000, 0)
        results = self.results("--histories", n + 1000, "--resume", self.file)
        self.assertEqual(results, self.results("--histories", n + 1000))


class Output(Case):
    def test_the_tallies_as_csv(self):
        prefix = self.folder / "water"
        report = self.report("--histories", 50000, "--output", prefix)
        for name, (low, high, bins) in {"longitudinal": (-1, 1.01, 201), "transverse": (0, 1.01, 101),
                                        "angle": (0, 3.15, 315)}.items():
            comment, rows = rows_of(self.folder / f"water_{name}.csv")
            for words in ("program: coulomb", '"material":"water"', "histories: 50000", "underflow: 0", "overflow: 0",
                          "precision: float"):
                self.assertIn(words, comment)
            self.assertEqual(list(rows[0]), ["bin_lo", "bin_hi", "density", "counts"])
            self.assertEqual(len(rows), bins)
            self.assertEqual(float(rows[0]["bin_lo"]), low)
            self.assertAlmostEqual(float(rows[-1]["bin_hi"]), high, places=12)
            counts = [int(row["counts"]) for row in rows]
            self.assertEqual(counts, report["results"]["tallies"][name]["counts"])
            for i, row in enumerate(rows):
                self.assertAlmostEqual(float(row["bin_lo"]), low + i * 0.01, places=9)
                self.assertAlmostEqual(float(row["density"]), counts[i] / 500, places=9)

    def test_bins(self):
        tallies = self.results("--histories", 10000, "--bins", 10)["tallies"]
        fine = self.results("--histories", 10000, "--bins", 20)["tallies"]
        self.assertEqual([len(tallies[name]["counts"]) for name in TALLIES], [21, 11, 32])
        self.assertEqual([len(fine[name]["counts"]) for name in TALLIES], [41, 21, 63])
        pairs = [sum(fine["transverse"]["counts"][2 * i:2 * i + 2]) for i in range(10)]
        for i in range(10):  # up to the rounding of the edges
            self.assertAlmostEqual(tallies["transverse"]["counts"][i], pairs[i], delta=1)

    def test_the_plane_has_the_distributions_as_its_sums(self):
        file = self.folder / "plane.csv"
        tallies = self.results("--histories", 20000, "--bins", 10, "--plane", file)["tallies"]
        comment, rows = rows_of(file)
        self.assertIn("outside: 0", comment)
        self.assertEqual(list(rows[0]), ["z_lo", "z_hi", "r_lo", "r_hi", "density", "counts"])
        z, r = [0] * 21, [0] * 11
        for i, row in enumerate(rows):
            z[i // 11] += int(row["counts"])
            r[i % 11] += int(row["counts"])
            self.assertAlmostEqual(float(row["density"]), int(row["counts"]) / (20000 * 0.01), places=6)
        self.assertEqual((z, r), (tallies["longitudinal"]["counts"], tallies["transverse"]["counts"]))

    def test_the_tallies_as_hdf5(self):
        self.need_h5dump()
        self.succeed("--histories", 1000, "--output", self.folder / "a.h5", "--plane", self.folder / "plane.h5")
        self.succeed("--histories", 1000, "--output", self.folder / "a", "--plane", self.folder / "plane.csv")
        for name in TALLIES:
            self.check_same_tables({name: self.folder / f"a_{name}.csv"}, self.folder / f"a_{name}.h5")
        self.check_same_tables({"plane": self.folder / "plane.csv"}, self.folder / "plane.h5")
        same = self.results("--histories", 1000, "--reference", self.folder / "a_angle.h5")["references"]["angle"]
        self.assertEqual(same["kolmogorov_smirnov"]["distance"], 0)

    def test_overflow_is_reported(self):
        result = self.succeed("--histories", 10000, "--source", "disk:0.05")
        self.assertRegex(result.stdout, r"transverse: 0 histories below the bins and \d+ above")

    def test_the_tables(self):
        text = self.succeed("--histories", 20000, "--backend", "all", "--lanes", "all").stdout
        for words in ("water: A = 0.000128054", "mean free path 0.0004107", "<z^2>", "pull", "histories/s",
                      "lanes occupied", "serial", "the same bits"):
            self.assertIn(words, text)

    def test_the_plot(self):
        report = self.report("--histories", 20000, "--bins", 2000)
        (plot,) = report["plots"]
        self.assertEqual([panel["title"] for panel in plot["panels"]], list(TALLIES))
        for panel in plot["panels"]:
            (series,) = panel["series"]
            edges, heights, errors = series["edges"], series["y"], series["error"]
            self.assertEqual((len(edges), len(errors)), (len(heights) + 1, len(heights)))
            self.assertLessEqual(len(heights), 2001)
            widths = [high - low for low, high in zip(edges, edges[1:])]
            self.assertAlmostEqual(sum((y or 0) * width for y, width in zip(heights, widths)), 1, places=9)
            for y, error, width in zip(heights, errors, widths):
                if y is not None:
                    self.assertAlmostEqual(error / y, (y * width * 20000)**-0.5, places=6)
            self.assertNotIn("ratio", panel)

    def test_a_file_that_cannot_be_written(self):
        for option in ("--output", "--plane", "--checkpoint"):
            with self.subTest(option):
                result = self.run_program("--histories", 10, option, self.folder / "no" / "a.csv")
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, "^coulomb: .*cannot be")


    def test_two_outputs_are_not_the_same_file(self):
        result = self.run_program("--histories", 10, "--output", self.folder / "a", "--plane", self.folder / "a_angle.csv")
        self.assertEqual(result.returncode, 2)
        self.assertIn("the same file as for --output (a_angle.csv)", result.stderr)


class References(Case):
    def test_a_run_against_itself_and_others(self):
        prefix = self.folder / "a"
        self.results("--histories", 200000, "--output", prefix)
        same = self.results("--histories", 200000, "--reference", prefix)["references"]
        self.assertEqual(set(same), set(TALLIES))
        for comparison in same.values():
            self.assertEqual((comparison["kolmogorov_smirnov"]["distance"], comparison["chi2"]["chi2"]), (0, 0))
        other = self.results("--histories", 200000, "--seed", 2, "--reference", prefix)["references"]
        bone = self.results("--histories", 200000, "--material", "bone", "--reference", f"{prefix}_longitudinal.csv",
                            f"{prefix}_transverse.csv")["references"]
        self.assertEqual(set(bone), {"longitudinal", "transverse"})
        for name in ("longitudinal", "transverse"):
            for test in ("kolmogorov_smirnov", "chi2"):
                self.assertGreater(other[name][test]["p_value"], 1e-4)
                self.assertLess(bone[name][test]["p_value"], 1e-9)

    def test_the_plot_has_the_reference(self):
        prefix = self.folder / "a"
        expected = self.report("--histories", 20000, "--output", prefix)["plots"][0]["panels"]
        found = self.report("--histories", 20000, "--seed", 2, "--reference", f"{prefix}_angle.csv")["plots"][0]["panels"]
        self.assertEqual([len(panel["series"]) for panel in found], [1, 1, 2])
        ours, theirs = found[2]["series"]
        self.assertEqual({**theirs, "label": "coulomb"}, expected[2]["series"][0])
        self.assertEqual(ours["edges"], theirs["edges"])
        self.assertEqual(found[2]["ratio"], {"of": "coulomb", "to": "reference"})

    def test_wrong_references(self):
        prefix = self.folder / "a"
        self.results("--histories", 1000, "--output", prefix)
        self.fail_with(3, "bins differ from", "--histories", 1000, "--bins", 50, "--reference", prefix)
        self.fail_with(3, "there is no such file", "--reference", self.folder / "b")
        self.fail_with(2, "two files", "--reference", prefix, f"{prefix}_transverse.csv")
        unclear = self.folder / "b.csv"
        unclear.write_text((self.folder / "a_angle.csv").read_text())
        self.fail_with(2, "does not contain the tally", "--reference", unclear)
        (self.folder / "b_angle.csv").write_text("bin_lo,bin_hi,density,counts\n0,1,x,1\n")
        self.fail_with(3, "b_angle.csv", "--reference", self.folder / "b")

    @unittest.skipUnless(REFERENCE.is_dir(), "the published distributions are not here")
    def test_the_published_distributions(self):
        for material in MATERIALS:
            for real in ("float", "double"):
                with self.subTest((material, real)):
                    references = self.results("--histories", 500000, "--material", material, "--reference",
                                              REFERENCE / f"peer_{real}_{material}")["references"]
                    self.assertEqual(set(references), {"longitudinal", "transverse"})
                    for comparison in references.values():
                        self.assertGreater(comparison["kolmogorov_smirnov"]["p_value"], 1e-3)
                        self.assertGreater(comparison["chi2"]["p_value"], 1e-3)
                        self.assertTrue(math.isfinite(comparison["chi2"]["chi2"]))

    @unittest.skipUnless(REFERENCE.is_dir(), "the published distributions are not here")
    def test_water_is_not_air(self):
        references = self.results("--histories", 2000000, "--reference", REFERENCE / "peer_double_air")["references"]
        for comparison in references.values():
            self.assertLess(comparison["kolmogorov_smirnov"]["p_value"], 1e-9)


if __name__ == "__main__":
    main()
