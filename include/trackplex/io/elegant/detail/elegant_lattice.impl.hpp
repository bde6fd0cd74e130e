// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/elements/bend.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/momentum_ramp.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/elegant/detail/elegant_parser.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace trackplex::io {

TRACKPLEX_INLINE std::size_t ElegantLattice::before_recirculation(
    const beam::BeamLine& elements) const {
  for (std::size_t i = elements.size(); i > 0; --i)
    if (recirculations.contains(lattice.key_of(elements[i - 1].name))) return i - 1;
  return 0;
}

TRACKPLEX_INLINE beam::BeamLine ElegantLattice::expand() const {
  if (line.empty()) throw UsageError("ElegantLattice", "the file has no line");
  return expand(line);
}

TRACKPLEX_INLINE beam::BeamLine ElegantLattice::expand(std::string_view name,
                                                       std::int64_t limit) const {
  const auto check = [&](std::string_view part) {
    const auto found = refused.find(lattice.key_of(part));
    if (found != refused.end()) throw found->second;
  };
  check(name);
  auto elements = lattice.expand(name, limit);
  for (const auto& element : elements) check(element.name);
  join_bends(elements);
  check_momentum(elements);
  check_occurrences(elements);
  return elements;
}

namespace detail {

/// Switches off the edges where two bends of one name meet.
inline void join_bends(beam::ElementKind& first, beam::ElementKind& second) {
  if (const auto* bend = first.as<beam::Bend>()) {
    beam::Bend before = *bend, after = *second.as<beam::Bend>();
    before.magnet.exit_edge = after.magnet.entrance_edge = false;
    first = before;
    second = after;
  } else if (const auto* canonical = first.as<beam::CanonicalBend>()) {
    beam::CanonicalBend before = *canonical, after = *second.as<beam::CanonicalBend>();
    before.exit_effects = after.entrance_effects = beam::EdgeEffects::none;
    first = before;
    second = after;
  } else if (const auto* coherent = first.as<beam::CsrBend>()) {
    beam::CsrBend before = *coherent, after = *second.as<beam::CsrBend>();
    before.magnet.exit_effects = after.magnet.entrance_effects = beam::EdgeEffects::none;
    if (before.radiates_behind)
      after.angle_before = before.angle_before + std::abs(before.magnet.angle);
    first = before;
    second = after;
  }
}

}  // namespace detail

/// As elegant does, but for KSBEND. The ends of a ring do not meet.
TRACKPLEX_INLINE void ElegantLattice::join_bends(beam::BeamLine& elements) const {
  for (std::size_t i = 0; i + 1 < elements.size(); ++i) {
    if (elements[i].kind.axis_bend().angle == 0.) continue;
    std::size_t next = i + 1;
    while (next < elements.size() && inside_bends.contains(lattice.key_of(elements[next].name)))
      ++next;
    if (next < elements.size() && elements[i].name == elements[next].name)
      detail::join_bends(elements[i].kind, elements[next].kind);
  }
}

TRACKPLEX_INLINE void ElegantLattice::check_occurrences(const beam::BeamLine& elements) const {
  if (occurrences.empty()) return;
  std::map<std::string, int> found;
  for (const auto& element : elements) ++found[lattice.key_of(element.name)];
  for (const auto& [key, n] : found) {
    const auto change = occurrences.find(key);
    if (change == occurrences.end() || change->second.occurrences == n) continue;
    if (change->second.occurrences > n && change->second.may_match_nothing) continue;
    throw InputError({change->second.place},
                     "the file of parameters has those of " +
                         std::to_string(change->second.occurrences) + " elements '" + key +
                         "', the line has " + std::to_string(n),
                     {}, "change their definition (change_defined_values=1)");
  }
}

TRACKPLEX_INLINE void ElegantLattice::check_momentum(const beam::BeamLine& elements) const {
  if (of_momentum.empty()) return;
  double p0 = of_momentum.begin()->second;
  bool is_ramped = false;  // and, in a ring, before elements in front of the ramp
  for (const auto& element : elements)
    is_ramped = is_ramped || element.kind.as<beam::MomentumRamp>();
  for (const auto& element : elements) {
    const auto found = of_momentum.find(lattice.key_of(element.name));
    if (found != of_momentum.end() && (is_ramped || found->second != p0))
      throw InputError(
          {element.name},
          "its field is given, not its strength, and the reference momentum changes before it", {},
          "give its strength instead of BORE, or RADIUS instead of K or B");
    p0 = element.kind.momentum_behind(p0);
  }
}

TRACKPLEX_INLINE ElegantLattice parse_elegant_lattice(std::string_view text,
                                                      const std::string& name,
                                                      const ElegantLatticeOptions& options) {
  try {
    return detail::ElegantParser(text, name, options, false).parse();
  } catch (const detail::ElegantParser::CaseMatters&) {
    return detail::ElegantParser(text, name, options, true).parse();
  }
}

TRACKPLEX_INLINE ElegantLattice read_elegant_lattice(const std::filesystem::path& path,
                                                     const ElegantLatticeOptions& options) {
  return parse_elegant_lattice(read_file(path), path.string(), options);
}

}  // namespace trackplex::io
