// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/lhcb/detail/kalman_sets.hpp>
#include <trackplex/io/lhcb/kalman_files.hpp>

#ifdef TRACKPLEX_HAS_LZMA
#include <trackplex/lzma/unxz.hpp>
#endif

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace trackplex::io {

namespace detail {

/// Contents of a file that is compressed by xz.
inline std::string read_xz(const std::filesystem::path& path) {
#ifdef TRACKPLEX_HAS_LZMA
  return lzma::unxz(read_file(path), path.string());
#else
  throw InputError({path.string()}, "it is compressed by xz", "this build has no liblzma",
                   "unpack it (xz -dk " + path.string() +
                       "), or install liblzma (Debian: liblzma-dev) and build again");
#endif
}

/// File of polynomials of a folder: *.tab, or else *.tab.xz.
inline std::filesystem::path kalman_grid_file(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto& path = entry.path();
    const bool is_xz = path.extension() == ".xz";
    if ((is_xz ? path.stem() : path).extension() != ".tab") continue;
    if (is_xz && std::filesystem::exists(folder / path.stem(), error)) continue;
    files.push_back(path);
  }
  if (files.empty())
    throw InputError({folder.string()}, "it has no file *.tab or *.tab.xz",
                     "polynomials of the Kalman filter from the UT to the SciFi");
  std::sort(files.begin(), files.end());
  if (files.size() > 1)
    throw InputError({folder.string()}, "it has several files of polynomials",
                     files[0].filename().string() + ", " + files[1].filename().string(),
                     "keep one");
  return files.front();
}

/// Unit of a coefficient of a cell: slopes are in units of 1e-3.
inline double unit_of_kalman_term(int term) {
  const bool is_slope = (term >= 9 && term < 18) || (term >= 32 && term < 46) ||
                        (term >= 53 && term < 60) || term >= 70;
  return is_slope ? 1e-3 : 1.;
}

}  // namespace detail

TRACKPLEX_INLINE void parse_kalman_grid(std::string_view text, const std::string& name,
                                        lhcb::KalmanTables& tables) {
  detail::TextWords words(text, name);
  const auto next = [&](const char* of) { return words.number(words.next(), of); };
  auto& grid = tables.grid;
  double not_used = 0.;
  for (double* value :
       {&grid.z_begin, &grid.z_end, &grid.min_p, &grid.tx_qop, &grid.tx_qop_x2, &grid.tx_qop_y2,
        &grid.ty_qop_xy, &grid.max_tx, &grid.max_ty, &not_used, &grid.slope_unit})
    *value = next("a number of the header");
  const auto size = [&](const char* of, int most) {
    const double value = next(of);
    if (!(value >= 1. && value <= double(most)) || value != double(int(value)))
      words.refuse(std::string(of) + " is impossible", "allowed: 1 to " + std::to_string(most));
    return int(value);
  };
  constexpr int max_cells = 1000;
  grid.nx = size("number of cells in x", max_cells);
  grid.ny = size("number of cells in y", max_cells);
  for (const int expected : {1, 1, 7, 9, 5, 7})
    if (size("number of coefficients", 99) != expected)
      words.refuse("it has another number of coefficients", "1 1 7 9 5 7 are known");
  tables.cells.clear();
  tables.cells.reserve(std::size_t(grid.nx) * std::size_t(grid.ny) * std::size_t(grid.terms));
  for (int cell = 0; cell < grid.nx * grid.ny; ++cell)
    for (int term = 0; term < grid.terms; ++term)
      tables.cells.push_back(next("a coefficient") * detail::unit_of_kalman_term(term));
  if (!words.next().empty()) words.refuse("there is text after the last cell", "of the grid");
}

TRACKPLEX_INLINE lhcb::KalmanTables read_kalman_tables(const std::filesystem::path& folder) {
  lhcb::KalmanTables tables;
  const auto sets = [&](const char* name) { return detail::KalmanSets(folder, name); };
  const auto velo = sets("predictV");
  for (int i = 0; i < 2; ++i) tables.velo[std::size_t(i)] = detail::kalman_velo(velo[i]);
  tables.to_ut = detail::kalman_to_ut(sets("predictVUT")[0]);
  const auto ut = sets("predictUT");
  for (int i = 0; i < tables.ut_steps; ++i) tables.ut[std::size_t(i)] = detail::kalman_layer(ut[i]);
  tables.to_scifi = detail::kalman_to_scifi(sets("predictUTTF")[0]);
  tables.to_plane = detail::kalman_to_plane(sets("predictTFT")[0]);
  const auto scifi = sets("predictT");
  for (int i = 0; i < tables.scifi_steps; ++i)
    tables.scifi[std::size_t(i)] = detail::kalman_layer(scifi[i]);
  const auto ut_layers = sets("UTLayer"), layers = sets("TLayer");
  std::copy_n(ut_layers[0].begin(), tables.ut_z.size(), tables.ut_z.begin());
  std::copy_n(layers[0].begin(), tables.scifi_z.size(), tables.scifi_z.begin());
  for (std::size_t i = 0; i < tables.scifi_dzdy.size(); ++i)
    tables.scifi_dzdy[i] = 1. / layers[1][i];  // the file has dy/dz
  const auto file = detail::kalman_grid_file(folder);
  parse_kalman_grid(file.extension() == ".xz" ? detail::read_xz(file) : read_file(file),
                    file.string(), tables);
  lhcb::check_kalman_tables(tables, folder.string());
  return tables;
}

}  // namespace trackplex::io
