// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/reference_particle.hpp>
#include <trackplex/beam/bunch/spin.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/core/unroll.hpp>

#include <cstdint>
#include <string>

namespace trackplex::beam {

/// Arrays of a bunch as kernels access them: one for each coordinate.
template <class T>
struct BunchColumns {
  T* v[n_coordinates];  ///< v[c][particle], in the order and units of `Coordinate`.

  /// Loads the particles of a tile.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Particle<Real> load(const Tile<Real>& tile) const {
    Particle<Real> particle;
    trackplex::detail::for_each_index<n_coordinates>(
        [&]<int C>() TRACKPLEX_INLINE_LAMBDA { particle[C] = tile.load(v[C]); });
    return particle;
  }
  /// Stores all coordinates of the particles of a tile.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile,
                                         const Particle<Real>& particle) const {
    store(tile, particle, ~0u);
  }
  /// Stores the coordinates i where bit i of `which` is set.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile, const Particle<Real>& particle,
                                         unsigned which) const {
    trackplex::detail::for_each_index<n_coordinates>([&]<int C>() TRACKPLEX_INLINE_LAMBDA {
      if (which >> C & 1) tile.store(v[C], particle[C]);
    });
  }
};

/// Turn and element in which a particle was lost.
struct Loss {
  static constexpr std::int32_t none = -1;  ///< Value of both if the particle is not lost.
  std::int32_t turn = none;                 ///< Turn, as `LineTracker::track` counts.
  std::int32_t element = none;              ///< Number of the element along the line, from 0.
};

namespace detail {
/// Numbers particles, and marks none as lost.
template <class MemorySpace>
struct NumberParticles {
  Kokkos::View<std::int64_t*, MemorySpace> ids;
  Kokkos::View<Loss*, MemorySpace> losses;
  std::int64_t first;

  KOKKOS_FUNCTION void operator()(int i) const {
    ids(i) = first + i;
    losses(i) = Loss{};
  }
};
template <class T>
struct SetSpins {
  SpinColumns<T> spins;
  T x, y, z;

  KOKKOS_FUNCTION void operator()(int i) const {
    spins.v[0][i] = x;
    spins.v[1][i] = y;
    spins.v[2][i] = z;
  }
};
}  // namespace detail

/// Particles of one bunch, an array for each coordinate, in a memory space. Copies share the
/// memory, like copies of a View. Lost particles keep their coordinates at the loss; `remove_lost`
/// moves them to the end, and the others keep their order. Ranks may share a bunch: each has a
/// contiguous part of the particles, which begins at a multiple of `reduce_block`, and all ranks
/// call functions that need the whole bunch.
/// @tparam T           precision of the coordinates, float or double
/// @tparam MemorySpace Kokkos memory space
template <class T, class MemorySpace>
class Bunch {
 public:
  /// Array with one value per particle.
  template <class U>
  using Array = Kokkos::View<U*, MemorySpace>;

  ReferenceParticle reference;  ///< Momentum and path length of the reference particle.
  /// Charge of each particle of the simulation, C; positive for space charge.
  double particle_charge = 0.;
  /// Seed of the random numbers of its particles (see `particle_random`).
  std::uint64_t seed = 0;
  double anomaly = anomaly::electron;  ///< Anomalous magnetic moment of the particles, for spins.
  /// Whether particles among the first `size` may be lost, so tracking must read `losses`; the
  /// same on all ranks.
  bool may_have_lost = false;

  Bunch() = default;  ///< Makes a bunch without particles.
  /// Allocates n particles with undefined coordinates, none lost, numbered from 0; p0 is
  /// the reference momentum beta gamma. With ranks, this rank's share of a bunch:
  /// `Share(n, reduce_block, &ranks)`. Enqueues on the instance.
  /// @throws UsageError if n is negative, the momentum not above 0, or a share does not begin at a
  /// multiple of `reduce_block`
  template <class ExecutionSpace>
  Bunch(const ExecutionSpace& exec, const Share& share, double p0)
      : reference{p0, 0.}, share_(share), size_of_all_(share.all) {
    const int n = share.n;
    if (n < 0) throw UsageError("Bunch", "there are no bunches of " + std::to_string(n));
    if (n > 0 && share.first % reduce_block != 0)
      throw UsageError("Bunch", "a rank's share does not begin with a whole block",
                       "particle " + std::to_string(share.first),
                       "deal the particles with Share(n, reduce_block, &ranks)");
    if (!(p0 > 0.))
      throw UsageError("Bunch", "the reference momentum is not above 0", shortest(p0),
                       "it is beta gamma");
    allocate(exec, n);
    for_each_item(exec, "Trackplex::Beam::number_particles", n,
                  detail::NumberParticles<MemorySpace>{ids, losses, share.first});
  }

  Array<std::int64_t> ids;  ///< Numbers of the particles in the input, (size_with_lost).
  Array<Loss> losses;       ///< Losses of the particles, (size_with_lost).

  int size() const { return share_.n; }            ///< Number of particles that are not removed.
  int n_removed() const { return all_ - size(); }  ///< Number of removed lost particles.
  int size_with_lost() const { return all_; }      ///< Number of all particles.

  /// Returns the share of this rank in the particles that are not removed.
  const Share& share() const { return share_; }
  /// Returns the number of particles of all ranks, including lost ones.
  std::int64_t size_of_all() const { return size_of_all_; }

  /// Returns the first value of a coordinate, in the memory space; values are contiguous.
  T* column(int coordinate) const { return coordinates_.data() + coordinate * stride_; }
  /// Returns the arrays of all coordinates, for kernels.
  BunchColumns<T> columns() const {
    BunchColumns<T> columns;
    for (int c = 0; c < n_coordinates; ++c) columns.v[c] = column(c);
    return columns;
  }
  /// Returns one coordinate of all particles, including lost ones, as a View: (size_with_lost).
  auto values(int c) const {
    using Values = Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    return Values(column(c), std::size_t(all_));
  }

  /// Allocates spins, with undefined components; enqueues on the instance. Without this call a
  /// bunch has no spins.
  template <class ExecutionSpace>
  void add_spins(const ExecutionSpace& exec) {
    has_spins_ = true;
    allocate_spins(exec);
  }
  /// The same, with one spin for all particles.
  template <class ExecutionSpace>
  void add_spins(const ExecutionSpace& exec, double x, double y, double z) {
    add_spins(exec);
    for_each_item(exec, "Trackplex::Beam::set_spins", all_,
                  detail::SetSpins<T>{spin_columns(), T(x), T(y), T(z)});
  }
  /// Frees the spins.
  void remove_spins() {
    has_spins_ = false;
    spins_ = {};
  }
  /// Tells whether the particles have spins.
  bool has_spins() const { return has_spins_; }
  /// Returns the arrays of the components of spins, for kernels; the bunch has spins.
  SpinColumns<T> spin_columns() const {
    SpinColumns<T> columns;
    for (int c = 0; c < n_spin_components; ++c) columns.v[c] = spins_.data() + c * stride_;
    return columns;
  }
  /// Returns one component of the spins of all particles as a View: (size_with_lost).
  auto spin_values(int c) const {
    using Values = Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    return Values(spin_columns().v[c], std::size_t(all_));
  }

  /// Sets the share of particles that are not removed, which come first; for algorithms that
  /// reorder particles.
  void set_share(const Share& share) { share_ = share; }
  /// Takes the arrays of another bunch, which has as many particles.
  void take_arrays(const Bunch& other) {
    coordinates_ = other.coordinates_;
    spins_ = other.spins_;
    has_spins_ = other.has_spins_;
    stride_ = other.stride_;
    ids = other.ids;
    losses = other.losses;
    all_ = other.all_;
  }
  /// Uses an array of the caller for the coordinates, where it is: coordinate c of particle i, of
  /// all `size_with_lost` of them, at [c stride + i].
  void use_coordinates(const Array<T>& coordinates, std::size_t stride) {
    coordinates_ = coordinates;
    stride_ = stride;
  }
  /// Replaces the arrays by arrays for n particles in total, with undefined contents, for
  /// algorithms that move particles between ranks. Enqueues on the instance.
  template <class ExecutionSpace>
  void allocate(const ExecutionSpace& exec, int n) {
    // Columns begin at different offsets in a page, so they do not compete for cache sets.
    stride_ = (std::size_t(n) + 511) / 512 * 512 + 16;
    coordinates_ =
        new_array<Array<T>>(exec, "Trackplex::Beam::coordinates", n_coordinates * stride_);
    ids = new_array<Array<std::int64_t>>(exec, "Trackplex::Beam::ids", std::size_t(n));
    losses = new_array<Array<Loss>>(exec, "Trackplex::Beam::losses", std::size_t(n));
    all_ = n;
    if (has_spins_) allocate_spins(exec);
  }

 private:
  template <class ExecutionSpace>
  void allocate_spins(const ExecutionSpace& exec) {
    spins_ = new_array<Array<T>>(exec, "Trackplex::Beam::spins", n_spin_components * stride_);
  }

  Array<T> coordinates_;
  Array<T> spins_;
  bool has_spins_ = false;
  std::size_t stride_ = 0;
  Share share_;
  std::int64_t size_of_all_ = 0;
  int all_ = 0;
};

/// Copies a bunch with all its particles to other memory, for tracking several times from the same
/// start. Enqueues; allocates if `to` has another size, including lost particles, or aliases
/// `from`.
template <class T, class ExecutionSpace>
void copy_bunch(const ExecutionSpace& exec, const Bunch<T, MemoryOf<ExecutionSpace>>& from,
                Bunch<T, MemoryOf<ExecutionSpace>>& to) {
  auto arrays = to;
  if (to.size_with_lost() != from.size_with_lost() || to.ids.data() == from.ids.data() ||
      to.has_spins() != from.has_spins()) {
    arrays = from;
    arrays.allocate(exec, from.size_with_lost());
  }
  to = from;
  to.take_arrays(arrays);
  for (int c = 0; c < n_coordinates; ++c) copy_array(exec, to.values(c), from.values(c));
  if (from.has_spins())
    for (int c = 0; c < n_spin_components; ++c)
      copy_array(exec, to.spin_values(c), from.spin_values(c));
  copy_array(exec, to.ids, from.ids);
  copy_array(exec, to.losses, from.losses);
}

}  // namespace trackplex::beam
