// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/detail/particle_table.hpp>
#include <trackplex/io/detectors/trackml_particles.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

TRACKPLEX_INLINE std::vector<tracks::TrueParticle> parse_trackml_particles(
    std::string_view text, const std::string& name) {
  const auto table = parse_table_csv(text, name, detail::particle_columns({}), CsvDialect::foreign);
  auto particles = detail::particles_of(table).particles;
  std::erase_if(particles, [](const auto& particle) { return particle.charge == 0; });
  return particles;
}

TRACKPLEX_INLINE std::vector<tracks::TrueParticle> read_trackml_particles(
    const std::filesystem::path& path) {
  return parse_trackml_particles(detail::read_plain_or_gzip(path), path.string());
}

}  // namespace trackplex::io
