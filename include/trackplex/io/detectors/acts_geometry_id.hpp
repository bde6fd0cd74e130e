// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Packings of ACTS' geometry_id, the number of a surface: volume in the 8 bits from 56 on,
/// boundary in 8 from 48 on, layer in 12 from 36 on, approach in 8 from 28 on, and below the
/// module.

#include <trackplex/geometry/description.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Where a geometry_id has the number of the module.
enum class GeometryIdPacking {
  module_28,  ///< in the lowest 28 bits: before version 20, and `geometry::module_identifier`
  module_20   ///< in 20 bits from bit 8 on, the lowest 8 are extra: since version 20
};

/// Returns the packing in words, for messages.
inline std::string_view name_of(GeometryIdPacking packing) {
  return packing == GeometryIdPacking::module_28 ? "module in the lowest 28 bits"
                                                 : "module in 20 bits from bit 8 on";
}

/// Returns the packing of the numbers of modules: in today's the lowest 8 bits of all are 0.
inline GeometryIdPacking geometry_id_packing(std::span<const std::uint64_t> ids) {
  std::uint64_t low = 0, module = 0;
  for (const auto id : ids) {
    low |= id & 0xff;
    module |= id & 0xfffffff;
  }
  return low == 0 && module != 0 ? GeometryIdPacking::module_20 : GeometryIdPacking::module_28;
}
/// Returns the packing of the identifiers of modules.
inline GeometryIdPacking geometry_id_packing(const geometry::DetectorDescription& detector) {
  std::vector<std::uint64_t> ids;
  for (const auto& module : detector.modules) ids.push_back(module.identifier);
  return geometry_id_packing(ids);
}

/// Returns the number of a module in this packing, from that in the other one.
constexpr std::uint64_t repacked(std::uint64_t id, GeometryIdPacking to) {
  const std::uint64_t high = id & ~std::uint64_t(0xfffffff), low = id & 0xfffffff;
  return high | (to == GeometryIdPacking::module_28 ? low >> 8 : low << 8 & 0xfffffff);
}

}  // namespace trackplex::io
