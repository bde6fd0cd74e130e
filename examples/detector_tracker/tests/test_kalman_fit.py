# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kalman_fit as a user would: python3 test_kalman_fit.py PROGRAM"""

import json
import math
import os
import re
import statistics
import sys
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
from program_case import N_LANES, ONE_LANE, ProgramCase, main  # noqa: E402
from tables import TableCase, beside, read_csv  # noqa: E402

STATE = {"r_phi", "z", "inverse_pt", "phi", "theta"}
RESIDUAL = {"r_phi", "z"}
STEPS = {"fit", "smooth", "total"}

# Of 300 tracks of seed 7. A change of the generator, the fit or the smoother that changes a bit changes them.
GOLDEN = {"float": "69498df342ba0417", "double": "c0a945892ffa0245"}


class Information(ProgramCase):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Tracks:", "Fit:", "How to run:", "Output:", "Examples:", "Exit status:", "--material",
                      "--max-chi2"):
            self.assertIn(words, text)

    def test_version_names_the_backends(self):
        self.assertRegex(self.succeed("--version").stdout, r"^kalman_fit \(Trackplex \S+, revision \S+, Kokkos .*serial")


class FewTracks(ProgramCase):
    def test_a_single_track_has_no_width_and_no_errors(self):
        file = self.folder / "report.json"
        text = self.succeed("--generate", 1, "--repeat", 1, "--json", file).stdout
        self.assertRegex(text, r"\nfitted, last layer: z +[-+]\d\.\d{4} +- +- +-\n")
        self.assertEqual(len(re.findall(r"\npT .* GeV +0 +- +-(?=\n)", text)), 4)  # of five ranges of pT
        results = json.loads(file.read_text())["results"]
        pull = results["pulls_on_layers"][0]["smoothed"]["z"]
        self.assertIsInstance(pull["mean"], float)
        self.assertEqual((pull["width"], pull["mean_error"], pull["width_error"]), (None, None, None))
        resolutions = [of["fitted"]["relative"] for of in results["resolution"]["inverse_pt"]["over_pt"]]
        self.assertEqual(resolutions.count(None), 4)


class WrongUsage(ProgramCase):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--nonsense", "--nonsense"),
                ("--generate", "--generate", 0),
                ("--layers", "--layers", 1),
                ("--layers", "--layers", 21),
                ("--material", "--material", -0.1),
                ("--min-pt", "--min-pt", 0),
                ("--min-pt", "--min-pt", 3, "--max-pt", 3),
                ("--field", "--field", "strong"),
                ("--max-chi2", "--max-chi2", -1),
                ("--backend", "--backend", "abacus"),
                ("--lanes", "--lanes", 3),
                ("--seed", "--seed", -1),
                ("--repeat", "--repeat", 0)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)

    def test_a_backend_that_is_not_built(self):
        built = self.succeed("--version").stdout
        for backend in ("cuda", "hip", "openmp"):
            if backend not in built:
                result = self.fail_with(2, "not built", "--backend", backend)
                self.assertIn("serial", result.stderr)


class Reports(ProgramCase):
    def check_outcome(self, outcome):
        self.assertEqual(set(outcome["time_us"]), STEPS)
        self.assertEqual(set(outcome["time_spread_us"]), STEPS)
        for step, median in outcome["time_us"].items():
            spread = outcome["time_spread_us"][step]
            self.assertLessEqual(spread["min"], median)
            self.assertLessEqual(median, spread["max"])
        for step in ("fit", "smooth"):
            self.assertAlmostEqual(outcome["rate"][step + "_tracks_per_s"] * outcome["time_us"][step], 1e6, delta=1)
        self.assertIn(outcome["precision"], ("float", "double"))
        self.assertGreaterEqual(outcome["threads"], 1)

    def check_pulls(self, pulls, n, errors):
        """Means and widths are those of normal numbers, up to some standard deviations."""
        for name, pull in pulls.items():
            with self.subTest(name):
                self.assertLess(abs(pull["mean"]), errors * pull["mean_error"])
                self.assertLess(abs(pull["width"] - 1), errors * pull["width_error"])
                counts = pull["counts"]
                self.assertEqual(sum(counts["bins"]) + counts["below"] + counts["above"], n)

    def check_results(self, results, errors=5):
        n = results["fitted"]
        self.assertEqual(n + results["lost"] + results["failed"], results["tracks"])
        for where, names in (("fitted", STATE), ("smoothed", STATE), ("residuals", RESIDUAL)):
            self.assertEqual(set(results["pulls"][where]), names)
            self.check_pulls(results["pulls"][where], n, errors)
        self.assertEqual(len(results["pulls_on_layers"]), results["layers"])
        for layer in results["pulls_on_layers"]:
            self.check_pulls(layer["smoothed"], n, errors)
            self.check_pulls(layer["residuals"], n, errors)
        first = results["pulls_on_layers"][0]
        self.assertEqual((first["smoothed"], first["residuals"]),
                         (results["pulls"]["smoothed"], results["pulls"]["residuals"]))
        chi2 = results["chi2"]
        self.assertAlmostEqual(chi2["per_degree_of_freedom"], 1, delta=0.05)
        self.assertGreater(chi2["kolmogorov_smirnov"]["p_value"], 1e-6)
        self.assertEqual(sum(chi2["probability"]["bins"]), n)

    def test_one_backend(self):
        report = self.report("--generate", 5000, "--backend", "serial", *ONE_LANE, "--precision", "double")
        self.assertEqual((report["program"], report["backend"], report["threads"], report["precision"]),
                          ("kalman_fit", "serial", 1, "double"))
        self.assertEqual(report["input"], {"kind": "generated", "seed": 1, "tracks": 5000, "layers": 10,
                                           "material_cm": 0.1, "min_pt_gev": 0.5, "max_pt_gev": 10.0,
                                           "field_tesla": 3.8112, "max_chi2": None})
        self.check_outcome(report)
        self.check_results(report["results"])
        self.assertGreater(report["results"]["fitted"], 4950)
        self.assertEqual(report["results"]["failed"], 0)
        self.assertEqual(report["results"]["chi2"]["degrees_of_freedom"], 20 * report["results"]["fitted"])

    def test_no_material_in_single_precision(self):
        results = self.report("--generate", 5000, "--material", 0)["results"]
        self.assertEqual((results["fitted"], results["failed"]), (5000, 0))
        self.check_results(results)

    def test_all_backends_and_widths(self):
        report = self.report("--generate", 200, "--backend", "all", "--lanes", "all", "--threads", "1,2")
        self.assertIs(report["same_bits"], True)
        self.assertEqual(len({outcome["lanes"] for outcome in report["runs"]}), N_LANES)
        for outcome in report["runs"]:
            self.check_outcome(outcome)
            self.assertEqual(outcome["hash"], report["results"]["hash"])
        if "openmp" in {outcome["backend"] for outcome in report["runs"]}:
            self.assertEqual({outcome["threads"] for outcome in report["runs"]}, {1, 2})

    def test_all_precisions(self):
        report = self.report("--generate", 300, "--seed", 7, "--precision", "all")
        self.assertEqual({outcome["precision"]: outcome["hash"] for outcome in report["runs"]}, GOLDEN)
        self.assertEqual(report["results"]["hash"], GOLDEN[report["precision"]])

    def test_options_from_a_file(self):
        options = ("--generate", 300, "--seed", 7, "--precision", "double", "--max-chi2", 20)
        file = self.folder / "options.ini"
        file.write_text(self.succeed(*options, "--dump-config").stdout)
        self.assertEqual(self.report("--config", file)["results"], self.report(*options)["results"])

    def test_the_states_are_golden(self):
        for precision, golden in GOLDEN.items():
            for more in ((), ("--backend", "serial", *ONE_LANE), ("--threads", 1), ("--threads", 2),
                         ("--backend", "all", "--lanes", "all")):
                with self.subTest((precision, *more)):
                    results = self.report("--generate", 300, "--seed", 7, "--precision", precision, *more)["results"]
                    self.assertEqual(results["hash"], golden)

    def test_the_input_changes_the_states(self):
        hashes = [self.report("--generate", 50, *more)["results"]["hash"]
                  for more in ((), ("--seed", 2), ("--layers", 9), ("--material", 0), ("--min-pt", 1), ("--max-pt", 9),
                               ("--field", 2), ("--max-chi2", 5), ("--precision", "double"))]
        self.assertEqual(len(set(hashes)), len(hashes))

    def test_a_larger_number_of_layers_measures_better(self):
        few, many = (self.report("--generate", 500, "--layers", layers, "--max-pt", 2)["results"]["resolution"]["inverse_pt"]
                     for layers in (5, 10))
        self.assertLess(many["smoothed"]["relative"], 0.7 * few["smoothed"]["relative"])
        bins = many["over_pt"]
        self.assertEqual(sum(bin["tracks"] for bin in bins), 500)
        self.assertEqual((bins[0]["low_gev"], bins[-1]["high_gev"]), (0.5, 2.0))

    def test_hits_above_the_limit_of_chi2_are_left_out(self):
        results = self.report("--generate", 500, "--max-chi2", 6)["results"]
        # exp(-3) = 0.05 of all hits have a larger chi2, and more of those after a good hit that was left out
        self.assertGreater(results["outliers"] / 5000, 0.04)
        self.assertLess(results["outliers"] / 5000, 0.2)
        self.assertEqual(results["chi2"]["degrees_of_freedom"], 2 * (10 * results["fitted"] - results["outliers"]))
        self.assertLess(results["chi2"]["per_degree_of_freedom"], 0.95)


class Tables(TableCase):
    TABLE_ARGUMENTS = ("--generate", 10, "--repeat", 1, "--output")

    def test_the_tables_are_what_the_report_says(self):
        file = self.folder / "t.csv"
        for more in (("--precision", "double"), ("--max-chi2", 6), ("--min-pt", 0.05, "--max-pt", 0.6)):
            results = self.report("--generate", 200, "--output", file, *more)["results"]
            tracks, hits = read_csv(file), read_csv(beside(file, "hits"))
            self.assertEqual(tracks["track"], list(range(200)))
            complete = [i for i in range(200) if tracks["complete"][i]]
            self.assertEqual(len(complete), 200 - results["lost"])
            self.assertEqual(list(zip(hits["track"], hits["layer"])), [(i, layer) for i in complete for layer in range(10)])
            self.assertEqual(tracks.units["inverse_pt"], "1/GeV")
            self.assertEqual(tracks.units["cov_inverse_pt_x"], "cm/GeV")
            if results["failed"] == 0:
                self.assertEqual(sum(tracks["ndf"][i] for i in complete), results["chi2"]["degrees_of_freedom"])
                self.assertAlmostEqual(sum(tracks["chi2"][i] for i in complete) / results["chi2"]["degrees_of_freedom"],
                                       results["chi2"]["per_degree_of_freedom"], places=6)
                self.assertEqual(sum(tracks["n_outliers"][i] for i in complete), results["outliers"])
            pulls = [residual / math.sqrt(variance)
                     for residual, variance in zip(hits["residual_z"], hits["residual_cov_z_z"]) if variance > 0]
            self.assertGreater(len(pulls), 0.99 * hits.rows())
            if "--max-chi2" not in more:
                self.assertAlmostEqual(statistics.pstdev(pulls), results["pulls"]["residuals"]["z"]["width"], delta=0.15)

    def test_tables_as_hdf5(self):
        self.need_h5dump()
        for precision in ("float", "double"):
            for ending in ("csv", "h5"):
                self.succeed("--generate", 50, "--repeat", 1, "--precision", precision, "--output", self.folder / f"t.{ending}")
            file = self.folder / "t.csv"
            self.check_same_tables({"tracks": file, "hits": beside(file, "hits")}, self.folder / "t.h5", precision)

    def test_the_same_bytes_from_every_backend(self):
        self.check_reproducible("--generate", 50, "--repeat", 1, "--output")

    def test_wrong_names(self):
        self.fail_with(2, "does not end in .csv or .h5", "--output", "tracks.root")


class Output(ProgramCase):
    def test_the_tables(self):
        text = self.succeed("--generate", 100, "--backend", "all", "--lanes", "all", "--repeat", 1).stdout
        for words in ("fitted, last layer: r phi", "smoothed, first layer: theta", "residual, first layer: z",
                      "chi2/ndf", "Kolmogorov-Smirnov", "resolution of 1/pT", "us per track", "serial"):
            self.assertIn(words, text)

    def test_quiet_says_nothing(self):
        result = self.succeed("--generate", 100, "--repeat", 1, "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_many_threads_are_warned_of_and_too_many_refused(self):
        many = 4 * os.cpu_count() + 1
        if many <= 512:
            result = self.succeed("--generate", 20, "--repeat", 1, "--threads", many)
            self.assertIn(f"warning: {many} host threads share", result.stderr)
        self.fail_with(2, "600 is out of range (1 to 512)", "--generate", 20, "--threads", 600)

    def test_threads_given_by_hand_win_over_the_environment(self):
        for name, value in (("KOKKOS_NUM_THREADS", "1"), ("KOKKOS_NUM_THREADS", "many"), ("OMP_NUM_THREADS", "1")):
            with unittest.mock.patch.dict(os.environ, {name: value}):
                report = self.report("--generate", 20, "--threads", 2)
            self.assertEqual(report["threads"], 2 if report["backend"] == "openmp" else 1, name)
        with unittest.mock.patch.dict(os.environ, {"KOKKOS_NUM_THREADS": "many"}):
            self.fail_with(2, 'KOKKOS_NUM_THREADS: "many" is no number of host threads', "--generate", 20)

    def test_no_progress_bar_without_a_terminal(self):
        self.assertEqual(self.succeed("--generate", 100, "--repeat", 1).stderr, "")

    def test_the_plots(self):
        report = self.report("--generate", 1000)
        pulls, over_layers, resolution = report["plots"]
        self.assertEqual([plot["name"] for plot in report["plots"]], ["pulls", "pulls_over_layers", "resolution"])
        self.assertEqual([panel["x"]["label"] for panel in pulls["panels"]],
                         ["pull of r phi", "pull of z", "pull of 1/pT", "pull of phi", "pull of theta", "probability of chi2"])
        results = report["results"]
        r_phi = pulls["panels"][0]["series"]
        for series, where in zip(r_phi, ("fitted", "smoothed", "residuals")):
            self.assertEqual(series["y"], results["pulls"][where]["r_phi"]["counts"]["bins"])
        self.assertTrue(r_phi[-1]["dashed"])
        self.assertAlmostEqual(max(r_phi[-1]["y"]), 1000 * 0.2 / math.sqrt(2 * math.pi), delta=1e-9)
        mean, width = (results["pulls"]["fitted"]["r_phi"][key] for key in ("mean", "width"))
        self.assertIn(f"fitted, last layer: {mean:+.3f}, {width:.3f}", pulls["panels"][0]["text"])
        for panel, key in zip(over_layers["panels"], ("mean", "width")):
            self.assertEqual(panel["series"][0]["y"],
                             [layer["smoothed"]["r_phi"][key] for layer in results["pulls_on_layers"]])
        bins = results["resolution"]["inverse_pt"]["over_pt"]
        for series, where in zip(resolution["panels"][0]["series"], ("fitted", "smoothed")):
            self.assertEqual(series["y"], [100 * bin[where]["relative"] for bin in bins])

    def test_the_status_of_fits(self):
        def report(*more):
            file = self.folder / "report.json"
            text = self.succeed("--generate", 500, "--repeat", 1, "--json", file, *more).stdout
            return json.loads(file.read_text())["results"], text

        results, text = report("--min-pt", 0.05, "--max-pt", 0.6)
        statuses = results["status_of_fits"]
        self.assertEqual(sum(statuses.values()), 500)
        self.assertGreater(statuses["fitted"], 100)
        self.assertGreater(statuses["not_reached"], 10)
        self.assertGreater(statuses["stopped"], 0)
        # complete tracks are those whose particles have reached the last layer, too
        lost = sum(statuses[name] for name in ("not_reached", "stopped", "invalid_start"))
        self.assertLessEqual(lost, results["lost"])
        line = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in statuses.items() if count > 0)
        self.assertIn(f"status of the fits: {line}\n", text)
        results, text = report("--min-pt", 1)
        self.assertEqual(results["status_of_fits"]["fitted"], 500)
        self.assertNotIn("status of the fits", text)

    def test_no_track_reaches_the_last_layer(self):
        arguments = ("--generate", 20, "--min-pt", 0.05, "--max-pt", 0.1)
        result = self.succeed("--repeat", 1, *arguments)
        self.assertRegex(result.stderr, r"^kalman_fit: warning: no track .*--min-pt")
        self.assertIn("0 of 20 tracks fitted", result.stdout)
        self.assertEqual(self.report(*arguments)["plots"], [])

    def test_a_file_that_cannot_be_written(self):
        self.fail_with(1, "cannot be written", "--generate", 10, "--repeat", 1, "--json", self.folder / "no" / "a.json")


if __name__ == "__main__":
    main()
