// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdio>
#include <trackplex/beam/optics/floor_plan.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/io/madx/madx_sequence.hpp>

using namespace trackplex;

constexpr const char* text = R"(
  beam, particle = proton, pc = 2;
  kf = 0.6;  kd := -kf;
  mq: quadrupole, l = 0.5;
  qf: mq, k1 := kf;
  qd: mq, k1 := kd;
  mb: sbend, l = 1.5, angle := twopi/16;
  cell: sequence, l = 8, refer = centre;
    qf, at = 0.25;
    b1: mb, at = 2.25;
    qd, at = 4.25;
    b2: mb, at = 6.25;
  endsequence;
  ring: sequence, l = 64, refer = entry;
    cell, at = 0;  cell, at = 8;  cell, at = 16; cell, at = 24;
    cell, at = 32; cell, at = 40; cell, at = 48; cell, at = 56;
  endsequence;
  use, sequence = ring;
)";

int main() {
  io::MadxFile file = io::parse_madx(text, "ring.seq");
  for (const double kf : {0.6, 0.5}) {
    file.set("kf", kf);  // kd follows
    const beam::BeamLine ring = file.expand();
    const auto optics = beam::periodic_twiss(beam::map_of(ring, 1)).start;
    const auto end = beam::floor_plan(ring).back();
    std::printf("p0 %.4f, %zu elements, %.1f m, beta %.2f and %.2f m, gap %.0e m\n",
                file.beam()->p0(), ring.size(), beam::length_of(ring), optics.x.beta, optics.y.beta,
                std::hypot(end.position[0], end.position[1], end.position[2]));
  }
}
