// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/reference_particle.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/tile.hpp>

#include <cstdint>
#include <string>

namespace trackplex::beam {

/// The arrays of a bunch as kernels see them: one for each coordinate.
template <class T>
struct BunchColumns {
  T* v[n_coordinates];

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Particle<Real> load(const Tile<Real>& tile) const {
    Particle<Real> particle;
    for (int c = 0; c < n_coordinates; ++c) particle[c] = tile.load(v[c]);
    return particle;
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Tile<Real>& tile,
                                         const Particle<Real>& particle) const {
    for (int c = 0; c < n_coordinates; ++c) tile.store(v[c], particle[c]);
  }
};

/// Where a particle was lost.
struct Loss {
  static constexpr std::int32_t none = -1;
  std::int32_t turn = none;
  std::int32_t element = none;  ///< number along the line
};

namespace detail {
/// Numbers particles from 0, and has none of them lost.
template <class MemorySpace>
struct NumberParticles {
  Kokkos::View<std::int32_t*, MemorySpace> ids;
  Kokkos::View<Loss*, MemorySpace> losses;

  KOKKOS_FUNCTION void operator()(int i) const {
    ids(i) = i;
    losses(i) = Loss{};
  }
};
}  // namespace detail

/// Particles of one bunch, an array for each coordinate, in the memory of an execution space.
/// Copies share the memory, as copies of a View do. Lost particles keep the coordinates that they
/// had where they were lost; `remove_lost` moves them behind the others, which keep their order.
template <class T, class ExecutionSpace>
class Bunch {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  template <class U>
  using Array = Kokkos::View<U*, MemorySpace>;

  ReferenceParticle reference;
  double particle_charge = 0.;  ///< of each particle of the simulation, C
  /// Particles among the first `size` may be lost: what tracks them looks at `losses`.
  bool may_have_lost = false;

  Bunch() = default;
  /// n particles, with their coordinates undefined; none of them lost, numbered from 0.
  /// @throws UsageError if n is negative or the momentum not above 0
  Bunch(const ExecutionSpace& exec, int n, double p0) : reference{p0, 0.}, size_(n), all_(n) {
    if (n < 0) throw UsageError("Bunch", "there are no bunches of " + std::to_string(n));
    if (!(p0 > 0.))
      throw UsageError("Bunch", "the reference momentum is not above 0", std::to_string(p0),
                       "it is beta gamma");
    // Columns begin at different places of a page, so that they do not compete for cache sets.
    stride_ = (std::size_t(n) + 511) / 512 * 512 + 16;
    const auto raw = [&](const char* what) {
      return Kokkos::view_alloc(exec, Kokkos::WithoutInitializing,
                                std::string("Trackplex::Beam::") + what);
    };
    coordinates_ = Array<T>(raw("coordinates"), n_coordinates * stride_);
    ids = Array<std::int32_t>(raw("ids"), n);
    losses = Array<Loss>(raw("losses"), n);
    Kokkos::parallel_for("Trackplex::Beam::number_particles",
                         Kokkos::RangePolicy<ExecutionSpace>(exec, 0, n),
                         detail::NumberParticles<MemorySpace>{ids, losses});
  }

  Array<std::int32_t> ids;  ///< numbers of the particles in the input
  Array<Loss> losses;

  int size() const { return size_; }              ///< without those removed
  int n_removed() const { return all_ - size_; }  ///< lost and moved behind the others
  int size_with_lost() const { return all_; }

  T* column(int coordinate) const { return coordinates_.data() + coordinate * stride_; }
  BunchColumns<T> columns() const {
    BunchColumns<T> columns;
    for (int c = 0; c < n_coordinates; ++c) columns.v[c] = column(c);
    return columns;
  }
  /// One coordinate of all particles, lost ones included, as a View.
  auto values(int c) const {
    using Values = Kokkos::View<T*, MemorySpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    return Values(column(c), std::size_t(all_));
  }

  /// For what moves lost particles behind the others.
  void set_size(int n) { size_ = n; }

 private:
  Array<T> coordinates_;
  std::size_t stride_ = 0;
  int size_ = 0, all_ = 0;
};

}  // namespace trackplex::beam
