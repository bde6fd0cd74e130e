// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/core/compiled.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Parses the first map in the text of elegant's `matrix_output`, or of a file for its MATR; `name`
/// is for messages. Its order is that of the highest coefficients that are there, and its s is the
/// whole path of a particle: see `beam::relative_to_path`.
/// @throws InputError if there is no map, or a row is damaged, with the line
beam::TransferMap parse_elegant_matrix(std::string_view text, const std::string& name);

/// Reads the first map of a file, see `parse_elegant_matrix`.
/// @throws InputError if the file cannot be read, or as `parse_elegant_matrix`
beam::TransferMap read_elegant_matrix(const std::filesystem::path& path);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/elegant/detail/elegant_matrix.impl.hpp>
#endif
