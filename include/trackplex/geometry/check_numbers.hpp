// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Check of the numbers in the description of a detector, and names for messages.

#include <trackplex/core/error.hpp>
#include <trackplex/geometry/description.hpp>

#include <cstddef>
#include <limits>
#include <string>

namespace trackplex::geometry {

/// Returns the number of a layer, and its name if it has one, for messages.
inline std::string name_of_layer(const DetectorDescription& detector, int layer) {
  const auto& name = detector.layers[std::size_t(layer)].name;
  return "layer " + std::to_string(layer) + (name.empty() ? "" : " '" + name + "'");
}

/// Returns the number of a module and its layer, for messages.
inline std::string name_of_module(const DetectorDescription& detector, int module) {
  const int layer = detector.modules[std::size_t(module)].layer;
  return "module " + std::to_string(module) + " of " + name_of_layer(detector, layer);
}

/// Checks the numbers of modules and layers: kernels read no further than these say.
/// @throws UsageError, CapacityError if they do not agree, or are too large
inline void check_numbers(const DetectorDescription& detector) {
  const auto& modules = detector.modules;
  constexpr auto max = std::size_t(std::numeric_limits<int>::max());
  for (const std::size_t n : {modules.size(), detector.layers.size()})
    if (n > max / 4) throw CapacityError("detector", "modules or layers", n, max / 4);
  int first = 0;
  for (std::size_t l = 0; l < detector.layers.size(); ++l) {
    const auto& layer = detector.layers[l];
    if (layer.first_module != first || layer.n_modules < 0 ||
        layer.n_modules > int(modules.size()) - first)
      throw UsageError(
          name_of_layer(detector, int(l)), "its modules do not follow those of the layer before",
          "from " + std::to_string(layer.first_module) + ", " + std::to_string(layer.n_modules) +
              " of " + std::to_string(modules.size()),
          "use DetectorDescription::add_layer");
    first += layer.n_modules;
    for (int i = layer.first_module; i < first; ++i)
      if (modules[std::size_t(i)].layer != int(l))
        throw UsageError("module " + std::to_string(i), "its layer has another number",
                         std::to_string(modules[std::size_t(i)].layer) +
                             ", but it is among those of " + name_of_layer(detector, int(l)),
                         "use DetectorDescription::add_layer");
  }
  if (first != int(modules.size()))
    throw UsageError("module " + std::to_string(first), "it is on no layer",
                     std::to_string(detector.layers.size()) + " layers",
                     "use DetectorDescription::add_layer");
}

}  // namespace trackplex::geometry
