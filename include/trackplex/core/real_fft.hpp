// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Fourier transform of real numbers as one step of a team kernel: the same bits on every backend,
/// input and output in memory of the kernel, any even length.
///
/// n real numbers are n/2 complex ones, transformed by passes of radix 4, 2, 3, 5 and any other
/// prime factor that reorder as they proceed (autosort, after T. G. Stockham; C. Van Loan,
/// "Computational Frameworks for the Fast Fourier Transform", SIAM 1992).

#include <trackplex/core/copy.hpp>
#include <trackplex/core/detail/fft_passes.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/team_launch.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace trackplex {

/// Length of the longest transform of real numbers.
inline constexpr int max_transform_length = 1 << 20;

/// Returns n if a transform of n real numbers (n even, up to `max_transform_length`) takes at
/// most some tenths of a second; else the next larger length with the prime factors 2, 3
/// and 5. The time is proportional to n/2 times the largest prime factor of n/2.
inline int fast_transform_length(int n) {
  constexpr std::int64_t max_products = 1 << 26;
  const auto largest_factor = [](int m) {
    int largest = 1;
    for (int factor = 2; factor <= m / factor; ++factor)
      for (; m % factor == 0; m /= factor) largest = factor;
    return m > 1 ? m : largest;
  };
  if (std::int64_t(n / 2) * largest_factor(n / 2) <= max_products) return n;
  while (largest_factor(n / 2) > 5) n += 2;
  return n;
}

/// Fourier transform of n real numbers to n/2 + 1 complex ones, and back:
/// \f[ X_k = \sum_{j=0}^{n-1} x_j\, e^{-2\pi i j k/n},\qquad k = 0, \dots, n/2. \f]
///
/// The object is made on the host and captured by kernels; all threads of a team call its
/// functions together.
template <class MemorySpace>
class RealFft {
 public:
  /// Length of the longest transform.
  static constexpr int capacity = max_transform_length;

  RealFft() = default;
  /// Prepares transforms of n real numbers: computes the roots of unity. Waits for the instance.
  /// @throws UsageError if n is odd, less than 2 or no `fast_transform_length`
  /// @throws CapacityError if n is above `capacity`
  template <class ExecutionSpace>
  RealFft(const ExecutionSpace& exec, int n) : n_(n) {
    if (n < 2 || n % 2 != 0)
      throw UsageError("RealFft", "the length is not an even number above 0", std::to_string(n));
    if (n > capacity)
      throw CapacityError("RealFft", "numbers to transform", std::size_t(n), std::size_t(capacity));
    if (const int fast = fast_transform_length(n); fast != n)
      throw UsageError("RealFft", "a transform of " + std::to_string(n) + " numbers takes too long",
                       "half of their number has a large prime factor",
                       "take " + std::to_string(fast));
    std::vector<double> table;
    passes_ = detail::FftPasses(n / 2, table);
    unpack_ = int(table.size());
    detail::append_roots(table, n, n / 2 + 1, 1);
    table_ = new_array<Table>(exec, "Trackplex::Core::fft_table", table.size());
    const auto host = Kokkos::create_mirror_view(table_);
    for (std::size_t i = 0; i < table.size(); ++i) host(i) = table[i];
    copy_array(exec, table_, host);
    exec.fence();
  }

  KOKKOS_FUNCTION int size() const { return n_; }                   ///< Number n of real numbers.
  KOKKOS_FUNCTION int n_frequencies() const { return n_ / 2 + 1; }  ///< Number n/2 + 1 of X_k.

  /// Scratch memory of a transform.
  struct Scratch {
    ComplexArray a,  ///< Array of n/2 complex numbers.
        b;           ///< Another array.

    /// Allocates the arrays of a transform of n real numbers.
    KOKKOS_FUNCTION Scratch(ScratchCarver& carver, int n)
        : a{carver.take<double>(n / 2), carver.take<double>(n / 2)},
          b{carver.take<double>(n / 2), carver.take<double>(n / 2)} {}
  };

  /// Transforms x[0] ... x[n - 1] to spectrum[k] = X_k for k = 0 to n/2. No thread of the team may
  /// still write to x: put a barrier before. The results are visible to the team on return.
  template <class Team>
  KOKKOS_FUNCTION void forward(const Team& team, const Scratch& scratch, const double* x,
                               ComplexArray spectrum) const {
    team.template for_each<double>(n_ / 2, [&](Tile<double> i) {
      scratch.a.re[i.first] = x[2 * i.first];
      scratch.a.im[i.first] = x[2 * i.first + 1];
    });
    team.barrier();
    unpack(team, passes_.run(team, table_.data(), scratch.a, scratch.b), spectrum);
    team.barrier();
  }

  /// Transforms back, to \f$x_j = \sum_{k=-n/2+1}^{n/2} X_k\,e^{2\pi i j k/n}\f$ with
  /// \f$X_{-k} = X_k^*\f$: n times the input of `forward`. The imaginary parts of X_0 and X_n/2
  /// must be 0. Barriers as for `forward`.
  template <class Team>
  KOKKOS_FUNCTION void inverse(const Team& team, const Scratch& scratch, ComplexArray spectrum,
                               double* x) const {
    pack(team, spectrum, scratch.a);
    team.barrier();
    // The inverse is the forward transform with real and imaginary parts swapped, before and after.
    const ComplexArray swapped = passes_.run(team, table_.data(), {scratch.a.im, scratch.a.re},
                                             {scratch.b.im, scratch.b.re});
    team.template for_each<double>(n_ / 2, [&](Tile<double> i) {
      x[2 * i.first] = swapped.im[i.first];
      x[2 * i.first + 1] = swapped.re[i.first];
    });
    team.barrier();
  }

 private:
  using Table = Kokkos::View<double*, MemorySpace>;

  /// exp(-2 pi i k/n) of a tile.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION detail::Complex<Real> root(const Tile<Real>& tile) const {
    const double* const roots = table_.data() + unpack_;
    return {tile.load(roots), tile.load(roots + n_frequencies())};
  }

  /// Even-numbered inputs are real parts and odd-numbered ones imaginary parts: z = even + i
  /// odd, with the transforms E and O, and X_k = E_k + exp(-2 pi i k/n) O_k.
  template <class Team>
  KOKKOS_FUNCTION void unpack(const Team& team, ComplexArray z, ComplexArray spectrum) const {
    using Real = typename Team::Real;
    using Integer = IntegerOf<Real>;
    using Index = ScalarOf<Integer>;
    const int half = n_ / 2;
    const Real one_half(0.5);
    team.for_each(half + 1, [&](Tile<Real> tile) {
      const Integer k = tile.index(), zero(0), end = Integer(Index(half));
      const Integer at = select(k == end, zero, k), mirrored = select(k == zero, zero, end - k);
      const Real re = gather<Real>(z.re, at), im = gather<Real>(z.im, at);
      const Real re2 = gather<Real>(z.re, mirrored), im2 = gather<Real>(z.im, mirrored);
      const detail::Complex<Real> even{re + re2, im - im2}, odd{im + im2, re2 - re};
      const auto turned = odd * root(tile);
      tile.store(spectrum.re, one_half * (even.re + turned.re));
      tile.store(spectrum.im, one_half * (even.im + turned.im));
    });
  }

  /// Inverse of `unpack`, times 2.
  template <class Team>
  KOKKOS_FUNCTION void pack(const Team& team, ComplexArray spectrum, ComplexArray z) const {
    using Real = typename Team::Real;
    using Integer = IntegerOf<Real>;
    using Index = ScalarOf<Integer>;
    const int half = n_ / 2;
    team.for_each(half, [&](Tile<Real> tile) {
      const Integer mirrored = Integer(Index(half)) - tile.index();
      const Real re = tile.load(spectrum.re), im = tile.load(spectrum.im);
      const Real re2 = gather<Real>(spectrum.re, mirrored);
      const Real im2 = gather<Real>(spectrum.im, mirrored);
      const auto w = root(tile);
      const auto odd =
          detail::Complex<Real>{re - re2, im + im2} * detail::Complex<Real>{w.re, -w.im};
      tile.store(z.re, (re + re2) - odd.im);
      tile.store(z.im, (im - im2) + odd.re);
    });
  }

  int n_ = 0;
  int unpack_ = 0;  ///< of the roots in the table
  detail::FftPasses passes_;
  Table table_;
};

}  // namespace trackplex
