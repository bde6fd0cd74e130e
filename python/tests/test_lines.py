# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from trackplex import beam
from trackplex._trackplex import beam as core

QF, QD, D = beam.Quadrupole("qf", length=0.2, k1=1.5), beam.Quadrupole("qd", length=0.2, k1=-1.5), beam.Drift("d", length=0.8)


def plain(element):
    return dataclasses.asdict(element) | {"name": ""}


@pytest.mark.parametrize("kind", sorted(core.defaults()))
def test_classes_have_the_members_and_defaults_of_the_structs(kind):
    fields = core.defaults()[kind]
    element = getattr(beam, kind)()
    assert plain(element) == {"name": "", **fields}


def test_lines_are_sequences():
    line = beam.Line([QF, D, [QD, D] * 2], name="cell")
    assert len(line) == 6
    assert line.names == ["qf", "d", "qd", "d", "qd", "d"]
    assert line.length == pytest.approx(3.0)
    assert line[0] == QF and line[-1] == D
    assert [element.name for element in line[1:3]] == ["d", "qd"]
    assert len(line * 3 + line) == 24
    assert line.find("Q?") == [0, 2, 4]
    assert line.reversed().names == line.names[::-1]
    assert len(line.split(3)) == 18
    with pytest.raises(IndexError):
        line[6]


def test_nested_parameters_come_back():
    bend = beam.CanonicalBend("b", length=1.0, angle=0.1, strengths=[0.2, 0.3], entrance_effects="hwang", k0=0.11)
    multipole = beam.CanonicalMultipole("m", length=0.1, field=beam.Multipoles([0.0, 0.1], [0.2]))
    aperture = beam.Collimator("c", aperture=beam.Aperture("ellipse", x_max=1e-3, y_max=2e-3, open="plus_x"))
    shifted = dataclasses.replace(QF, misalignment=beam.Misalignment(dx=1e-3))
    assert list(beam.Line([bend, multipole, aperture, shifted])) == [bend, multipole, aperture, shifted]


def test_lines_can_be_pickled():
    line = beam.Line([QF, D], name="l")
    copy = pickle.loads(pickle.dumps(line))
    assert list(copy) == list(line) and copy.name == "l"


def test_bad_elements_are_named():
    with pytest.raises(TypeError, match=r"Quadrupole 'q'\.k1 = 'strong' is no number"):
        beam.Line([beam.Quadrupole("q", k1="strong")])
    with pytest.raises(TypeError, match=r"Quadrupole 'q'\.order = 1\.5 is no whole number"):
        beam.Line([beam.Quadrupole("q", order=1.5)])
    with pytest.raises(ValueError, match=r"Collimator 'c'\.aperture\.shape = 'round' is none of rectangle, ellipse"):
        beam.Line([beam.Collimator("c", aperture=beam.Aperture("round"))])
    with pytest.raises(ValueError, match="'q'.*length"):
        beam.Line([beam.Quadrupole("q", length=-1.0)])
    with pytest.raises(TypeError, match="is neither an element nor a line"):
        beam.Line(["q"])


def test_elegant_files_are_read(tmp_path):
    path = tmp_path / "ring.lte"
    path.write_text('qf: QUAD, L=0.2, K1=1.5\nd: DRIF, L="1 0.2 -"\nw: WATCH, FILENAME="x"\ncell: LINE=(qf, 2*d, w)\n')
    line = beam.read_elegant(path)
    assert line.names[:3] == ["qf", "d", "d"] and line.name == "cell"
    assert line[0].k1 == 1.5 and line[1].length == pytest.approx(0.8)
    assert isinstance(line[3], (beam.Marker, beam.OtherElement))
    assert beam.read_elegant(path, changes={"QF.K1": 2.0})[0].k1 == 2.0
    again = beam.Line([line, QD])
    assert len(again) == 5


def test_madx_files_are_read_and_varied(tmp_path):
    path = tmp_path / "cell.seq"
    path.write_text(
        "beam, particle=proton, pc=2; k:=0.6; mq: quadrupole, l=0.5, k1:=k;\n"
        "cell: sequence, l=4, refer=centre; qf: mq, at=1; qd: mq, k1:=-k, at=3; endsequence; use, sequence=cell;\n")
    file = beam.MadxFile(path)
    assert file.sequences == ["cell"] and file["k"] == 0.6 and "k" in file and "kk" not in file
    line = file.line()
    assert line.p0 == pytest.approx(2.1316, rel=1e-4)
    assert line.length == pytest.approx(4.0)
    before = beam.twiss(line).tune_x
    file["k"] = 0.5
    assert beam.twiss(file.line()).tune_x < before
    assert beam.read_madx(path, variables={"k": 0.5}).map() == pytest.approx(file.line().map())
    with pytest.raises(KeyError):
        file["kk"]


def test_faults_of_files_are_those_of_the_library(tmp_path):
    with pytest.raises(OSError, match="missing.lte: cannot be opened"):
        beam.read_elegant(tmp_path / "missing.lte")
    path = tmp_path / "bad.lte"
    path.write_text("q: QUAD, L=\n")
    with pytest.raises(ValueError, match="bad.lte.*line 1"):
        beam.read_elegant(path)
    with pytest.raises(ValueError, match="ELEMENT.PARAMETER"):
        beam.read_elegant(path, changes={"K1": 1.0})


def test_optics_of_a_cell():
    line = beam.Line([QF, D, QD, D])
    optics = beam.twiss(line)
    assert optics.is_periodic and len(optics) == 5
    assert optics.beta_x[0] == pytest.approx(optics.beta_x[-1])
    assert optics.phase_x[-1] / (2 * np.pi) == pytest.approx(optics.tune_x)
    matrix = line.map()
    assert 2 * np.cos(2 * np.pi * optics.tune_x) == pytest.approx(matrix[0, 0] + matrix[1, 1])
    again = beam.twiss(line, start=beam.optics_at(optics.beta_x[0], optics.beta_y[0], optics.alpha_x[0], optics.alpha_y[0]))
    assert np.allclose(again.beta_y, optics.beta_y, rtol=1e-12)


def test_an_unstable_line_is_an_error():
    with pytest.raises(ValueError, match="not stable"):
        beam.twiss([beam.Quadrupole("q", length=1.0, k1=30.0), D])


def test_closed_orbit_about_a_kick():
    kick = beam.Kicker("k", horizontal=1e-4)
    line = beam.Line([kick, QF, D, QD, D])
    found = beam.closed_orbit(line, p0=1000.0)
    assert found.orbit.shape == (6, 6)
    assert np.allclose(found.orbit[0, :4], found.orbit[-1, :4], atol=1e-12)
    linear = np.linalg.solve(np.eye(2) - line.map()[:2, :2], line.map()[:2, :2] @ [0.0, 1e-4])
    assert found.orbit[0, :2] == pytest.approx(linear, rel=1e-2)
    with pytest.raises(ValueError, match="p0"):
        beam.closed_orbit(line)


def test_lines_of_pals_are_written_and_read(tmp_path):
    line = beam.Line([QF, D, QD, D], name="cell")
    path = tmp_path / "cell.pals.yaml"
    assert beam.write_pals(path, line, p0=1000.0) == []
    again = beam.read_pals(path)
    assert again.name == "cell" and again.names == ["beginning", *line.names] and again.p0 == pytest.approx(1000.0)
    assert again.map() == pytest.approx(line.map(), abs=1e-14)
    with pytest.raises(ValueError, match="p0"):
        beam.write_pals(path, line)
    with pytest.raises(ValueError, match="no name in PALS"):
        beam.write_pals(path, line, p0=1000.0, mass=1.0)
    path.write_text("facility: [\n")
    with pytest.raises(ValueError, match="cell.pals.yaml"):
        beam.read_pals(path)


def test_one_ring_in_four_languages():
    folder = Path(__file__).parents[2] / "tests" / "io" / "same_ring"
    ring = beam.closed_orbit(beam.read_madx(folder / "ring.seq", exact=True, slices=4))
    p0 = beam.read_xsuite(folder / "ring.json").p0
    for other in (beam.read_elegant(folder / "ring.lte", exact_edges=True),
                  beam.read_pals(folder / "ring.pals.yaml", exact=True, slices=4), beam.read_xsuite(folder / "ring.json", slices=4)):
        optics = beam.closed_orbit(other, p0=p0)
        for name in ("tune_x", "tune_y", "beta_x", "beta_y", "alpha_x", "alpha_y", "dispersion", "orbit"):
            assert np.allclose(getattr(optics, name), getattr(ring, name), rtol=1e-12, atol=1e-12), name


def test_lines_of_xsuite_are_read(tmp_path):
    elements = {"qf": {"__class__": "Quadrupole", "length": 0.2, "k1": 1.5}, "d": {"__class__": "Drift", "length": 0.8},
                "w": {"__class__": "Wire"}}
    path = tmp_path / "line.json"

    def write(*names):
        path.write_text(json.dumps({
            "__class__": "Line", "elements": elements, "element_names": names,
            "particle_ref": {"__class__": "Particles", "mass0": 938272088.16, "q0": 1.0, "p0c": [2e9]}}))

    write("qf", "d", "qf")
    line = beam.read_xsuite(path)
    assert line.names == ["qf", "d", "qf"] and line.p0 == pytest.approx(2e9 / 938272088.16)
    assert line.length == pytest.approx(1.2) and line.map() == pytest.approx(beam.Line([QF, D, QF]).map(), abs=1e-6)
    write("qf", "w")
    with pytest.raises(ValueError, match="Wire"):
        beam.read_xsuite(path)
    assert any("Wire" in remark for remark in beam.read_xsuite(path, skip_unknown=True).remarks)


@pytest.mark.parametrize("kind", sorted(core.defaults()))
def test_members_have_the_documentation_of_the_headers(kind):
    cls = getattr(beam, kind)
    for field in dataclasses.fields(cls):
        assert field.name == "name" or f"\n{field.name}: " in cls.__doc__
    assert "k1: Strength, 1/m^2; positive: focuses in x." in beam.Quadrupole.__doc__


def test_space_charge_along_a_line():
    line = beam.with_space_charge([QF, D], beam.SpaceChargeKick(cells=[16, 16, 16]), max_length=0.1)
    kicks = [element for element in line if isinstance(element, beam.SpaceChargeKick)]
    assert line.find("*.sc") and sum(kick.effective_length for kick in kicks) == pytest.approx(1.0)
    assert all(kick.cells == [16, 16, 16] for kick in kicks) and line.length == pytest.approx(1.0)
    with pytest.raises(ValueError, match="space charge along a line"):
        beam.with_space_charge(line)
    with pytest.raises(TypeError, match=r"kick\.cells"):
        beam.with_space_charge([D], beam.SpaceChargeKick(cells=[16]))
