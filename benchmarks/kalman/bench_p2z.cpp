// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// p2z, the benchmark of mkFit's propagation to planes and Kalman update: time per track, and the
// averages that the published programs print. Goal: 0.28 us a track of 20 layers on one core of a
// Zen 3 class machine (the best of the published codes, compiled for speed: 0.50 us).
#include "program.hpp"

int main(int argc, char* argv[]) {
  return trackplex::benchmarks::benchmark_main(
      {.name = "p2z",
       .title = "p2z: fits tracks through planes of constant z, and times it.",
       .surfaces = trackplex::benchmarks::Surfaces::planes,
       .tracks = 9600,
       .smear = 1e-7,
       .has_published_form = false},
      argc, argv);
}
