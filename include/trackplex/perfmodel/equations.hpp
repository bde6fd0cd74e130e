// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The equations of the published forecasting method, by their numbers there; (2.2) is in
/// memory_blocks.hpp. Times are in s.

#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <algorithm>
#include <vector>

namespace trackplex::perfmodel {

/// One term of (2.1): S_i / (BW eta(S_i)).
/// @throws UsageError if there is data but no way for it
inline double transfer_time(double bytes, double transfer_bytes, const Channel& channel) {
  if (bytes == 0.) return 0.;
  const double rate = channel.rate(transfer_bytes > 0. ? transfer_bytes : bytes);
  if (!(rate > 0.))
    throw UsageError("transfer_time", "there is data to move, but the channel has no bandwidth");
  return bytes / rate;
}

/// (2.1): T_transfer = sum over streams of S_i / (BW eta(S_i)). The directions of a link are
/// independent, of which the slower one counts; a memory is shared by reading and writing, so that
/// all its streams add up. Small transfers are not left out: their efficiency is what costs.
inline double transfer_time(const std::vector<Stream>& streams, Path path, double items,
                            const Channel& channel) {
  double to = 0., from = 0.;
  for (const auto& stream : streams) {
    if (stream.path != path) continue;
    const double bytes = stream.bytes + items * stream.bytes_per_item;
    (stream.direction == Direction::to_device ? to : from) +=
        transfer_time(bytes, stream.transfer_bytes, channel);
  }
  return path == Path::link ? std::max(to, from) : to + from;
}

/// (2.3): T_comp = n_total n_iterations / (n_cycle f), of pipelines that begin `per_cycle`
/// iterations in each cycle.
inline double pipeline_time(double items, double iterations, double per_cycle, double clock) {
  return items * iterations / (per_cycle * clock);
}

/// (2.4): T = S N_ASM / (eta f N_cores), of S work items with N_ASM instructions each. An
/// efficiency of 1/2 doubles the time: it divides.
inline double compute_time(double items, double instructions, double efficiency, double clock,
                           double cores) {
  return items * instructions / (efficiency * clock * cores);
}

/// (2.4) as it was printed, T = S eta N_ASM / (f N_cores). It is wrong, as less efficiency would be
/// less time, and the published numbers follow `compute_time`. Here to show the difference only.
inline double compute_time_as_printed(double items, double instructions, double efficiency,
                                      double clock, double cores) {
  return items * efficiency * instructions / (clock * cores);
}

/// (2.5), T = T_comp + T_mem + T_link, for an overlap of 0; (2.6), the largest of the three, for 1;
/// between them for what overlaps in part.
inline double total_time(double compute, double memory, double link, double overlap) {
  const double sum = compute + memory + link, largest = std::max({compute, memory, link});
  return overlap * largest + (1. - overlap) * sum;
}

}  // namespace trackplex::perfmodel
