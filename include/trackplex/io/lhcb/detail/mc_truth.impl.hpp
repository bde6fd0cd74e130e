// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/lhcb/detail/mc_particle.hpp>
#include <trackplex/io/lhcb/mc_truth.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io {

namespace detail {

/// The identifier of a hit in the VELO in the form of 2020: tag 8 and the channel. In 2023 the tag
/// is 2, and bits 26 and 27 are set where the cluster's centre is not that of its pixel.
inline std::uint32_t velo_id_of_2020(std::uint32_t id, const InputPlace& place) {
  constexpr std::uint32_t channel = 0x03ffffff;
  const std::uint32_t tag = id >> 28;
  if (tag != 2 && tag != lhcb::velo_id_tag)
    throw InputError(place, "a VELO hit of it has the tag " + std::to_string(tag),
                     "8 until 2020 and 2 in 2023 are known");
  return tag == 2 ? lhcb::velo_id_tag << 28 | (id & channel) : id;
}

/// The same in the UT: tag 11, or none in 2019. In 2023 the channels are numbered in another way,
/// which needs the boards of 2023.
inline std::uint32_t ut_id_of_2020(std::uint32_t id, const InputPlace& place) {
  const std::uint32_t tag = id >> 28;
  if (tag == 3)
    throw InputError(place, "a UT hit of it has an identifier of 2023 (tag 3)",
                     "its channel is numbered in another way than the hits that are found",
                     "take truth of 2020 or before, or read without truth");
  if (tag != 0 && tag != lhcb::ut_id_tag)
    throw InputError(place, "a UT hit of it has the tag " + std::to_string(tag),
                     "0 until 2019 and 11 in 2020 are known");
  return lhcb::ut_id_tag << 28 | id;
}

TRACKPLEX_INLINE void use_ids_of_2020(std::vector<lhcb::McParticle>& particles,
                                      const std::string& name) {
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const InputPlace place{name, "particles", i};
    for (auto& id : particles[i].velo_ids) id = velo_id_of_2020(id, place);
    for (auto& id : particles[i].ut_ids) id = ut_id_of_2020(id, place);
  }
}

inline McParticleList read_mc_particles_as(McForm form, std::string_view bytes,
                                           const std::string& name) {
  ByteReader in(bytes, name, std::string("form ").append(mc_form_name(form)));
  McParticleList list{{}, 0, form};
  const std::size_t n = in.read_count("particles", mc_particle_bytes(form));
  for (std::size_t i = 0; i < n; ++i) {
    auto particle = read_mc_particle(in, form, i);
    if (particle.velo_ids.empty() && particle.ut_ids.empty() && particle.scifi_ids.empty())
      ++list.without_hits;
    else
      list.particles.push_back(std::move(particle));
  }
  in.expect_end("the last particle");
  return list;
}

TRACKPLEX_INLINE std::optional<McParticleList> try_mc_particles_as(
    McForm form, std::string_view bytes, const std::string& name,
    std::optional<InputError>& farthest) {
  try {
    return read_mc_particles_as(form, bytes, name);
  } catch (const InputError& error) {
    if (!farthest || error.place().offset > farthest->place().offset) farthest = error;
    return {};
  }
}

/// Whether two readings of a file are equal apart from their form.
inline bool same_particles(const McParticleList& a, const McParticleList& b) {
  return a.without_hits == b.without_hits && a.particles == b.particles;
}

}  // namespace detail

TRACKPLEX_INLINE McParticleList parse_mc_particles(std::string_view bytes, const std::string& name,
                                                   std::optional<McForm> form) {
  std::optional<McParticleList> found;
  if (form) found = detail::read_mc_particles_as(*form, bytes, name);
  std::optional<InputError> farthest;
  for (const auto candidate : form ? std::span(mc_forms).first(0) : std::span(mc_forms)) {
    auto list = detail::try_mc_particles_as(candidate, bytes, name, farthest);
    if (list && found && !detail::same_particles(*found, *list))
      throw InputError(
          {name}, "its particles can be read in two forms",
          std::string(mc_form_name(found->form)).append(" and ").append(mc_form_name(candidate)),
          "say which form it has");
    if (list && !found) found = std::move(list);
  }
  if (!found) throw *farthest;
  detail::use_ids_of_2020(found->particles, name);
  found->particles.shrink_to_fit();  // events stay in memory
  return std::move(*found);
}

TRACKPLEX_INLINE McParticleList read_mc_particles(const std::filesystem::path& path,
                                                  std::optional<McForm> form) {
  return parse_mc_particles(read_file(path), path.string(), form);
}

TRACKPLEX_INLINE std::string mc_particles_bytes(std::span<const lhcb::McParticle> particles,
                                                McForm form) {
  detail::ByteWriter out;
  out.append_count(particles.size());
  for (const auto& particle : particles) detail::append_mc_particle(out, particle, form);
  return out.take();
}

TRACKPLEX_INLINE std::vector<lhcb::McVertex> parse_mc_vertices(std::string_view bytes,
                                                               const std::string& name) {
  detail::ByteReader in(bytes, name);
  std::vector<lhcb::McVertex> vertices(in.read_count("vertices", 4 + 3 * 8));
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::size_t at = in.offset();
    auto& vertex = vertices[i];
    vertex.n_tracks = in.read<std::int32_t>();
    for (double* coordinate : {&vertex.x, &vertex.y, &vertex.z}) {
      *coordinate = in.read<double>();
      if (!std::isfinite(*coordinate))
        throw InputError(in.place(at, "vertices", i), "its position is not finite");
    }
  }
  in.expect_end("the last vertex");
  return vertices;
}

TRACKPLEX_INLINE std::vector<lhcb::McVertex> read_mc_vertices(const std::filesystem::path& path) {
  return parse_mc_vertices(read_file(path), path.string());
}

TRACKPLEX_INLINE std::string mc_vertices_bytes(std::span<const lhcb::McVertex> vertices) {
  detail::ByteWriter out;
  out.append_count(vertices.size());
  for (const auto& vertex : vertices) {
    out.append(vertex.n_tracks);
    for (const double coordinate : {vertex.x, vertex.y, vertex.z}) out.append(coordinate);
  }
  return out.take();
}

TRACKPLEX_INLINE lhcb::McEvent read_mc_event(const std::filesystem::path& folder,
                                             const std::string& name, std::optional<McForm> form) {
  const auto info = folder / "MC_info";
  return {(folder / name).string(),
          read_mc_particles(info / "tracks" / (name + ".bin"), form).particles,
          read_mc_vertices(info / "PVs" / (name + ".bin"))};
}

TRACKPLEX_INLINE void write_mc_event(const std::filesystem::path& folder, const std::string& name,
                                     const lhcb::McEvent& event) {
  const auto info = folder / "MC_info";
  make_folder(info / "tracks");
  make_folder(info / "PVs");
  write_file(info / "tracks" / (name + ".bin"), mc_particles_bytes(event.particles));
  write_file(info / "PVs" / (name + ".bin"), mc_vertices_bytes(event.vertices));
}

}  // namespace trackplex::io
