// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace trackplex::program {

/// The options that every program has.
struct CommonOptions {
  std::string backend;            ///< a backend of `built_backends()`, or "all"
  int threads = 0;                ///< host threads; 0: Kokkos decides
  std::string lanes = "default";  ///< a number, "default" or "all"
  std::string precision = "float";
  int repeat = 5;          ///< timed repetitions after the warm-up
  std::uint64_t seed = 1;  ///< of generated input
  std::string json;        ///< file of the JSON report; empty: none
  bool quiet = false;      ///< no progress bars, no text but warnings and errors

  /// Several backends or lane widths are to be run and compared.
  bool compares() const { return backend == "all" || lanes == "all"; }
};

}  // namespace trackplex::program
