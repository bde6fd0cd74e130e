// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Maps of magnetic fields as tables (CSV, HDF5 or SDDS, see io/tables/table_file.hpp): one row for
/// each node of a regular grid, in any order, with the columns
///
///   x[cm], y[cm], z[cm], Bx[T], By[T], Bz[T]    or    r[cm], z[cm], Br[T], Bz[T]
///
/// and as text of other programs: lines of these numbers between blanks or commas, with or without
/// a header, and comments after the numbers. A header may name the columns, in any order and among
/// others, and the units: "x[mm] ... Bx[T]", "x_mm", a line "mm mm mm T T T", or "units: mm,
/// kGauss". Units that the file does not say are asked for. Without names, a further last column,
/// such as |B|, and a first one that counts the lines are skipped.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/field_grid.hpp>
#include <trackplex/io/table.hpp>

#include <filesystem>
#include <string>

namespace trackplex::io {

/// Returns the grid of a table of nodes in x, y and z.
/// @throws InputError if the nodes form no regular grid, with line and column
geometry::FieldGrid field_grid(const TableOfFile& table);

/// Returns the grid of a table of nodes in r and z.
/// @throws InputError if the nodes form no regular grid, with line and column
geometry::AxisymmetricFieldGrid axisymmetric_field_grid(const TableOfFile& table);

/// Units of a map that is a text of another program; an empty one is that of its header.
struct FieldUnits {
  std::string length,  ///< mm, cm or m
      field;           ///< T, mT, kGauss or Gauss
};

/// Reads a map in x, y and z: a table of this library, or a text.
/// @throws InputError if the file cannot be read or is no such map, or if neither it nor `units`
/// say the units of a text
geometry::FieldGrid read_field_grid(const std::filesystem::path& path,
                                    const FieldUnits& units = {});

/// Reads a map in r and z: a table of this library, or a text.
/// @throws InputError as `read_field_grid`
geometry::AxisymmetricFieldGrid read_axisymmetric_field_grid(const std::filesystem::path& path,
                                                             const FieldUnits& units = {});

/// Returns a map in x, y and z as a table, for `write_table`.
Table field_table(const geometry::FieldGrid& grid);

/// Returns a map in r and z as a table, for `write_table`.
Table field_table(const geometry::AxisymmetricFieldGrid& grid);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/tables/detail/field_map_table.impl.hpp>
#endif
