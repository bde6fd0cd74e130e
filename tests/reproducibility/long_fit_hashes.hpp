// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/fingerprint.hpp>

#include "lhcb/fit/fit_events.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::test {

/// Events of a generator of long tracks, in the field of a magnet that points up.
template <class Generator>
const std::vector<LongFitEvent>& long_fit_events() {
  static const auto all = [] {
    Generator generate(21, 1.);
    std::vector<LongFitEvent> events;
    for (const int n : {30, 0, 90, 1}) events.push_back(generate.event(n));
    return events;
  }();
  return all;
}

/// Hash of the fits of events in batches; `fits_of(some)` fits a batch.
template <class T, class FitsOf>
std::string long_fits_hash(const std::vector<LongFitEvent>& all, std::size_t batch,
                           const FitsOf& fits_of) {
  Fingerprint hash;
  for (std::size_t first = 0; first < all.size(); first += batch) {
    const std::vector<LongFitEvent> some(
        all.begin() + std::ptrdiff_t(first),
        all.begin() + std::ptrdiff_t(std::min(first + batch, all.size())));
    for (const auto& event : fits_of(some))
      for (const auto& fit : event) {
        const auto& s = fit.state;
        for (const double value : {s.x, s.y, s.z, s.tx, s.ty, s.qop, fit.chi2}) hash.add(T(value));
        for (const double value : fit.covariance.c) hash.add(T(value));
        hash.add(fit.ndf);
      }
  }
  return hash.hex();
}

}  // namespace trackplex::test
