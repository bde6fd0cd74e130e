// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Equations of the published forecasting method ("Application of Computational Modelling to
/// Particle Physics"), by their numbers there; (2.2) is in memory_blocks.hpp. Times are in s.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <vector>

namespace trackplex::perfmodel {

/// Returns one term of (2.1), \f$ S_i / (BW\,\eta(S_i)) \f$: the time to move `bytes` bytes in
/// transfers of `transfer_bytes` each (0: all at once) over a channel, s.
/// @throws UsageError if there is data, but the channel has no bandwidth
double transfer_time(double bytes, double transfer_bytes, const Channel& channel);

/// Returns the transfer time of all streams on a path by (2.1), s:
/// \f[ T_\mathrm{transfer} = \sum_i \frac{S_i}{BW\,\eta(S_i)}. \f]
/// The directions of a link are independent, and the slower one counts; reads and writes share a
/// memory, so all its streams add up. Small transfers are included: their low efficiency makes them
/// expensive.
/// @throws UsageError if there is data, but the channel has no bandwidth
double transfer_time(const std::vector<Stream>& streams, Path path, double items,
                     const Channel& channel);

/// Returns the time of pipelines that together start `per_cycle` iterations per cycle by (2.3),
/// \f$ T_\mathrm{comp} = n_\mathrm{total}\,n_\mathrm{iterations} / (n_\mathrm{cycle}\,f) \f$, s.
/// `items` work items have `iterations` iterations each; `clock` is in Hz.
inline double pipeline_time(double items, double iterations, double per_cycle, double clock) {
  return items * iterations / (per_cycle * clock);
}

/// Returns the computing time by (2.4) with the efficiency in the denominator, s:
/// \f[ T_\mathrm{comp} = \frac{S\,N_\mathrm{ASM}}{\eta\,f\,N_\mathrm{cores}} \f]
/// for \f$S\f$ work items of \f$N_\mathrm{ASM}\f$ instructions each. An efficiency of 1/2 doubles
/// the time. `clock` is in Hz.
inline double compute_time(double items, double instructions, double efficiency, double clock,
                           double cores) {
  return items * instructions / (efficiency * clock * cores);
}

/// Returns (2.4) as printed, \f$ T = S\,\eta\,N_\mathrm{ASM} / (f\,N_\mathrm{cores}) \f$, s, to
/// show the difference only. It is wrong, since a lower efficiency would give a shorter time; the
/// published numbers follow compute_time().
inline double compute_time_as_printed(double items, double instructions, double efficiency,
                                      double clock, double cores) {
  return items * efficiency * instructions / (clock * cores);
}

/// Combines the times of computation, memory and link, s: their sum (2.5) for an `overlap` of 0,
/// their maximum (2.6) for 1, and the linear interpolation between both for a partial overlap.
double total_time(double compute, double memory, double link, double overlap);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/equations.impl.hpp>
#endif
