// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch.hpp>
#include <trackplex/core/on_host.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace trackplex::beam {

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
                             [](const Loss& loss) { return loss.turn != Loss::none; }));
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

/// Copies the values of a vector to a view that is as long, converted to its type. Waits for the
/// instance.
template <class ExecutionSpace, class To, class From>
void copy_to_view(const ExecutionSpace& exec, const To& to, const std::vector<From>& from) {
  const auto host = Kokkos::create_mirror_view(to);
  std::transform(from.begin(), from.end(), host.data(),
                 [](const From& value) { return static_cast<typename To::value_type>(value); });
  Kokkos::deep_copy(exec, to, host);
  exec.fence();
}

template <class ExecutionSpace, class From, class To>
void copy_to_vector(const ExecutionSpace& exec, const From& from, std::vector<To>& to) {
  const auto host = on_host(exec, from);
  to.assign(host.data(), host.data() + host.extent(0));
}

}  // namespace detail

/// A bunch with the particles of a table, in its order, lost ones at their places among the
/// others. Waits for the instance.
/// @throws UsageError if the table's columns differ in length, or its momentum is not above 0
template <class T, class ExecutionSpace>
Bunch<T, ExecutionSpace> upload(const ExecutionSpace& exec, const ParticleTable& table) {
  check_columns(table);
  Bunch<T, ExecutionSpace> bunch(exec, table.size(), table.reference.p0);
  exec.fence();  // the bunch numbers its particles
  bunch.reference = table.reference;
  bunch.particle_charge = table.particle_charge;
  bunch.may_have_lost = table.n_lost() > 0;
  for (int c = 0; c < n_coordinates; ++c) detail::copy_to_view(exec, bunch.values(c), table.v[c]);
  detail::copy_to_view(exec, bunch.ids, table.ids);
  detail::copy_to_view(exec, bunch.losses, table.losses);
  return bunch;
}

/// All particles of a bunch in its order, with those that were removed at the end. Waits for the
/// instance.
template <class T, class ExecutionSpace>
ParticleTable download(const ExecutionSpace& exec, const Bunch<T, ExecutionSpace>& bunch) {
  ParticleTable table;
  table.reference = bunch.reference;
  table.particle_charge = bunch.particle_charge;
  for (int c = 0; c < n_coordinates; ++c) detail::copy_to_vector(exec, bunch.values(c), table.v[c]);
  detail::copy_to_vector(exec, bunch.ids, table.ids);
  detail::copy_to_vector(exec, bunch.losses, table.losses);
  return table;
}

}  // namespace trackplex::beam
