// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/velo/triplet_params.hpp>

namespace trackplex::lhcb {

/// Published sets of cuts of Search by triplet.
enum class VeloConstants {
  y2019,  ///< LHCb's code of 2019
  y2020,  ///< LHCb's code of 2020
  y2023   ///< LHCb's code of 2023
};

/// Returns the cuts of Search by triplet in LHCb's code of a year.
TripletParams velo_params(VeloConstants constants);

/// Checks the cuts of Search by triplet.
/// @throws UsageError that names the first parameter out of range
void check(const TripletParams& p);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/velo/detail/velo_params.impl.hpp>
#endif
