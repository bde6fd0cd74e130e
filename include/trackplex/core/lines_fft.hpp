// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Fourier transforms of eight lines of numbers at once, as one step of a team kernel: parts of
/// transforms in several dimensions. On a host the lanes are lines, so no pass reorders lanes. The
/// passes are those of real_fft.hpp, with the same bits on every backend; libraries of transforms
/// are not used because their results differ in the last bits from machine to machine.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/detail/fft_passes.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/team_launch.hpp>

#include <bit>
#include <string>
#include <vector>

namespace trackplex {

/// Number of lines that are transformed at once.
inline constexpr int lines_at_once = 8;

/// Greatest length of a line.
inline constexpr int max_line_length = 1 << 12;

/// Scratch memory of transforms of eight lines: number j of line l is at j * 8 + l.
struct LinesScratch {
  ComplexArray a,  ///< Eight lines of n complex numbers.
      b;           ///< As many again.

  /// Allocates lines of n complex numbers.
  KOKKOS_FUNCTION LinesScratch(ScratchCarver& carver, int n)
      : a{carver.take<double>(n * lines_at_once), carver.take<double>(n * lines_at_once)},
        b{carver.take<double>(n * lines_at_once), carver.take<double>(n * lines_at_once)} {}
};

namespace detail {

inline void check_line_length(const char* where, int n, int least) {
  if (n < least || n > max_line_length || !std::has_single_bit(unsigned(n)))
    throw UsageError(
        where, "the length of the lines is not a power of two", std::to_string(n),
        "take one from " + std::to_string(least) + " to " + std::to_string(max_line_length));
}

template <class ExecutionSpace>
auto fft_table(const ExecutionSpace& exec, const std::vector<double>& table) {
  return to_device<double>(exec, "Trackplex::Core::lines_fft_table", table);
}

}  // namespace detail

/// Fourier transform of eight lines of n complex numbers:
/// \f[ X_k = \sum_{j=0}^{n-1} x_j\, e^{-2\pi i j k/n},\qquad k = 0, \dots, n-1. \f]
///
/// The object is made on the host and captured by kernels; all threads of a team call its functions
/// together. The number of lanes of the team must not be above 8.
template <class MemorySpace>
class LinesFft {
 public:
  LinesFft() = default;
  /// Prepares transforms of lines of n numbers. Waits for the instance.
  /// @throws UsageError if n is not a power of two from 1 to `max_line_length`
  template <class ExecutionSpace>
  LinesFft(const ExecutionSpace& exec, int n) : n_(n) {
    detail::check_line_length("LinesFft", n, 1);
    std::vector<double> table;
    passes_ = detail::FftPasses(n, table, lines_at_once);
    table_ = detail::fft_table(exec, table);
  }

  KOKKOS_FUNCTION int size() const { return n_; }  ///< Number n of numbers of a line.

  /// Transforms the numbers at `from`, with `to` as scratch memory. Returns where the result is,
  /// one of the two; it is visible to the team. No thread of the team may still write to `from`:
  /// put a barrier before.
  template <class Team>
  KOKKOS_FUNCTION ComplexArray forward(const Team& team, ComplexArray from, ComplexArray to) const {
    return passes_.run(team, table_.data(), from, to);
  }
  /// Transforms back, to \f$x_j = \sum_{k=0}^{n-1} X_k\,e^{2\pi i j k/n}\f$: n times the input of
  /// `forward`. The rest is as there.
  template <class Team>
  KOKKOS_FUNCTION ComplexArray inverse(const Team& team, ComplexArray from, ComplexArray to) const {
    const ComplexArray swapped =
        passes_.run(team, table_.data(), {from.im, from.re}, {to.im, to.re});
    return {swapped.im, swapped.re};
  }

 private:
  int n_ = 0;
  detail::FftPasses passes_;
  Kokkos::View<double*, MemorySpace> table_;
};

/// Fourier transform of eight lines of n real numbers to n/2 + 1 complex ones, and back, as
/// `RealFft`. Even-numbered numbers of a line are real parts, and odd-numbered ones imaginary parts
/// of n/2 complex numbers; `packed` tells where.
template <class MemorySpace>
class RealLinesFft {
 public:
  RealLinesFft() = default;
  /// Prepares transforms of lines of n numbers. Waits for the instance.
  /// @throws UsageError if n is not a power of two from 2 to `max_line_length`
  template <class ExecutionSpace>
  RealLinesFft(const ExecutionSpace& exec, int n) : n_(n) {
    detail::check_line_length("RealLinesFft", n, 2);
    std::vector<double> table;
    passes_ = detail::FftPasses(n / 2, table, lines_at_once);
    unpack_ = int(table.size());
    detail::append_roots(table, n, n / 2 + 1, 1);
    table_ = detail::fft_table(exec, table);
  }

  KOKKOS_FUNCTION int size() const { return n_; }                   ///< Number n of real numbers.
  KOKKOS_FUNCTION int n_frequencies() const { return n_ / 2 + 1; }  ///< Number n/2 + 1 of X_k.

  /// Returns where real number j of the first line is; that of line l is l places further.
  KOKKOS_FORCEINLINE_FUNCTION static double* packed(ComplexArray numbers, int j) {
    return (j % 2 == 0 ? numbers.re : numbers.im) + j / 2 * lines_at_once;
  }

  /// Transforms packed numbers at `from`, with `to` as scratch memory, both for n/2 + 1 complex
  /// numbers a line. Returns where the spectrum is, one of the two, as `LinesFft::forward`.
  template <class Team>
  KOKKOS_FUNCTION ComplexArray forward(const Team& team, ComplexArray from, ComplexArray to) const {
    const ComplexArray z = passes_.run(team, table_.data(), from, to);
    const ComplexArray spectrum = z.re == from.re ? to : from;
    unpack(team, z, spectrum);
    team.barrier();
    return spectrum;
  }
  /// Transforms back to packed numbers, n times the input of `forward`. The rest is as there; the
  /// imaginary parts of X_0 and X_n/2 must be 0.
  template <class Team>
  KOKKOS_FUNCTION ComplexArray inverse(const Team& team, ComplexArray from, ComplexArray to) const {
    pack(team, from, to);
    team.barrier();
    // The inverse is the forward transform with real and imaginary parts swapped, before and after.
    const ComplexArray swapped =
        passes_.run(team, table_.data(), {to.im, to.re}, {from.im, from.re});
    return {swapped.im, swapped.re};
  }

 private:
  /// exp(-2 pi i k/n).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION detail::Complex<Real> root(int k) const {
    const double* const roots = table_.data() + unpack_;
    return {Real(roots[k]), Real(roots[k + n_frequencies()])};
  }

  /// X_k = E_k + exp(-2 pi i k/n) O_k, with the transforms E and O of even-numbered and
  /// odd-numbered inputs.
  template <class Team>
  KOKKOS_FUNCTION void unpack(const Team& team, ComplexArray z, ComplexArray spectrum) const {
    using Real = typename Team::Real;
    const int half = n_ / 2;
    const Real one_half(0.5);
    team.for_each((half + 1) * lines_at_once, [&](Tile<Real> tile) {
      const int k = tile.first / lines_at_once, l = tile.first % lines_at_once;
      const int at = (k == half ? 0 : k) * lines_at_once + l;
      const int mirrored = (k == 0 ? 0 : half - k) * lines_at_once + l;
      const Real re = load<Real>(z.re + at), im = load<Real>(z.im + at);
      const Real re2 = load<Real>(z.re + mirrored), im2 = load<Real>(z.im + mirrored);
      const detail::Complex<Real> even{re + re2, im - im2}, odd{im + im2, re2 - re};
      const auto turned = odd * root<Real>(k);
      store(spectrum.re + tile.first, one_half * (even.re + turned.re));
      store(spectrum.im + tile.first, one_half * (even.im + turned.im));
    });
  }

  /// Inverse of `unpack`, times 2.
  template <class Team>
  KOKKOS_FUNCTION void pack(const Team& team, ComplexArray spectrum, ComplexArray z) const {
    using Real = typename Team::Real;
    const int half = n_ / 2;
    team.for_each(half * lines_at_once, [&](Tile<Real> tile) {
      const int k = tile.first / lines_at_once, l = tile.first % lines_at_once;
      const int mirrored = (half - k) * lines_at_once + l;
      const Real re = load<Real>(spectrum.re + tile.first);
      const Real im = load<Real>(spectrum.im + tile.first);
      const Real re2 = load<Real>(spectrum.re + mirrored);
      const Real im2 = load<Real>(spectrum.im + mirrored);
      const auto w = root<Real>(k);
      const auto odd =
          detail::Complex<Real>{re - re2, im + im2} * detail::Complex<Real>{w.re, -w.im};
      store(z.re + tile.first, (re + re2) - odd.im);
      store(z.im + tile.first, (im - im2) + odd.re);
    });
  }

  int n_ = 0;
  int unpack_ = 0;  ///< of the roots in the table
  detail::FftPasses passes_;
  Kokkos::View<double*, MemorySpace> table_;
};

}  // namespace trackplex
