// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Maps of magnetic fields as tables (CSV, HDF5 or SDDS, see io/tables/table_file.hpp): one row for
/// each node of a regular grid, in any order, with the columns
///
///   x[cm], y[cm], z[cm], Bx[T], By[T], Bz[T]    or    r[cm], z[cm], Br[T], Bz[T]

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/field_grid.hpp>
#include <trackplex/io/table.hpp>

#include <filesystem>

namespace trackplex::io {

/// Returns the grid of a table of nodes in x, y and z.
/// @throws InputError if the nodes form no regular grid, with line and column
geometry::FieldGrid field_grid(const TableOfFile& table);

/// Returns the grid of a table of nodes in r and z.
/// @throws InputError if the nodes form no regular grid, with line and column
geometry::AxisymmetricFieldGrid axisymmetric_field_grid(const TableOfFile& table);

/// Reads a map in x, y and z.
/// @throws InputError if the file cannot be read or is no such map
geometry::FieldGrid read_field_grid(const std::filesystem::path& path);

/// Reads a map in r and z.
/// @throws InputError if the file cannot be read or is no such map
geometry::AxisymmetricFieldGrid read_axisymmetric_field_grid(const std::filesystem::path& path);

/// Returns a map in x, y and z as a table, for `write_table`.
Table field_table(const geometry::FieldGrid& grid);

/// Returns a map in r and z as a table, for `write_table`.
Table field_table(const geometry::AxisymmetricFieldGrid& grid);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/field_map_table.impl.hpp>
#endif
