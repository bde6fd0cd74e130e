// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Common parts of the readers of ACTS' tables: the modules that rows name, and the barcodes of
/// particles.

#include <trackplex/io/detectors/acts_geometry_id.hpp>
#include <trackplex/io/table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Returns the modules with these identifiers, -1 where there is none. Those of the detector may be
/// in the other packing: that which most of them are found in counts.
inline std::vector<std::int32_t> find_modules(const geometry::DetectorDescription& detector,
                                              const std::vector<std::uint64_t>& identifiers) {
  using enum GeometryIdPacking;
  const geometry::ModuleNumbers numbers(detector);
  std::vector<std::int32_t> best;
  std::ptrdiff_t most = -1;
  const auto attempt = [&](const auto& id_of) {
    std::vector<std::int32_t> modules;
    for (const auto id : identifiers) modules.push_back(numbers.find(id_of(id)));
    const auto found = std::ranges::count_if(modules, [](auto module) { return module >= 0; });
    if (found > most) {
      most = found;
      best = std::move(modules);
    }
  };
  attempt([](std::uint64_t id) { return id; });
  if (most < std::ptrdiff_t(identifiers.size())) {
    attempt([](std::uint64_t id) { return repacked(id, module_28); });
    attempt([](std::uint64_t id) { return repacked(id, module_20); });
  }
  return best;
}

/// Returns the modules that the rows of a table name by their geometry_id.
/// @throws InputError if there is no such module
inline std::vector<std::int32_t> modules_of(const TableOfFile& table,
                                            const geometry::DetectorDescription& detector) {
  std::vector<std::uint64_t> ids;
  for (const auto id : table.values<std::int64_t>("geometry_id")) ids.push_back(std::uint64_t(id));
  const auto modules = find_modules(detector, ids);
  for (std::size_t row = 0; row < modules.size(); ++row)
    if (modules[row] < 0)
      table.refuse(row, "geometry_id", "the detector has no such module",
                   std::to_string(ids[row]) + ", in neither packing");
  return modules;
}

/// Barcode of a particle: primary and secondary vertex, particle, generation, sub-particle.
using Barcode = std::array<std::int64_t, 5>;

/// Columns of barcodes: one of packed ones (12, 12, 16, 8 and 16 bits), or five, as ACTS writes
/// since version 43.
inline void add_barcode_columns(std::vector<ColumnFormat>& columns) {
  using enum ColumnType;
  for (const char* const name : {"particle_id", "particle_id_pv", "particle_id_sv",
                                 "particle_id_part", "particle_id_gen", "particle_id_subpart"})
    columns.push_back({name, "", int64, false});
}

/// Returns the barcodes of the rows of a table.
/// @throws InputError if there are neither packed nor complete ones
inline std::vector<Barcode> barcodes_of(const TableOfFile& table) {
  std::vector<Barcode> barcodes(table.rows());
  if (table.has("particle_id")) {
    const auto& packed = table.values<std::int64_t>("particle_id");
    for (std::size_t row = 0; row < packed.size(); ++row) {
      const auto bits = [&](int first, int n) {
        return std::int64_t(std::uint64_t(packed[row]) >> first & ((std::uint64_t(1) << n) - 1));
      };
      barcodes[row] = {bits(52, 12), bits(40, 12), bits(24, 16), bits(16, 8), bits(0, 16)};
    }
    return barcodes;
  }
  constexpr std::array names{"particle_id_pv", "particle_id_sv", "particle_id_part",
                             "particle_id_gen", "particle_id_subpart"};
  for (std::size_t part = 0; part < names.size(); ++part) {
    if (!table.has(names[part]))
      throw InputError({table.file}, "the number of the particle is missing",
                       std::string("there is no column ") + names[part],
                       "a column particle_id, or five from particle_id_pv to "
                       "particle_id_subpart are expected");
    const auto& values = table.values<std::int64_t>(names[part]);
    for (std::size_t row = 0; row < values.size(); ++row) barcodes[row][part] = values[row];
  }
  return barcodes;
}

/// Rows of particles by their barcodes.
class BarcodeRows {
 public:
  /// @throws InputError if a barcode is there twice
  explicit BarcodeRows(const TableOfFile& table) {
    const auto barcodes = barcodes_of(table);
    for (std::size_t row = 0; row < barcodes.size(); ++row)
      entries_.emplace_back(barcodes[row], std::int32_t(row));
    std::sort(entries_.begin(), entries_.end());
    const auto twice =
        std::adjacent_find(entries_.begin(), entries_.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != entries_.end())
      table.refuse(std::size_t((twice + 1)->second), "particle_id", "the particle is there twice");
  }

  /// Returns the row of a barcode, -1 if there is none.
  std::int32_t find(const Barcode& barcode) const {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), std::pair(barcode, -1));
    return at != entries_.end() && at->first == barcode ? at->second : -1;
  }

 private:
  std::vector<std::pair<Barcode, std::int32_t>> entries_;
};

}  // namespace trackplex::io::detail
