// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/rank_errors.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace trackplex::beam {

namespace detail {
/// Returns the time of arrival of the reference particle times the speed of light, m.
inline double light_path_of(const ReferenceParticle& reference) {
  const double inverse_p0 = 1. / reference.p0;
  return reference.path_length * std::sqrt(1. + inverse_p0 * inverse_p0);
}
}  // namespace detail

/// Returns the time of arrival of a particle, s (seconds), from its coordinates s, m, and delta; 0
/// is the time at which the path length of the reference particle was 0.
inline double time_of(const ReferenceParticle& reference, double s, double delta) {
  return (detail::light_path_of(reference) + delay(reference, s, delta)) /
         constants::speed_of_light;
}
/// Returns the momentum of a particle as beta gamma, from its coordinate delta.
inline double momentum_of(const ReferenceParticle& reference, double delta) {
  return std::fma(reference.p0, delta, reference.p0);
}
/// Returns the coordinate s, m, of a particle that arrives at a time, s (seconds): the inverse of
/// `time_of`.
inline double s_of_time(const ReferenceParticle& reference, double time, double delta) {
  const double delay = std::fma(time, constants::speed_of_light, -detail::light_path_of(reference));
  return s_of_delay(reference, delay, delta);
}
/// Returns the coordinate delta of a particle with a momentum beta gamma.
inline double delta_of_momentum(const ReferenceParticle& reference, double momentum) {
  return (momentum - reference.p0) / reference.p0;
}

/// Particles of a bunch in host memory, in double precision, as in files.
struct ParticleTable {
  ReferenceParticle reference;           ///< Momentum and path length of the reference particle.
  double particle_charge = 0.;           ///< Charge of each particle, C.
  std::vector<double> v[n_coordinates];  ///< v[c][particle], in the units of `Coordinate`.
  bool has_spins = false;                ///< Whether the particles have spins.
  std::vector<double> spin[n_spin_components];  ///< spin[component][particle]; empty without.
  double anomaly = anomaly::electron;           ///< Anomalous magnetic moment, for spins.
  std::vector<std::int64_t> ids;                ///< Numbers of the particles in the input.
  std::vector<Loss> losses;  ///< Losses; lost particles have their last coordinates.

  ParticleTable() = default;  ///< Makes a table without particles.
  /// Makes n particles with the coordinates 0 of the reference particle, numbered from 0; p0 is the
  /// reference momentum beta gamma.
  explicit ParticleTable(int n, double p0 = 0.);

  /// Gives all particles one spin, the components of a unit vector along x, y and the axis.
  /// @throws UsageError if it is not a unit vector to 1e-6
  void set_spins(double x, double y, double z);

  /// Returns the number of particles, including lost ones.
  int size() const { return int(ids.size()); }
  /// Returns the number of lost particles.
  int n_lost() const;
};

/// Checks that the columns of a table have one length.
/// @throws UsageError if they have different lengths, or there are more particles than a bunch can
/// have (an int)
void check_columns(const ParticleTable& table);

namespace detail {

template <class ExecutionSpace, class From, class To>
void copy_to_vector(const ExecutionSpace& exec, const From& from, std::vector<To>& to) {
  const auto host = to_host(exec, from);
  to.assign(host.data(), host.data() + host.extent(0));
}

}  // namespace detail

/// Copies the particles of a table to a bunch, in order, including lost ones at their places.
/// Waits for the instance. With ranks, the concatenated tables of all ranks are the bunch: each
/// rank has its share, as `Share(n, reduce_block, &ranks)` deals n particles.
/// @throws UsageError as `check_columns`, if the reference momentum is not above 0, or if a share
/// does not begin at a multiple of `reduce_block`
template <class T, class ExecutionSpace>
Bunch<T, MemoryOf<ExecutionSpace>> upload(const ExecutionSpace& exec, const ParticleTable& table,
                                          const Ranks* ranks = nullptr) {
  const Share share = gather_share(int(table.ids.size()), ranks);
  Bunch<T, MemoryOf<ExecutionSpace>> bunch;
  RankErrors errors(ranks);
  errors.run([&] {
    check_columns(table);
    bunch = {exec, share, table.reference.p0};
  });
  errors.check();
  exec.fence();  // the bunch numbers its particles
  bunch.reference = table.reference;
  bunch.particle_charge = table.particle_charge;
  bunch.may_have_lost = on_any(ranks, table.n_lost() > 0);
  for (int c = 0; c < n_coordinates; ++c) copy_to_device(exec, bunch.values(c), table.v[c].data());
  bunch.anomaly = table.anomaly;
  if (table.has_spins) {
    bunch.add_spins(exec);
    for (int c = 0; c < n_spin_components; ++c)
      copy_to_device(exec, bunch.spin_values(c), table.spin[c].data());
  }
  copy_to_device(exec, bunch.ids, table.ids.data());
  copy_to_device(exec, bunch.losses, table.losses.data());
  return bunch;
}

/// Copies this rank's particles of a bunch to a table, in order, removed ones
/// last. Waits for the instance.
template <class T, class ExecutionSpace>
ParticleTable download(const ExecutionSpace& exec,
                       const Bunch<T, MemoryOf<ExecutionSpace>>& bunch) {
  ParticleTable table;
  table.reference = bunch.reference;
  table.particle_charge = bunch.particle_charge;
  for (int c = 0; c < n_coordinates; ++c) detail::copy_to_vector(exec, bunch.values(c), table.v[c]);
  table.anomaly = bunch.anomaly;
  table.has_spins = bunch.has_spins();
  if (table.has_spins)
    for (int c = 0; c < n_spin_components; ++c)
      detail::copy_to_vector(exec, bunch.spin_values(c), table.spin[c]);
  detail::copy_to_vector(exec, bunch.ids, table.ids);
  detail::copy_to_vector(exec, bunch.losses, table.losses);
  return table;
}

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/bunch/detail/particle_table.impl.hpp>
#endif
