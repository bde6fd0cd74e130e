// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sample.hpp"

#include <string>
#include <trackplex/program/options.hpp>

namespace trackplex::benchmarks {

/// What distinguishes bench_p2z from bench_p2r.
struct Benchmark {
  std::string name;   ///< "p2z"
  std::string title;  ///< of the help
  Surfaces surfaces;
  int tracks;    ///< per event, as published
  double smear;  ///< by default
  bool has_published_form;
};

/// What the command line says.
struct ProgramOptions {
  program::CommonOptions common;
  int tracks = 0;
  int events = 100;
  int layers = 20;
  double smear = 0.;
  int iterations = 1;
  std::string layout = "tiles";
  std::string input;  ///< folder, or empty: the reference where it is found
  bool generate = false;
  bool published = false;
  bool scan = false;
};

/// The main function of both programs.
int benchmark_main(const Benchmark& benchmark, int argc, char* argv[]);

}  // namespace trackplex::benchmarks
