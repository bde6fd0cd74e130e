// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/detail/wake_field.hpp>
#include <trackplex/beam/collective/detail/wake_particles.hpp>
#include <trackplex/beam/collective/smoothing.hpp>
#include <trackplex/beam/collective/wake_table.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace trackplex::beam::detail {

TRACKPLEX_INLINE DelayGrid wake_grid(const WakeBinning& binning, const DelayRange& range) {
  const double width = binning.spacing * constants::speed_of_light;  // m
  const double length = range.last - range.first;
  if (!std::isfinite(length) || !std::isfinite(range.mean))
    throw UsageError(binning.where, "the times of the particles are not finite", {},
                     "remove lost particles");
  if (!binning.allow_long_beam && length > (binning.points - 1) * width)
    throw UsageError(binning.where, std::string("the bunch is longer than the ") + binning.what,
                     shortest(length / constants::speed_of_light) + " s, the table has " +
                         shortest((binning.points - 1) * binning.spacing) + " s",
                     binning.hint);
  if (binning.bins > 0)
    return {range.mean + (binning.shift - 0.5 * binning.bins) * width, 1. / width, binning.bins};
  const double bins = length / width + 3.;
  if (!(bins < binning.capacity() + 1.))
    throw CapacityError(binning.where, "bins", std::size_t(std::min(bins, 1e18)),
                        std::size_t(binning.capacity()), "set the number of bins, or max_bins");
  return {range.first - width, 1. / width, int(bins)};
}

}  // namespace trackplex::beam::detail
