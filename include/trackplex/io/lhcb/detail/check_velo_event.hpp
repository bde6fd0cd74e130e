// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/json_values.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Hits that 16-bit indices can name.
inline constexpr std::size_t max_velo_hits = 65535;

/// A hit farther out than this is not in the VELO, mm; nor is one farther than
/// `max_module_distance` in z from the module that claims it (modules stand 12.5 mm apart).
inline constexpr double max_velo_coordinate = 2000.;
inline constexpr double max_module_distance = 6.;

/// A number beyond this is no momentum, in MeV; the LHC's beams have 7e6 MeV.
inline constexpr double max_momentum = 1e8;

/// Throws InputError unless the hits are shared out among the modules, and every hit stands where
/// its module is: only then are later modules farther downstream.
inline void check_velo_modules(const lhcb::VeloEvent& event) {
  const auto& offsets = event.module_offsets;
  const auto place = [&](std::size_t i) { return InputPlace{event.name, "module_prefix_sum", i}; };
  if (offsets[0] != 0) throw InputError(place(0), "is not 0");
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1])
      throw InputError(place(i),
                       std::to_string(offsets[i]) + " is less than " +
                           std::to_string(offsets[i - 1]) + " before it",
                       "the sums must not decrease");
  if (offsets.back() != event.size())
    throw InputError(place(offsets.size() - 1),
                     std::to_string(offsets.back()) + " is not the number of hits",
                     "x has " + std::to_string(event.size()) + " values");
  for (std::size_t module = 0; module < lhcb::velo_modules; ++module) {
    const double nominal = lhcb::velo_module_z[module];
    for (std::size_t h = offsets[module]; h < offsets[module + 1]; ++h)
      if (!(std::abs(event.z[h] - nominal) <= max_module_distance))
        throw InputError({event.name, "z", h},
                         Json(event.z[h]).dump() + " mm is not in module " + std::to_string(module),
                         "nominal z " + Json(nominal).dump() + " mm", "check module_prefix_sum");
  }
}

/// Throws InputError for a coordinate or time that is not in the VELO.
inline void check_velo_coordinates(const lhcb::VeloEvent& event) {
  for (const auto& [field, values] : {std::pair("x", &event.x), std::pair("y", &event.y),
                                      std::pair("z", &event.z), std::pair("t", &event.t)})
    for (std::size_t h = 0; h < values->size(); ++h)
      if (!(std::abs((*values)[h]) <= max_velo_coordinate))
        throw InputError({event.name, field, h}, shortest((*values)[h]) + " is out of range",
                         "absolute value at most " + shortest(max_velo_coordinate));
}

/// Throws InputError for a particle that has an impossible momentum, or a hit that the event has
/// not, or one hit twice.
inline void check_velo_particles(const lhcb::VeloEvent& event) {
  std::vector<std::size_t> last_owner(event.size(), std::numeric_limits<std::size_t>::max());
  for (std::size_t i = 0; i < event.particles.size(); ++i) {
    const auto& particle = event.particles[i];
    const InputPlace place{event.name, "particles", i};
    for (const double momentum : {particle.p, particle.pt})
      if (!(momentum >= 0. && momentum <= max_momentum))
        throw InputError(place, "its momentum " + shortest(momentum) + " is out of range",
                         "0 to " + shortest(max_momentum) + " MeV are allowed");
    if (!std::isfinite(particle.eta) || !std::isfinite(particle.phi))
      throw InputError(place, "its direction is not finite");
    for (const auto hit : particle.hits) {
      if (hit >= event.size())
        throw InputError(place, "it has hit " + std::to_string(hit),
                         "the event has " + std::to_string(event.size()));
      if (last_owner[hit] == i)
        throw InputError(place, "hit " + std::to_string(hit) + " is listed twice");
      last_owner[hit] = i;
    }
  }
}

}  // namespace trackplex::io::detail
