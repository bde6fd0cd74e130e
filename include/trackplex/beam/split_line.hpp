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
  for (const Element& element : line)
    std::visit(
        [&](const auto& e) {
          bool is_whole = !(length_of(element) > 0.);
          if constexpr (requires { e.is_whole; }) is_whole = is_whole || e.is_whole;
          const int n = is_whole ? 1 : parts;
          for (int i = 0; i < n; ++i) {
            auto part = e;
            if constexpr (requires { e.part(i, n); }) {
              part = e.part(i, n);
            } else if constexpr (requires { e.length; }) {
              part.length /= n;
            }
            result.push_back({element.name, part});
          }
        },
        element.kind);
  return result;
}

}  // namespace trackplex::beam
