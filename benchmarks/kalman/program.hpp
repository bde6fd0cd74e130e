// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sample.hpp"

#include <string>

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

/// The main function of both programs.
int benchmark_main(const Benchmark& benchmark, int argc, char* argv[]);

}  // namespace trackplex::benchmarks
