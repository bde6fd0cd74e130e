// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/lhcb/detail/check_velo_event.hpp>
#include <trackplex/io/lhcb/velo_binary.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace trackplex::io {

namespace detail {

inline constexpr std::string_view velo_binary_magic = "TPXVELO1";

enum VeloParts : std::uint32_t { has_times = 1, has_truth = 2, has_kinematics = 4 };

/// Calls `visit` with each member of a particle, in the order of the file.
template <class Particle, class Visit>
void visit_velo_particle(Particle& q, bool kinematics, const Visit& visit) {
  if (kinematics) {
    visit(q.key);
    visit(q.pid);
    for (auto* value : {&q.p, &q.pt, &q.eta, &q.phi}) visit(*value);
    visit(q.charge);
    for (auto* flag : {&q.is_long, &q.is_down, &q.has_velo, &q.has_ut, &q.has_scifi, &q.from_beauty,
                       &q.from_charm, &q.from_strange})
      visit(*flag);
  }
  visit(q.hits);
}

inline lhcb::VeloParticle read_velo_particle(ByteReader& in, bool kinematics) {
  lhcb::VeloParticle particle;
  visit_velo_particle(particle, kinematics, [&](auto& member) {
    using Member = std::decay_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, bool>) {
      const std::size_t at = in.offset();
      const auto byte = in.read<std::uint8_t>();
      if (byte > 1)
        throw InputError(in.place(at, "flag of a particle"), "is " + std::to_string(byte),
                         "0 and 1 are allowed");
      member = byte == 1;
    } else if constexpr (std::is_arithmetic_v<Member>) {
      member = in.read<Member>();
    } else {
      in.read_all(member, in.read_count("hits of a particle", 4));
    }
  });
  return particle;
}

inline void append_velo_particle(ByteWriter& out, const lhcb::VeloParticle& particle,
                                 bool kinematics) {
  visit_velo_particle(particle, kinematics, [&](const auto& member) {
    using Member = std::decay_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, bool>) {
      out.append(std::uint8_t(member));
    } else if constexpr (std::is_arithmetic_v<Member>) {
      out.append(member);
    } else {
      out.append_count(member.size());
      out.append_all(member);
    }
  });
}

inline std::uint32_t read_velo_parts(ByteReader& in) {
  if (in.left() < velo_binary_magic.size() ||
      in.read_bytes(velo_binary_magic.size()) != velo_binary_magic)
    throw InputError(in.place(0), "it does not begin with " + std::string(velo_binary_magic), {},
                     "is this another kind of file?");
  const std::size_t at = in.offset();
  const auto parts = in.read<std::uint32_t>();
  if (parts > (has_times | has_truth | has_kinematics) || (parts & 6) == has_kinematics)
    throw InputError(in.place(at, "parts"), "is " + std::to_string(parts),
                     "times, truth, and with it kinematics, are known");
  return parts;
}

}  // namespace detail

TRACKPLEX_INLINE lhcb::VeloEvent parse_velo_binary(std::string_view bytes, std::string name) {
  detail::ByteReader in(bytes, name);
  const auto parts = detail::read_velo_parts(in);
  lhcb::VeloEvent event;
  event.name = std::move(name);
  const std::size_t hits = in.read_count("hits", 3 * 8);
  if (hits > detail::max_velo_hits)
    throw CapacityError(event.name, "hits of one event", hits, detail::max_velo_hits,
                        "split the event");
  in.read_all(event.module_offsets);
  for (auto* coordinates : {&event.x, &event.y, &event.z}) in.read_all(*coordinates, hits);
  if (parts & detail::has_times) in.read_all(event.t, hits);
  event.has_truth = (parts & detail::has_truth) != 0;
  event.has_kinematics = (parts & detail::has_kinematics) != 0;
  if (event.has_truth) {
    event.particles.resize(in.read_count("particles", 4));
    for (auto& q : event.particles) q = detail::read_velo_particle(in, event.has_kinematics);
  }
  in.expect_end("the event");
  detail::check_velo_coordinates(event);
  detail::check_velo_modules(event);
  detail::check_velo_particles(event);
  return event;
}

TRACKPLEX_INLINE std::string velo_binary_bytes(const lhcb::VeloEvent& event) {
  const auto n = event.x.size();
  if (event.y.size() != n || event.z.size() != n || (!event.t.empty() && event.t.size() != n))
    throw UsageError(event.name, "its coordinates are not of the same hits",
                     std::to_string(n) + " x");
  detail::ByteWriter out;
  out.append_bytes(detail::velo_binary_magic);
  std::uint32_t parts = 0;
  if (!event.t.empty()) parts |= detail::has_times;
  if (event.has_truth) parts |= detail::has_truth;
  if (event.has_truth && event.has_kinematics) parts |= detail::has_kinematics;
  out.append(parts);
  out.append_count(event.size());
  out.append_all(event.module_offsets);
  for (const auto* coordinates : {&event.x, &event.y, &event.z, &event.t})
    out.append_all(*coordinates);
  if (event.has_truth) {
    out.append_count(event.particles.size());
    for (const auto& particle : event.particles)
      detail::append_velo_particle(out, particle, event.has_kinematics);
  }
  return out.take();
}

TRACKPLEX_INLINE lhcb::VeloEvent read_velo_binary(const std::filesystem::path& file) {
  return parse_velo_binary(read_file(file), file.string());
}

TRACKPLEX_INLINE void write_velo_binary(const std::filesystem::path& file,
                                        const lhcb::VeloEvent& event) {
  write_file(file, velo_binary_bytes(event));
}

}  // namespace trackplex::io
