# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs forecast as a user would: python3 test_forecast.py PROGRAM"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests" / "support"))
from program_case import ProgramCase, main  # noqa: E402

APPLICATIONS = Path(__file__).resolve().parents[1] / "applications"
COULOMB = APPLICATIONS / "coulomb.json"
STEPS = APPLICATIONS / "coulomb_steps.json"
KALMAN = APPLICATIONS / "kalman_update.json"
CHAINS = APPLICATIONS.parent / "chains.json"
KERNELS = {"product_6x6", "kalman_update", "helix_propagation", "quadrupole_map", "histogram_deposit",
           "sine_and_cosine"}


class Case(ProgramCase):
    REPORT_ARGUMENTS = ()

    def forecasts(self, *arguments):
        """The forecasts of a report by device."""
        return {f["device"]: f for f in self.results(*arguments)["forecasts"]}

    def changed(self, file, **changes):
        """A copy of an application with other fields."""
        copy = self.folder / "changed.json"
        copy.write_text(json.dumps(json.loads(Path(file).read_text()) | changes))
        return copy

    def results(self, *arguments):
        return self.report(*arguments)["results"]


class Information(Case):
    def test_help_has_groups_and_examples(self):
        text = self.succeed("--help").stdout
        for words in ("Application:", "Devices:", "Decision:", "Measurement:", "Output:", "Examples:", "Exit status:",
                      "--published", "--loop-flow", "--chains"):
            self.assertIn(words, text)
        self.assertNotIn("--backend", text)

    def test_version(self):
        self.assertRegex(self.succeed("--version").stdout, r"^forecast \(Trackplex \S+, revision \S+, Kokkos ")


class WrongUsage(Case):
    def test_each_has_status_2(self):
        for words, *arguments in (
                ("--nonsense", "--nonsense"),
                ("more than one", COULOMB, "--published"),
                ("more than one", "--kernel", "kalman_update", "--published"),
                ("known: product_6x6, kalman_update", "--kernel", "abacus"),
                ("known: EPYC 7551 x2", COULOMB, "--device", "abacus"),
                ("--items", COULOMB, "--items", 0),
                ("--repeat", "--measure", "--repeat", 0),
                ("library kernels only", COULOMB, "--measure"),
                ("no application", "--measure", "--loop-flow"),
                ("number of work items", "--measure", "--items", 5),
                ("one device", "--measure", "--device", "EPYC 7763", "EPYC 9654"),
                ("none to write", "--write-devices", "a.json", "--write-application", "b.json"),
                ("no application", COULOMB, "--chains", CHAINS),
                ("no application", "--measure", "--chains", CHAINS),
                ("is no CPU", "--chains", CHAINS, "--device", "H200"),
                ("--fpga-gain", COULOMB, "--fpga-gain", -1)):
            with self.subTest(arguments):
                self.fail_with(2, words, *arguments)

    def test_bad_input_has_status_3(self):
        self.fail_with(3, "cannot be opened", self.folder / "none.json")
        loops = [{"trip_count": 1, "instructions": 5}, {"trip_cuont": 3}]
        self.fail_with(3, "loops[1].trip_cuont: is no known field", self.changed(COULOMB, loops=loops))
        devices = self.folder / "devices.json"
        devices.write_text('{"devices": [{"name": "x", "kind": "cpu", "clock_hz": 0, "cores": 1}]}')
        self.fail_with(3, "devices[0].clock_hz", COULOMB, "--devices", devices)

    def test_a_file_that_cannot_be_written(self):
        self.fail_with(1, "cannot be written", COULOMB, "--json", self.folder / "no" / "a.json")


class Forecasts(Case):
    def test_the_published_numbers(self):
        report = self.results("--published", "--device", "EPYC 7551 x2", "V100", "VU9P")
        self.assertEqual(list(report), ["application", "forecasts", "decision", "inconsistencies"])
        cpu, gpu, fpga = report["forecasts"]
        self.assertAlmostEqual(report["application"]["instructions_per_item"], 5000)
        self.assertEqual([round(1e3 * gpu[case]["total_s"]) for case in ("best", "expected", "worst")], [537, 1074, 2148])
        self.assertEqual((gpu["efficiency"], gpu["expected"]["dominant"]), (0.0625, "compute"))
        self.assertAlmostEqual(fpga["expected"]["compute_s"], 1.150)
        self.assertAlmostEqual(fpga["expected"]["host_s"], 0.198)
        self.assertAlmostEqual(fpga["expected"]["total_s"], 1.348)
        self.assertEqual((fpga["fpga"]["instances"], fpga["fpga"]["most_by_memory"]), (15, 17))
        self.assertEqual((cpu["speedup"], report["decision"]["kind"]), (1, "GPU"))
        self.assertAlmostEqual(gpu["speedup"], cpu["expected"]["total_s"] / gpu["expected"]["total_s"])
        self.assertEqual(len(report["inconsistencies"]), 7)

    def test_the_tables(self):
        text = self.succeed("--published", "--device", "V100", "VU9P").stdout
        for words in ("1074", "1348", "0.0625", "15 are used", "2.90 %", "Decision:", "both are low: GPU",
                      "Inconsistencies of the publication:", "4.195 ms as printed", "873 ms", "6.43", "9.96"):
            self.assertIn(words, text)

    def test_the_application_files_are_what_the_program_writes(self):
        for file, arguments in ((COULOMB, ["--published"]), (KALMAN, ["--kernel", "kalman_update"])):
            written = self.folder / "written.json"
            self.succeed(*arguments, "--quiet", "--write-application", written)
            self.assertEqual(json.loads(written.read_text()), json.loads(file.read_text()))
            self.assertEqual(self.forecasts(written), self.forecasts(*arguments))

    def test_operations_by_kind_and_the_distribution_of_trip_counts(self):
        forecasts = self.forecasts(STEPS)
        h200 = forecasts["H200"]
        self.assertAlmostEqual(h200["efficiency"], 0.7335, places=4)
        self.assertAlmostEqual(1e3 * h200["overlapped"]["total_s"], 13.4, delta=0.1)
        self.assertEqual(h200["limits"]["limit"], "instructions")
        self.assertGreater(h200["overlapped"]["total_s"], h200["roofline"]["time_s"])
        self.assertAlmostEqual(forecasts["MI250"]["efficiency"], 0.707, places=3)
        self.assertEqual(forecasts["EPYC 7763"]["efficiency"], 1)
        flattened = self.changed(STEPS, divergence={"rule": "trip_counts", "items_per_lane": 8})
        self.assertAlmostEqual(self.forecasts(flattened)["H200"]["efficiency"], 0.89, places=2)

    def test_items_scale_the_time(self):
        once, twice = (self.forecasts(COULOMB, "--items", n)["VU9P"]["expected"]["total_s"] for n in (1e8, 2e8))
        self.assertAlmostEqual(twice, 2 * once)

    def test_the_start_is_added(self):
        without, with_start = (self.forecasts(COULOMB, *more)["V100"]["expected"] for more in ((), ("--start",)))
        self.assertAlmostEqual(with_start["total_s"] - without["total_s"], 0.3)
        self.assertEqual((without["start_s"], with_start["start_s"]), (0, 0.3))

    def test_devices_of_a_file(self):
        file = self.folder / "devices.json"
        self.succeed("--write-devices", file)
        self.assertEqual(self.forecasts(COULOMB, "--devices", file), self.forecasts(COULOMB))
        devices = json.loads(file.read_text())["devices"][3:5]
        devices[0] |= {"name": "mine", "clock_hz": 2.91e9, "price": 1}
        devices[1] |= {"price": 4}
        file.write_text(json.dumps({"devices": devices}))
        forecasts = self.forecasts(COULOMB, "--devices", file)
        self.assertEqual(set(forecasts), {"mine", "A100"})
        self.assertAlmostEqual(1e3 * forecasts["mine"]["expected"]["total_s"], 536.942, places=3)
        self.assertAlmostEqual(forecasts["A100"]["speedup_per_price"], forecasts["A100"]["speedup"] / 4)

    def test_thresholds_change_the_decision(self):
        application = self.changed(COULOMB, branch_miss_rate=0.2, latency_s=1e-4)
        for kind, *options in (("GPU",), ("FPGA", "--low-latency", 1), ("GPU", "--high-branch-misses", 0.5),
                               ("FPGA", "--high-cache-misses", 0, "--high-branch-misses", 0.1, "--fpga-gain", 2,
                                "--device", "EPYC 7763", "VU9P"),
                               ("CPU", "--device", "EPYC 7763", "VU9P"),
                               ("FPGA", "--device", "EPYC 7763", "V100", "VU9P", "--fpga-gain", 2, "--similar", 0.1)):
            with self.subTest(options):
                decision = self.results(application, *options)["decision"]
                self.assertEqual(decision["kind"], kind, decision["steps"])
        steps = self.results(application, "--items-per-core", 1e6)["decision"]["steps"]
        self.assertTrue(any("wants at least" in step for step in steps))

    def test_a_device_that_cannot_be_forecast(self):
        application = self.changed(STEPS, fpga={})  # special functions, whose area is not known
        result = self.succeed(application)
        self.assertIn("warning: VU9P is left out", result.stderr)
        self.assertNotIn("VU9P", result.stdout)
        self.fail_with(2, "dsp_per_special", application, "--device", "VU9P")

    def test_quiet_says_nothing(self):
        result = self.succeed(COULOMB, "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))


class LoopFlowAndPlots(Case):
    def test_the_loop_flow(self):
        loops = [{"name": "outer & all", "trip_count": 7, "instructions": 3, "calls": [{"name": "log", "instructions": 30}],
                  "loops": [{"name": "inner", "trip_count": {"poisson": 2.5}, "instructions": 11}]}]
        text = self.succeed(self.changed(COULOMB, loops=loops), "--loop-flow").stdout
        for words in ("outer & all, x 7: 33 instructions", "      inner, x 2.5 on average: 11 instructions",
                      "calls log x 1, 30 each", "histograms (link, from the device)", "2416 bytes"):
            self.assertIn(words, text)

    def test_the_roofline(self):
        plot, = self.report(KALMAN, "--device", "V100", "EPYC 7763", "VU9P")["plots"]
        series = plot["panels"][0]["series"]
        self.assertEqual([s.get("label") for s in series], ["V100", None, "EPYC 7763", None])  # VU9P has no peak rate
        for roof, point in (series[:2], series[2:]):
            self.assertEqual(point["x"], series[1]["x"])  # both are at the same intensity
            self.assertLess(point["y"][0], max(roof["y"]))

    def test_no_rates_no_roofline(self):
        self.assertEqual(self.report(COULOMB, "--device", "VU9P")["plots"], [])

    def test_without_arguments_the_published_example(self):
        self.assertEqual(self.succeed().stdout, self.succeed("--published").stdout)


class Scaling(Case):
    def test_chains_over_the_cores(self):
        report = self.report("--chains", CHAINS, "--device", "EPYC 7763")
        chains = json.loads(CHAINS.read_text())["chains"]
        scalings = report["results"]["scalings"]
        self.assertEqual([s["chain"] for s in scalings], [c["name"] for c in chains])
        for scaling in scalings:
            with self.subTest(scaling["chain"]):
                self.assertEqual([p["cores"] for p in scaling["points"]], [1, 2, 4, 8, 16, 32, 64])
                for point in scaling["points"]:
                    self.assertLessEqual(point["worst_speedup"], point["best_speedup"] * (1 + 1e-12))
                    self.assertLessEqual(point["best_speedup"], point["cores"] * (1 + 1e-12))
        plot, = report["plots"]
        self.assertEqual(len(plot["panels"][0]["series"]), 2 * len(chains))

    def test_the_table(self):
        chains = self.folder / "chains.json"
        chains.write_text(json.dumps({"chains": [
            {"name": "computes", "s_per_item": 1e-6},
            {"name": "moves", "s_per_item": 1e-6, "traffic": [{"cache_bytes": 1, "bytes_per_item": 20480}]}]}))
        text = self.succeed("--chains", chains, "--device", "EPYC 7763").stdout
        self.assertRegex(text, r"computes +EPYC 7763 +1 +- .* 64\.0\.\.64\.0")
        self.assertRegex(text, r"moves +EPYC 7763 +1 +11 .*\.\.10\.0\n")  # 204.8 GB/s

    def test_all_cpus_without_a_device(self):
        scalings = self.results("--chains", CHAINS)["scalings"]
        self.assertEqual({s["device"] for s in scalings}, {"EPYC 7551 x2", "EPYC 7763", "EPYC 9654"})


class Measurement(Case):
    def test_all_kernels(self):
        report = self.results("--measure", "--repeat", 2)
        self.assertEqual({c["kernel"] for c in report["comparisons"]}, KERNELS)
        self.assertEqual(len(report["comparisons"]), 2 * len(KERNELS))
        self.assertGreater(report["device"]["clock_hz"], 1e8)
        for c in report["comparisons"]:
            with self.subTest(c["kernel"] + " " + c["data_in"]):
                self.assertAlmostEqual(c["error"], c["by_kind_in_turn_ns"] / c["measured_ns"] - 1)
                self.assertLess(c["best_ns"], c["worst_ns"])
                self.assertLessEqual(c["by_kind_overlapped_ns"], c["by_kind_in_turn_ns"] * (1 + 1e-12))  # rounding
                self.assertLessEqual(c["lower_quartile_ns"], c["measured_ns"])
                self.assertLessEqual(c["measured_ns"], c["upper_quartile_ns"])
                # within an order of magnitude, whatever else runs on this machine
                self.assertLess(abs(c["error"]), 20)

    def test_a_host_by_description(self):
        host = self.folder / "host.json"
        text = self.succeed("--measure", "--kernel", "product_6x6", "--repeat", 1, "--write-devices", host).stdout
        self.assertIn("product_6x6", text)
        self.assertNotIn("kalman_update", text)
        self.assertEqual(json.loads(host.read_text())["devices"][0]["kind"], "cpu")
        report = self.results("--measure", "--kernel", "product_6x6", "--repeat", 1, "--device", "EPYC 7763")
        self.assertEqual(report["device"]["name"], "EPYC 7763, one core")
        self.assertAlmostEqual(report["device"]["peak_per_s"]["fp32_flop"], 2.45e9 * 32)


if __name__ == "__main__":
    main()
