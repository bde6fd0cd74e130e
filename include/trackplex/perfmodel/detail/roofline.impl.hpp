// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>
#include <trackplex/perfmodel/roofline.hpp>

#include <algorithm>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE Roofline roofline_of(const Application& application, const Device& device) {
  Roofline roof;
  roof.flops = application.items * totals_of(application).operations.flops();
  for (const auto& stream : application.streams)
    if (stream.path == Path::memory)
      roof.bytes += stream.bytes + application.items * stream.bytes_per_item;
  roof.peak = peak_flops(device, application.double_precision);
  roof.bandwidth = device.memory.bandwidth * device.memory.encoding;
  if (!roof.known()) return roof;
  roof.attainable =
      roof.bytes > 0. ? attainable_flops(roof.peak, roof.bandwidth, roof.intensity()) : roof.peak;
  roof.time = std::max(roof.flops / roof.peak, roof.bytes > 0. ? roof.bytes / roof.bandwidth : 0.);
  return roof;
}

}  // namespace trackplex::perfmodel
