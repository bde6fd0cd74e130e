// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/pulsed_kicker.hpp>
#include <trackplex/beam/elements/rf_cavity.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

namespace trackplex::beam {

TRACKPLEX_INLINE void Waveform::check(const std::string& name) const {
  if (time.size() < 2 || time.size() != value.size())
    throw UsageError(
        name, "a waveform needs two points or more, with a time and a value each",
        std::to_string(time.size()) + " times, " + std::to_string(value.size()) + " values");
  for (std::size_t i = 0; i < time.size(); ++i)
    if (!std::isfinite(time[i]) || !std::isfinite(value[i]))
      throw UsageError(name, "a number is not finite", "point " + std::to_string(i + 1));
  if (!std::is_sorted(time.begin(), time.end()) || time.front() == time.back())
    throw UsageError(name, "the times do not ascend");
}

TRACKPLEX_INLINE void PulsedKicker::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("angle", angle);
  check.finite("time offset", time_offset);
  check.not_negative("number of kicks", kicks);
  check.finite("sextupole term", b2);
  check.placed(misalignment);
}

}  // namespace trackplex::beam
