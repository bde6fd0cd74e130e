// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace trackplex::test {

// Hashes of the complete output for generated input. Every backend, number of threads, lane width
// and batch size must give them; a change of an algorithm or of the generator that changes the
// output changes them too, and says so.

struct VeloGolden {
  std::string single_precision;
  std::string double_precision;
};

inline const std::string velo_events_golden = "5226bd726355facb";
inline const VeloGolden velo_tracks_2019_golden{"6448ae44cfc47bd8", "fe7966b55d3a7925"};
inline const VeloGolden velo_tracks_2020_golden{"b96e7fd582f45aeb", "07fb058f48ea8b52"};
inline const VeloGolden velo_tracks_2023_golden{"efb6a81e59e37ea3", "cf9d8e529c1c0137"};

}  // namespace trackplex::test
