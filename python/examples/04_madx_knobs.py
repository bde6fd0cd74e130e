# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sequence of MAD-X, and its variables as knobs."""

from trackplex import beam

file = beam.MadxFile()
file.read("""
  beam, particle=proton, pc=2;
  k = 0.6;
  mq: quadrupole, l=0.5;
  cell: sequence, l=8, refer=centre;
    qf: mq, k1:=k, at=0.25;
    b1: sbend, l=1.5, angle:=twopi/16, at=2.25;
    qd: mq, k1:=-k, at=4.25;
    b2: sbend, l=1.5, angle:=twopi/16, at=6.25;
  endsequence;
  use, sequence=cell;
""")
for k in (0.6, 0.5, 0.4):
    file["k"] = k
    cell = file.line()
    optics = beam.twiss(cell * 8)
    print(f"k = {k:.2f}: tunes {optics.tune_x:.4f} and {optics.tune_y:.4f}")
