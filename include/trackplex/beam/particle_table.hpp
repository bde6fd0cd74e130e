// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace trackplex::beam {

namespace detail {
/// The way that light makes until the reference particle arrives, m.
inline double light_path_of(const ReferenceParticle& reference) {
  const double inverse_p0 = 1. / reference.p0;
  return reference.path_length * std::sqrt(1. + inverse_p0 * inverse_p0);
}
}  // namespace detail

/// Time of arrival of a particle, s; 0 is when the reference particle's path length was 0.
inline double time_of(const ReferenceParticle& reference, double s, double delta) {
  return (detail::light_path_of(reference) + delay(reference, s, delta)) /
         constants::speed_of_light;
}
/// Momentum beta gamma of a particle.
inline double momentum_of(const ReferenceParticle& reference, double delta) {
  return std::fma(reference.p0, delta, reference.p0);
}
/// The coordinate s of a particle that arrives at a time, s.
inline double s_of_time(const ReferenceParticle& reference, double time, double delta) {
  const double delay = std::fma(time, constants::speed_of_light, -detail::light_path_of(reference));
  return s_of_delay(reference, delay, delta);
}
/// The coordinate delta of a particle of a momentum beta gamma.
inline double delta_of_momentum(const ReferenceParticle& reference, double momentum) {
  return (momentum - reference.p0) / reference.p0;
}

/// Particles in the memory of the host, in double precision: what files and generators have.
struct ParticleTable {
  ReferenceParticle reference;
  double particle_charge = 0.;           ///< of each, C
  std::vector<double> v[n_coordinates];  ///< v[c][particle]
  std::vector<std::int32_t> ids;         ///< numbers of the particles in the input
  std::vector<Loss> losses;              ///< lost particles: where; their place in v is the last

  ParticleTable() = default;
  /// n particles at the place of the reference particle, numbered from 0.
  explicit ParticleTable(int n, double p0 = 0.) : reference{p0, 0.} {
    for (auto& column : v) column.resize(n);
    ids.resize(n);
    std::iota(ids.begin(), ids.end(), 0);
    losses.resize(n);
  }

  int size() const { return int(ids.size()); }
  int n_lost() const {
    return int(std::count_if(losses.begin(), losses.end(),
                             [](const Loss& loss) { return loss.element != Loss::none; }));
  }
};

/// @throws UsageError if the table's columns are not equally long, or longer than a bunch can be
inline void check_columns(const ParticleTable& table) {
  bool equal = table.losses.size() == table.ids.size();
  for (const auto& column : table.v) equal = equal && column.size() == table.ids.size();
  if (!equal) throw UsageError("ParticleTable", "its columns have different lengths");
  if (table.ids.size() > std::size_t(std::numeric_limits<int>::max()))
    throw UsageError("ParticleTable", "it has more particles than a bunch can have",
                     std::to_string(table.ids.size()));
}

namespace detail {

template <class ExecutionSpace, class From, class To>
void copy_to_vector(const ExecutionSpace& exec, const From& from, std::vector<To>& to) {
  const auto host = to_host(exec, from);
  to.assign(host.data(), host.data() + host.extent(0));
}

}  // namespace detail

/// A bunch with the particles of a table, in its order, lost ones at their places among the
/// others. Waits for the instance.
/// @throws UsageError if the table's columns differ in length, or its momentum is not above 0
template <class T, class ExecutionSpace>
Bunch<T, MemoryOf<ExecutionSpace>> upload(const ExecutionSpace& exec, const ParticleTable& table) {
  check_columns(table);
  Bunch<T, MemoryOf<ExecutionSpace>> bunch(exec, table.size(), table.reference.p0);
  exec.fence();  // the bunch numbers its particles
  bunch.reference = table.reference;
  bunch.particle_charge = table.particle_charge;
  bunch.may_have_lost = table.n_lost() > 0;
  for (int c = 0; c < n_coordinates; ++c) copy_to_device(exec, bunch.values(c), table.v[c]);
  copy_to_device(exec, bunch.ids, table.ids);
  copy_to_device(exec, bunch.losses, table.losses);
  return bunch;
}

/// All particles of a bunch in its order, with those that were removed at the end. Waits for the
/// instance.
template <class T, class ExecutionSpace>
ParticleTable download(const ExecutionSpace& exec,
                       const Bunch<T, MemoryOf<ExecutionSpace>>& bunch) {
  ParticleTable table;
  table.reference = bunch.reference;
  table.particle_charge = bunch.particle_charge;
  for (int c = 0; c < n_coordinates; ++c) detail::copy_to_vector(exec, bunch.values(c), table.v[c]);
  detail::copy_to_vector(exec, bunch.ids, table.ids);
  detail::copy_to_vector(exec, bunch.losses, table.losses);
  return table;
}

}  // namespace trackplex::beam
