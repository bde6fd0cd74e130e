// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/lhcb/mc_form.hpp>
#include <trackplex/lhcb/mc_event.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace trackplex::io::detail {

/// Calls `visit` with each member of a particle that a file of this form has, in the order of the
/// file. A number has four bytes, a flag has one, and a list begins with its size.
template <class Particle, class Visit>
void visit_mc_particle(Particle& q, McForm form, const Visit& visit) {
  const bool early = form == McForm::early_2018;
  const bool in_mdf = form == McForm::mdf_v1 || form == McForm::mdf_v2;
  const bool full = in_mdf || form == McForm::full_2020;
  visit(q.key);
  visit(q.pid);
  for (auto* value : {&q.p, &q.pt, &q.eta}) visit(*value);
  if (!early) visit(q.phi);
  if (full)
    for (auto* value : {&q.origin_x, &q.origin_y, &q.origin_z}) visit(*value);
  for (auto* flag : {&q.is_long, &q.is_down, &q.has_velo, &q.has_ut, &q.has_scifi, &q.from_beauty,
                     &q.from_charm, &q.from_strange})
    visit(*flag);
  if (form == McForm::mdf_v2) visit(q.from_signal);
  if (full) {
    visit(q.mother_key);
    if (in_mdf) visit(q.mother_pid);
    visit(q.origin_mother_key);
    visit(q.origin_mother_pid);
    for (auto* value : {&q.origin_mother_pt, &q.origin_mother_tau, &q.charge}) visit(*value);
  }
  if (!early) visit(q.n_vertices);
  for (auto* ids : {&q.velo_ids, &q.ut_ids, &q.scifi_ids}) visit(*ids);
}

/// Bytes of a particle without hits: the least that one has.
inline std::size_t mc_particle_bytes(McForm form) {
  std::size_t bytes = 0;
  const lhcb::McParticle none;
  visit_mc_particle(none, form, [&](const auto& member) {
    bytes += std::is_same_v<std::decay_t<decltype(member)>, bool> ? 1 : 4;
  });
  return bytes;
}

/// Reads the members that it is called with.
struct McMemberReader {
  ByteReader& in;
  std::size_t particle;  ///< its number, for messages

  void operator()(std::uint32_t& number) const { number = in.read<std::uint32_t>(); }
  void operator()(std::int32_t& number) const { number = in.read<std::int32_t>(); }
  void operator()(float& number) const {
    const std::size_t at = in.offset();
    number = in.read<float>();
    if (!std::isfinite(number))
      throw InputError(in.place(at, "particles", particle), "a number of it is not finite");
  }
  void operator()(bool& flag) const {
    const std::size_t at = in.offset();
    const auto byte = in.read<std::uint8_t>();
    if (byte > 1)
      throw InputError(in.place(at, "particles", particle),
                       "a flag of it is " + std::to_string(byte), "0 and 1 are allowed");
    flag = byte == 1;
  }
  void operator()(std::vector<std::uint32_t>& ids) const {
    in.read_all(ids, in.read_count("hits of a particle", 4));
  }
};

inline lhcb::McParticle read_mc_particle(ByteReader& in, McForm form, std::size_t number) {
  const std::size_t at = in.offset();
  lhcb::McParticle particle;
  visit_mc_particle(particle, form, McMemberReader{in, number});
  if (!(particle.p >= 0.f && particle.pt >= 0.f))
    throw InputError(in.place(at, "particles", number), "a momentum of it is below 0");
  return particle;
}

inline void append_mc_particle(ByteWriter& out, const lhcb::McParticle& particle, McForm form) {
  visit_mc_particle(particle, form, [&](const auto& member) {
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

}  // namespace trackplex::io::detail
