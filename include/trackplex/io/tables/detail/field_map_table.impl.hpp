// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/shortest.hpp>
#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/tables/detail/field_text.hpp>
#include <trackplex/io/tables/field_map_table.hpp>
#include <trackplex/io/tables/table_csv.hpp>
#include <trackplex/io/tables/table_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

namespace detail {

/// Axis of a table of nodes.
inline geometry::GridAxis grid_axis(const TableOfFile& table, const std::string& column) {
  const auto& values = table.values<double>(column);
  std::vector<double> nodes = values;
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (nodes.size() < 2)
    throw InputError({table.file, column}, "an axis of a grid has at least two nodes",
                     std::to_string(nodes.size()));
  const geometry::GridAxis axis{nodes.front(), nodes.back(), int(nodes.size())};
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double cells = (values[row] - axis.first) / axis.cell();
    if (std::fabs(cells - std::round(cells)) > 1e-3)
      table.refuse(row, column, "the nodes are not at equal distances",
                   std::to_string(axis.nodes) + " nodes " + shortest(axis.cell()) +
                       " cm apart have none at " + shortest(values[row]) + " cm");
  }
  return axis;
}

inline int node_of(const geometry::GridAxis& axis, double at) {
  return int(std::lround((at - axis.first) / axis.cell()));
}

/// Sets the fields of a grid from the rows of a table; `index(row)` is the node of a row.
template <std::size_t N, class Grid, class Index>
void set_nodes(const TableOfFile& table, const std::array<const char*, N>& columns, Grid& grid,
               const Index& index) {
  if (table.rows() > grid.size())
    throw InputError(
        {table.file}, "a grid has one row for each node",
        std::to_string(table.rows()) + " rows for " + std::to_string(grid.size()) + " nodes");
  grid.tesla.resize(grid.size());
  std::vector<bool> is_set(grid.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t node = index(row);
    if (is_set[node]) table.refuse(row, columns[0], "a node occurs for the second time");
    is_set[node] = true;
    for (std::size_t b = 0; b < N; ++b) grid.tesla[node][b] = table.values<double>(columns[b])[row];
  }
  if (table.rows() < grid.size())
    throw InputError(
        {table.file}, "nodes of the grid are missing",
        std::to_string(table.rows()) + " rows for " + std::to_string(grid.size()) + " nodes");
}

inline const std::array<ColumnFormat, 6> field_map_columns{
    {{"x", "cm"}, {"y", "cm"}, {"z", "cm"}, {"Bx", "T"}, {"By", "T"}, {"Bz", "T"}}};

inline const std::array<ColumnFormat, 4> axisymmetric_field_map_columns{
    {{"r", "cm"}, {"z", "cm"}, {"Br", "T"}, {"Bz", "T"}}};

}  // namespace detail

TRACKPLEX_INLINE geometry::FieldGrid field_grid(const TableOfFile& table) {
  geometry::FieldGrid grid{detail::grid_axis(table, "x"),
                           detail::grid_axis(table, "y"),
                           detail::grid_axis(table, "z"),
                           {}};
  const auto &x = table.values<double>("x"), &y = table.values<double>("y"),
             &z = table.values<double>("z");
  detail::set_nodes<3>(table, {"Bx", "By", "Bz"}, grid, [&](std::size_t row) {
    return grid.index(detail::node_of(grid.x, x[row]), detail::node_of(grid.y, y[row]),
                      detail::node_of(grid.z, z[row]));
  });
  return grid;
}

TRACKPLEX_INLINE geometry::AxisymmetricFieldGrid axisymmetric_field_grid(const TableOfFile& table) {
  geometry::AxisymmetricFieldGrid grid{
      detail::grid_axis(table, "r"), detail::grid_axis(table, "z"), {}};
  const auto &r = table.values<double>("r"), &z = table.values<double>("z");
  detail::set_nodes<2>(table, {"Br", "Bz"}, grid, [&](std::size_t row) {
    return grid.index(detail::node_of(grid.r, r[row]), detail::node_of(grid.z, z[row]));
  });
  return grid;
}

namespace detail {

/// Whether a text is a table of this library: names of columns and commas in the first line that is
/// no comment, in the units of the library if any.
inline bool is_own_table(std::string_view text, std::span<const ColumnFormat> columns) {
  while (text.starts_with('#')) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  auto head = text.substr(0, std::min(text.find('\n'), text.size()));
  std::size_t names = 0;
  while (!head.empty()) {
    auto name = head.substr(0, std::min(head.find(','), head.size()));
    head.remove_prefix(std::min(name.size() + 1, head.size()));
    if (name.ends_with('\r')) name.remove_suffix(1);
    if (std::ranges::none_of(columns, [&](const auto& column) {
          return name == column.name || name == column.name + "[" + column.unit + "]";
        }))
      return false;
    ++names;
  }
  return names == columns.size();
}

/// Reads the table of a map.
inline TableOfFile read_field_table(const std::filesystem::path& path, const FieldUnits& units,
                                    std::span<const ColumnFormat> columns) {
  if (path.extension() == ".h5" || path.extension() == ".sdds")
    return read_table(path, "field", columns);
  const auto text = read_plain_or_gzip(path);
  if (units.length.empty() && units.field.empty() && is_own_table(text, columns)) {
    auto table = parse_table_csv(text, path.string(), columns);
    table.name = "field";
    return table;
  }
  return FieldTextReader(text, path.string(), units, columns).take();
}

}  // namespace detail

TRACKPLEX_INLINE geometry::FieldGrid read_field_grid(const std::filesystem::path& path,
                                                     const FieldUnits& units) {
  return field_grid(detail::read_field_table(path, units, detail::field_map_columns));
}

TRACKPLEX_INLINE geometry::AxisymmetricFieldGrid read_axisymmetric_field_grid(
    const std::filesystem::path& path, const FieldUnits& units) {
  return axisymmetric_field_grid(
      detail::read_field_table(path, units, detail::axisymmetric_field_map_columns));
}

TRACKPLEX_INLINE Table field_table(const geometry::FieldGrid& grid) {
  Table table{"field", {}};
  for (const auto& column : detail::field_map_columns)
    table.columns.emplace_back(column.name, column.unit, column.type);
  for (int i = 0; i < grid.x.nodes; ++i)
    for (int j = 0; j < grid.y.nodes; ++j)
      for (int k = 0; k < grid.z.nodes; ++k)
        table.add_row(grid.x.node(i), grid.y.node(j), grid.z.node(k),
                      grid.tesla[grid.index(i, j, k)]);
  return table;
}

TRACKPLEX_INLINE Table field_table(const geometry::AxisymmetricFieldGrid& grid) {
  Table table{"field", {}};
  for (const auto& column : detail::axisymmetric_field_map_columns)
    table.columns.emplace_back(column.name, column.unit, column.type);
  for (int i = 0; i < grid.r.nodes; ++i)
    for (int j = 0; j < grid.z.nodes; ++j)
      table.add_row(grid.r.node(i), grid.z.node(j), grid.tesla[grid.index(i, j)]);
  return table;
}

}  // namespace trackplex::io
