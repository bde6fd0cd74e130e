# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs beamline on many ranks: python3 test_beamline_ranks.py PROGRAM"""

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from ranks import RanksCase, main  # noqa: E402

# Space charge, losses, a cavity, and places where the bunch is watched
LATTICE = """q: CHARGE, TOTAL=1e-9
qf: QUAD, L=0.2, K1=1.5
qd: QUAD, L=0.2, K1=-1.5
sc: LSCDRIFT, L=0.8, BINS=128
c: ECOL, L=0.1, X_MAX=3e-4, Y_MAX=3e-4
cav: RFCA, L=0.3, VOLT=1e6, FREQ=3e9, PHASE=80, CHANGE_P0=1
w: WATCH, FILENAME="%s_end.csv", MODE=COORDINATES
m: WATCH, FILENAME="%s_moments.csv", MODE=PARAMETERS
line: LINE=(q, qf, sc, c, cav, qd, sc, w, m)
"""


class Ranks(RanksCase):
    def setUp(self):
        super().setUp()
        self.lattice = self.folder / "line.lte"
        self.lattice.write_text(LATTICE)
        self.line = ("--input", self.lattice, "--generate", 20000, "--beta", 10, 10)
        self.arguments = (*self.line, "--turns", 2)

    def outputs(self, ranks, *arguments, threads=1):
        """What a run finds, and the bytes of all files that it writes."""
        folder = self.folder / f"of_{ranks}_{threads}"
        folder.mkdir(exist_ok=True)
        files = {name: folder / name for name in ("out.csv", "moments.csv", "profile.csv")}
        report = self.report_of(ranks, *self.arguments, "--output", files["out.csv"], "--moments", files["moments.csv"],
                                "--profile", files["profile.csv"], "--watch", folder / "watch", *arguments, threads=threads)
        written = {name: file.read_text() for name, file in files.items()}
        written |= {file.name: file.read_text() for file in (folder / "watch").iterdir()}
        return report, written

    def test_same_particles_and_files(self):
        report, files = self.outputs(0)
        self.assertGreater(report["results"]["lost"], 100)
        self.assertGreater(len(files), 4)
        for ranks, threads in ((1, 1), (2, 1), (2, 2), (3, 1), (4, 1), (5, 2)):
            with self.subTest(ranks=ranks, threads=threads):
                others, written = self.outputs(ranks, threads=threads)
                self.assertEqual(others["ranks"], ranks)
                self.assertEqual(others["results"], report["results"])
                self.assertEqual(written, files)

    def test_all_backends_and_lanes_in_both_precisions(self):
        arguments = ("--backend", "all", "--lanes", "all", "--precision", "all")
        one, three = (self.report_of(ranks, *self.arguments, *arguments) for ranks in (0, 3))
        self.assertIs(three["same_bits"], True)
        self.assertEqual([run["hash"] for run in three["runs"]], [run["hash"] for run in one["runs"]])

    def test_the_dynamic_aperture(self):
        lattice = self.folder / "ring.lte"
        lattice.write_text("qf: KQUAD, L=0.2, K1=1.5\nqd: KQUAD, L=0.2, K1=-1.5\ns: KSEXT, L=0.1, K2=200\n"
                           "d: DRIF, L=0.6\nring: LINE=(qf, s, d, qd, d)\n")
        scan = ("--input", lattice, "--aperture", 100, "--turns", 20, "--aperture-size", 0.5, 0.5)
        one = self.report_of(0, *scan)["results"]
        self.assertGreater(one["dynamic_aperture"]["lost"], 5)
        for ranks in (1, 3):
            self.assertEqual(self.report_of(ranks, *scan)["results"], one)

    def test_a_bunch_from_a_file(self):
        bunch = self.folder / "bunch.csv"
        self.report_of(0, *self.arguments, "--output", bunch)
        again = ("--input", self.lattice, "--bunch", bunch, "--charge", 1e-9)
        self.assertEqual(self.report_of(3, *again)["results"], self.report_of(0, *again)["results"])

    def test_files_of_many_ranks_are_those_of_one(self):
        for ending in (".csv", ".sdds", ".h5"):
            start = self.folder / ("start" + ending)
            if self.run_on(0, *self.arguments, "--output", start).returncode == 2:  # no HDF5
                continue
            files = []
            for ranks in (0, 1, 3, 5):
                out, written = self.folder / f"out_{ranks}{ending}", self.folder / f"written_{ranks}{ending[1:]}"
                report = self.report_of(ranks, "--input", self.lattice, "--bunch", start, "--charge", 1e-9, "--output", out,
                                        "--write-input", written)
                files.append([out.read_bytes(), *(file.read_bytes() for file in sorted(written.iterdir())), report["plots"],
                              report["results"], report["input"]])
            for of_ranks in files[1:]:
                self.assertEqual(of_ranks, files[0])

    def test_iterations_of_many_ranks_are_those_of_one(self):
        self.lattice.write_text(LATTICE.replace("%s_end.csv", "%s_end.openpmd.h5"))
        files = []
        for ranks in (0, 1, 3):
            folder = self.folder / f"watch_{ranks}"
            if self.run_on(ranks, *self.arguments, "--watch", folder).returncode == 2 and ranks == 0:  # no HDF5
                return
            files.append({file.name: file.read_bytes() for file in folder.iterdir()})
        self.assertIn("line_end.openpmd.h5", files[0])
        for of_ranks in files[1:]:
            self.assertEqual(of_ranks, files[0])
        read = ("--input", self.lattice, "--bunch", self.folder / "watch_3" / "line_end.openpmd.h5", "--iteration", 1)
        self.assertEqual(self.report_of(3, *read)["results"], self.report_of(0, *read)["results"])

    def test_a_damaged_bunch_is_refused_once(self):
        bunch = self.folder / "bunch.csv"
        self.report_of(0, *self.line, "--output", bunch)
        lines = bunch.read_text().splitlines()
        lines[19000] = "1,2,x"
        bunch.write_text("\n".join(lines))
        for ranks in (1, 3):
            self.fail_on(ranks, 3, "line 19001: 3 values", "--input", self.lattice, "--bunch", bunch)
        self.fail_on(3, 3, "none.csv: cannot be opened", "--input", self.lattice, "--bunch", self.folder / "none.csv")

    def test_fewer_particles_than_blocks(self):
        few = ("--generate", 50)
        self.assertEqual(self.report_of(4, *few)["results"]["hash"], self.report_of(0, *few)["results"]["hash"])

    def test_a_killed_rank_ends_the_run(self):
        run = self.start_on(2, *self.line, "--turns", 100000)
        run.pid_of(1)
        time.sleep(1.)
        begin = time.monotonic()
        run.kill(1)
        result = run.wait(60)
        self.assertNotEqual(result.returncode, 0)
        self.assertLess(time.monotonic() - begin, 20.)
        self.assertRegex(result.stderr, "(?i)signal 9|killed")

    def test_mistakes_are_told_once(self):
        self.fail_on(3, 3, "none.lte", "--input", self.folder / "none.lte")
        self.fail_on(3, 2, "--turns", "--turns", "x")
        self.fail_on(2, 2, "--threads", "--threads", "1,2")


if __name__ == "__main__":
    main()
