// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace trackplex::test {

// Hashes of the complete output for generated input. Every backend, number of threads, lane width and batch size must give
// them; a change of an algorithm or of the generator that changes the output changes them too, and says so.

struct VeloGolden {
  std::string single_precision;
  std::string double_precision;
};

inline const std::string velo_events_golden = "";
inline const VeloGolden velo_tracks_2019_golden{"", ""};
inline const VeloGolden velo_tracks_2020_golden{"", ""};
inline const VeloGolden velo_tracks_2023_golden{"", ""};

}  // namespace trackplex::test
