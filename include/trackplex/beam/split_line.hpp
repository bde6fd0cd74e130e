// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements.hpp>

#include <variant>

namespace trackplex::beam {

/// Returns the line with each element cut into equal parts, for optics and sizes inside of
/// elements. Kickers, map elements and elements without length stay whole. Edges of bends stay at
/// their ends. Drifts with space charge and thick magnets have steps of their own, so that the
/// nonlinear part of their action depends on the number of parts.
inline BeamLine split(const BeamLine& line, int parts) {
  BeamLine result;
  for (const auto& element : line) {
    const bool is_whole = std::holds_alternative<Kicker>(element.kind) ||
                          std::holds_alternative<MapElement>(element.kind) ||
                          !(length_of(element) > 0.);
    const int n = is_whole ? 1 : parts;
    for (int part = 0; part < n; ++part)
      std::visit(
          [=](auto& e) {
            if constexpr (requires { e.magnet; }) {
              e.magnet.length /= n;
              e.magnet.angle /= n;
              e.magnet.entrance_edge = e.magnet.entrance_edge && part == 0;
              e.magnet.exit_edge = e.magnet.exit_edge && part + 1 == n;
            } else if constexpr (requires { e.length; }) {
              e.length /= n;
            }
          },
          result.emplace_back(element).kind);
  }
  return result;
}

}  // namespace trackplex::beam
