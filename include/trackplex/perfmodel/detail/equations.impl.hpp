// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>
#include <trackplex/perfmodel/equations.hpp>

#include <algorithm>
#include <vector>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE double transfer_time(double bytes, double transfer_bytes, const Channel& channel) {
  if (bytes == 0.) return 0.;
  const double rate = channel.rate(transfer_bytes > 0. ? transfer_bytes : bytes);
  if (!(rate > 0.))
    throw UsageError("transfer_time", "there is data to move, but the channel has no bandwidth");
  return bytes / rate;
}

TRACKPLEX_INLINE double transfer_time(const std::vector<Stream>& streams, Path path, double items,
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

TRACKPLEX_INLINE double total_time(double compute, double memory, double link, double overlap) {
  const double sum = compute + memory + link, largest = std::max({compute, memory, link});
  return overlap * largest + (1. - overlap) * sum;
}

}  // namespace trackplex::perfmodel
