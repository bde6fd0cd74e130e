// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Parameters of LHCb's parametrised Kalman filter, in a folder of text files for a magnet that
/// points down. Of params_NAME.txt with the NAME predictV, predictVUT, predictUT, predictUTTF,
/// predictTFT, predictT, UTLayer and TLayer a line is
///
///     NAME_SET_CODE: VALUE VALUE ...
///
/// where missing values are 0. A file *.tab, or *.tab.xz, has the polynomials from the UT to the
/// SciFi: z of both ends, least momentum, three numbers of the expected slope in x and one of that
/// in y, largest slopes in x and y, a number that is not used, unit of slopes; numbers of cells in
/// x and y, 1, 1, 7, 9, 5, 7; and for each cell, y fastest, the 80 coefficients of
/// lhcb::KalmanGrid, those of slopes in units of 1e-3.

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/fit/kalman_tables.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

#ifdef TRACKPLEX_HAS_LZMA
/// Whether .xz files can be read in this build: it has the CMake target trackplex::lzma.
inline constexpr bool has_lzma = true;
#else
/// Whether .xz files can be read in this build: it has the CMake target trackplex::lzma.
inline constexpr bool has_lzma = false;
#endif

/// Parses the contents of a file of polynomials (*.tab) to the grid and its cells of `tables`.
/// `name` is for messages.
/// @throws InputError if a number is missing, too many, not finite, or the sizes are others
void parse_kalman_grid(std::string_view text, const std::string& name, lhcb::KalmanTables& tables);

/// Reads the parameters of a folder. Of files *.tab and *.tab.xz of one name the first is read.
/// @throws InputError if a file is missing or damaged, a set is missing, there are several files of
/// polynomials, or one is compressed and this build has no liblzma
lhcb::KalmanTables read_kalman_tables(const std::filesystem::path& folder);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/kalman_files.impl.hpp>
#endif
