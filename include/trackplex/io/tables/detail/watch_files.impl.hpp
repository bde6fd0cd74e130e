// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/openpmd/openpmd_writer.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/detail/sdds_bunch.hpp>
#include <trackplex/io/tables/watch_files.hpp>

#include <filesystem>
#include <string>
#include <utility>

namespace trackplex::io::detail {

TRACKPLEX_INLINE Table watch_moments_table() {
  Table table{"moments", {}};
  table.columns.emplace_back("turn", "", ColumnType::int64);
  table.columns.emplace_back("particles", "", ColumnType::int64);
  for (const char* name : {"p0", "path"})
    table.columns.emplace_back(name, name[1] == 'a' ? "m" : "", ColumnType::float64);
  for (const char* what : {"mean_", "sigma_"})
    for (const auto& [name, unit] :
         {std::pair{"x", "m"}, {"xp", "rad"}, {"y", "m"}, {"yp", "rad"}, {"s", "m"}, {"delta", ""}})
      table.columns.emplace_back(std::string(what) + name, unit, ColumnType::float64);
  return table;
}

/// The columns as elegant calls them: Pass, Particles, pCentral, Cx and Sx for the mean and sigma
/// of x, and so on.
inline Table with_sdds_names(Table table) {
  for (auto& column : table.columns) {
    auto& name = column.name;
    if (name == "turn") name = "Pass";
    if (name == "particles") name = "Particles";
    if (name == "p0") column.unit = detail::sdds_momentum_units;
    if (name == "p0") name = "pCentral";
    if (name.starts_with("mean_")) name.replace(0, 5, "C");
    if (name.starts_with("sigma_")) name.replace(0, 6, "S");
    if (name.ends_with("xp") || name.ends_with("yp")) column.unit.clear();
  }
  return table;
}

TRACKPLEX_INLINE Table watch_moments_of_file(const std::filesystem::path& file,
                                             const Table& moments) {
  return file.extension() == ".sdds" ? with_sdds_names(moments) : moments;
}

TRACKPLEX_INLINE void write_watched_particles(const std::filesystem::path& file,
                                              const beam::ParticleTable& particles,
                                              const Ranks* ranks, const WatchedTurn& turn,
                                              const std::string& species) {
  if (file.extension() == ".sdds") return write_bunch_sdds(file, particles, {}, ranks, turn.turn);
  if (!has_openpmd_name(file)) return write_bunch(file, particles, {}, ranks, species);
  OpenPmdOptions options;
  options.species = species;
  options.iteration = std::to_string(turn.turn);
  options.is_next = turn.is_next;
  write_openpmd(file, particles, options, ranks);
}

}  // namespace trackplex::io::detail
