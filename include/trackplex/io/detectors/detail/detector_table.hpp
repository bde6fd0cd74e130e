// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Common parts of tables of modules: their columns, and the detector made of their rows.

#include <trackplex/geometry/check.hpp>
#include <trackplex/io/table.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Columns of a table of modules.
class ModuleColumns {
 public:
  explicit ModuleColumns(const TableOfFile& table) : table_(&table) {
    for (const auto& column : table.columns) {
      if (column.type() == ColumnType::float64)
        numbers_[column.name] = &table.values<double>(column.name);
      else if (column.type() == ColumnType::int64)
        integers_[column.name] = &table.values<std::int64_t>(column.name);
    }
  }

  /// The columns with the centre (mm) and the rotation, to which others are added.
  static std::vector<ColumnFormat> with_frame(std::vector<ColumnFormat> others) {
    for (const char* const axis : {"x", "y", "z"}) {
      others.push_back({std::string("c") + axis, "mm"});
      for (const char* const local : {"u", "v", "w"})
        others.push_back({std::string("rot_") + axis + local, ""});
    }
    return others;
  }

  double number(const std::string& column, std::size_t row) const {
    return (*numbers_.at(column))[row];
  }
  /// A length, which is mm in the file and cm here.
  double length(const std::string& column, std::size_t row) const {
    return number(column, row) / 10.;
  }
  /// A number of a module, a layer or a volume.
  /// @throws InputError unless it is at least 0 and below `end`
  std::uint64_t index(const std::string& column, std::size_t row, std::int64_t end) const {
    const auto value = (*integers_.at(column))[row];
    if (value < 0 || value >= end)
      table_->refuse(row, column, std::to_string(value) + " is no such number",
                     "from 0 to " + std::to_string(end - 1));
    return std::uint64_t(value);
  }
  std::uint64_t volume(std::size_t row) const { return index("volume_id", row, 1 << 8); }
  std::uint64_t layer(std::size_t row) const { return index("layer_id", row, 1 << 12); }
  std::uint64_t module(std::size_t row) const { return index("module_id", row, 1 << 28); }

  /// The centre and the columns of the rotation.
  /// @throws InputError if the axes are not those of a right-handed frame
  geometry::Frame<double> frame(std::size_t row) const {
    const auto axis = [&](const char* local) {
      const auto entry = [&](const char* global) {
        return number(std::string("rot_") + global + local, row);
      };
      return geometry::Vector3<double>{entry("x"), entry("y"), entry("z")};
    };
    const auto u = axis("u"), v = axis("v"), w = axis("w");
    if (const auto problem = geometry::problem_of_axes(u, v, w); !problem.empty())
      table_->refuse(row, "rot_xu to rot_zw", problem, "they are no rotation");
    return geometry::frame_of_axes({length("cx", row), length("cy", row), length("cz", row)}, u, v,
                                   w);
  }

  /// Bounds that enclose an area.
  /// @throws InputError otherwise
  geometry::Bounds checked(const geometry::Bounds& bounds, const std::string& column,
                           std::size_t row) const {
    if (!bounds.is_valid()) table_->refuse(row, column, "the bounds enclose no area");
    return bounds;
  }

 private:
  const TableOfFile* table_;
  std::map<std::string, const std::vector<double>*> numbers_;
  std::map<std::string, const std::vector<std::int64_t>*> integers_;
};

/// Modules by volume, layer and module, from which a detector is made.
class ModuleRows {
 public:
  explicit ModuleRows(const TableOfFile& table) : table_(&table) {}

  /// Adds the module of a row.
  /// @throws InputError if there is another with the same identifier
  void add(std::size_t row, std::uint64_t volume, std::uint64_t layer,
           const geometry::Module& module) {
    auto& modules = layers_[{volume, layer}];
    if (const auto [at, is_new] = modules.emplace(module.identifier, module); !is_new)
      table_->refuse(row, "module_id", "the module is there twice",
                     "volume " + std::to_string(volume) + ", layer " + std::to_string(layer));
  }

  /// Returns the detector: layers in the order of volume and layer, modules in that of identifiers.
  /// @throws UsageError if it has a fault, see geometry::check
  geometry::DetectorDescription detector(const geometry::CheckParams& params) const {
    geometry::DetectorDescription detector;
    std::size_t n = 0;
    for (const auto& [place, of_layer] : layers_) n += of_layer.size();
    detector.modules.reserve(n);
    for (const auto& [place, of_layer] : layers_) {
      std::vector<geometry::Module> modules;
      for (const auto& [identifier, module] : of_layer) modules.push_back(module);
      const auto name =
          "volume " + std::to_string(place.first) + " layer " + std::to_string(place.second);
      detector.add_layer(geometry::layer_of_modules(name, modules), modules);
    }
    geometry::check(detector, params);
    return detector;
  }

 private:
  const TableOfFile* table_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::map<std::uint64_t, geometry::Module>>
      layers_;
};

}  // namespace trackplex::io::detail
