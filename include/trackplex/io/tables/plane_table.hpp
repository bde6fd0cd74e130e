// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <cstdint>

namespace trackplex::io {

/// Returns a tally of z (along the axis) and r (across it) as a table with the columns
///
///   z_lo, z_hi, r_lo, r_hi, density, counts
///
/// and one row per cell, r running first. Positions have the unit of the tally's axes; the density
/// is counts / (histories * area of the cell). `histories`, the number of all histories, and the
/// number of those outside of all cells are added to the metadata.
/// @throws UsageError if the tally has not two axes
Table plane_table(const montecarlo::TallyView& tally, std::uint64_t histories,
                  const Metadata& metadata);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/plane_table.impl.hpp>
#endif
