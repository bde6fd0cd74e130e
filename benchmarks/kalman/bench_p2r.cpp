// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// p2r, the benchmark of mkFit's propagation to cylinders and Kalman update: time per track, and the
// averages that the published programs print. Goal: 0.55 us a track of 20 layers on one core of a
// Zen 3 class machine (the best form of the published codes: 0.82 us).
//
// As published, every layer begins with the input track, so that a compiler may leave out all
// layers but the last, and the time says nothing: here each layer begins with the state of the
// layer before, and --published is for comparing the results. The published smear of 1e-5 breaks
// some covariances; 1e-7 does not.
#include "program.hpp"

int main(int argc, char* argv[]) {
  return trackplex::benchmarks::benchmark_main(
      {.name = "p2r",
       .title = "p2r: fits tracks through cylinders, and times it.",
       .surfaces = trackplex::benchmarks::Surfaces::cylinders,
       .tracks = 8192,
       .smear = 1e-7,
       .has_published_form = true},
      argc, argv);
}
