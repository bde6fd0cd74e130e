// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kernels of the potential on a grid with open boundaries. The transforms of the charges are of
/// lines twice as long (R. W. Hockney, Methods Comput. Phys. 9 (1970) 135), whose second halves are
/// empty; lines that are empty as a whole are not transformed, and the last axis goes there and
/// back in one kernel.

#include <trackplex/beam/collective/detail/green_functions.hpp>
#include <trackplex/beam/collective/detail/grid_lines.hpp>
#include <trackplex/core/team_launch.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::beam::detail {

/// Numbers of nodes along the axes; arrays have the last axis as the fastest one. A grid of two
/// dimensions has no middle axis.
struct GridShape {
  int x, y, z;  ///< powers of two; y is 1 without a middle axis

  KOKKOS_FUNCTION bool has_middle() const { return y > 1; }
  KOKKOS_FUNCTION int nodes() const { return x * y * z; }
  /// Frequencies of the middle axis of a spectrum, and numbers of a Green function along it.
  KOKKOS_FUNCTION int spectrum_y() const { return has_middle() ? 2 * y : 1; }
  KOKKOS_FUNCTION int green_y() const { return has_middle() ? y + 1 : 1; }
  KOKKOS_FUNCTION int spectrum_size() const { return (x + 1) * spectrum_y() * z; }
  KOKKOS_FUNCTION int green_size() const { return (x + 1) * green_y() * (z + 1); }

  /// Lines along axes in arrays of nodes and of the spectrum.
  KOKKOS_FUNCTION ArrayLines along_x_of_nodes() const { return {1, y * z, 0, 1, y * z}; }
  KOKKOS_FUNCTION ArrayLines along_x_of_spectrum() const {
    return {1, y * z, 0, 1, spectrum_y() * z};
  }
  KOKKOS_FUNCTION ArrayLines along_y() const { return {x + 1, z, spectrum_y() * z, 1, z}; }
  KOKKOS_FUNCTION ArrayLines along_z() const { return {1, (x + 1) * spectrum_y(), 0, z, 1}; }
  /// Lines in the array of a Green function.
  KOKKOS_FUNCTION ArrayLines green_along_x() const {
    return {1, green_y() * (z + 1), 0, 1, green_y() * (z + 1)};
  }
  KOKKOS_FUNCTION ArrayLines green_along_y() const {
    return {x + 1, z + 1, green_y() * (z + 1), 1, z + 1};
  }
  KOKKOS_FUNCTION ArrayLines green_along_z() const { return {1, (x + 1) * green_y(), 0, z + 1, 1}; }
};

/// Number j of eight lines of real numbers in scratch memory of their transform.
template <class Fft>
struct PackedPlace {
  ComplexArray numbers;
  KOKKOS_FORCEINLINE_FUNCTION double* operator()(int j) const { return Fft::packed(numbers, j); }
};

/// Scratch memory of lines of n complex numbers, bytes.
KOKKOS_INLINE_FUNCTION std::size_t bytes_of_lines(int n) {
  ScratchCarver carver;
  LinesScratch(carver, n);
  return carver.bytes();
}

// Charges ---------------------------------------------------------------------------------------

/// Transforms charges along x, and spectra back to potentials.
template <class Real, class MemorySpace, bool Forward>
struct TransformAlongX {
  using Fft = RealLinesFft<MemorySpace>;
  GridShape shape;
  Fft fft;
  const std::int64_t* charges;
  ComplexArray spectrum;
  double* potential;

  KOKKOS_FUNCTION int teams() const { return shape.along_x_of_nodes().blocks(); }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return bytes_of_lines(fft.n_frequencies()); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const LinesScratch scratch(carver, fft.n_frequencies());
    const ArrayLines nodes = shape.along_x_of_nodes(), lines = shape.along_x_of_spectrum();
    const LineBlock block(nodes, member.league_rank());  // of both
    if constexpr (Forward) {
      const PackedPlace<Fft> place{scratch.a};
      load_lines(team, charges, nodes, block, shape.x, place);
      clear_lines(team, shape.x, 2 * shape.x, place);
      team.barrier();
      const ComplexArray done = fft.forward(team, scratch.a, scratch.b);
      store_lines(team, spectrum.re, lines, block, shape.x + 1, LinePlace{done.re});
      store_lines(team, spectrum.im, lines, block, shape.x + 1, LinePlace{done.im});
    } else {
      load_lines(team, spectrum.re, lines, block, shape.x + 1, LinePlace{scratch.a.re});
      load_lines(team, spectrum.im, lines, block, shape.x + 1, LinePlace{scratch.a.im});
      team.barrier();
      const ComplexArray done = fft.inverse(team, scratch.a, scratch.b);
      store_lines(team, potential, nodes, block, shape.x, PackedPlace<Fft>{done});
    }
  }
};

/// Transforms a spectrum along y in place: the first half of a line to all of it, or back.
template <class Real, class MemorySpace, bool Forward>
struct TransformAlongY {
  GridShape shape;
  LinesFft<MemorySpace> fft;
  ComplexArray spectrum;

  KOKKOS_FUNCTION int teams() const { return shape.along_y().blocks(); }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return bytes_of_lines(fft.size()); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    run(TeamLanes<Real, Member>(member), carver, member.league_rank());
  }
  template <class Team>
  KOKKOS_FUNCTION void run(const Team& team, ScratchCarver carver, int number) const {
    const LinesScratch scratch(carver, fft.size());
    const ArrayLines lines = shape.along_y();
    const LineBlock block(lines, number);
    const int before = Forward ? shape.y : 2 * shape.y, after = Forward ? 2 * shape.y : shape.y;
    load_lines(team, spectrum.re, lines, block, before, LinePlace{scratch.a.re});
    load_lines(team, spectrum.im, lines, block, before, LinePlace{scratch.a.im});
    clear_lines(team, before, 2 * shape.y, LinePlace{scratch.a.re});
    clear_lines(team, before, 2 * shape.y, LinePlace{scratch.a.im});
    team.barrier();
    const ComplexArray done =
        Forward ? fft.forward(team, scratch.a, scratch.b) : fft.inverse(team, scratch.a, scratch.b);
    store_lines(team, spectrum.re, lines, block, after, LinePlace{done.re});
    store_lines(team, spectrum.im, lines, block, after, LinePlace{done.im});
  }
};

/// Transforms a spectrum along z, multiplies it by that of the Green function, which is real, and
/// transforms it back.
template <class Real, class MemorySpace>
struct ConvolveAlongZ {
  GridShape shape;
  LinesFft<MemorySpace> fft;
  ComplexArray spectrum;
  const double* green;

  KOKKOS_FUNCTION int teams() const { return shape.along_z().blocks(); }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    return bytes_of_lines(fft.size()) + sizeof(double) * std::size_t(shape.z + 1) * lines_at_once +
           ScratchCarver::alignment;
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    run(TeamLanes<Real, Member>(member), carver, member.league_rank());
  }
  template <class Team>
  KOKKOS_FUNCTION void run(const Team& team, ScratchCarver carver, int number) const {
    const LinesScratch scratch(carver, fft.size());
    double* const factors = carver.take<double>((shape.z + 1) * lines_at_once);
    const ArrayLines lines = shape.along_z();
    const LineBlock block(lines, number);
    load_lines(team, spectrum.re, lines, block, shape.z, LinePlace{scratch.a.re});
    load_lines(team, spectrum.im, lines, block, shape.z, LinePlace{scratch.a.im});
    clear_lines(team, shape.z, 2 * shape.z, LinePlace{scratch.a.re});
    clear_lines(team, shape.z, 2 * shape.z, LinePlace{scratch.a.im});
    load_factors(team, number * lines_at_once, block.count, factors);
    team.barrier();
    const ComplexArray there = fft.forward(team, scratch.a, scratch.b);
    multiply(team, there, factors);
    team.barrier();
    const ComplexArray free = there.re == scratch.a.re ? scratch.b : scratch.a;
    const ComplexArray done = fft.inverse(team, there, free);
    store_lines(team, spectrum.re, lines, block, shape.z, LinePlace{done.re});
    store_lines(team, spectrum.im, lines, block, shape.z, LinePlace{done.im});
  }

 private:
  /// Line i of the spectrum has the frequencies i / spectrum_y along x and i % spectrum_y along y.
  template <class Team>
  KOKKOS_FUNCTION void load_factors(const Team& team, int first, int count, double* factors) const {
    const int n_y = shape.spectrum_y(), n_z = shape.z + 1;
    for (int l = 0; l < lines_at_once; ++l) {
      const int line = first + (l < count ? l : 0), kx = line / n_y, ky = line - kx * n_y;
      const int mirrored = 2 * ky > n_y ? n_y - ky : ky;
      const double* const from = green + std::int64_t(kx * shape.green_y() + mirrored) * n_z;
      team.template for_each<double>(
          n_z, [&](Tile<double> k) { factors[k.first * lines_at_once + l] = from[k.first]; });
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void multiply(const Team& team, ComplexArray numbers,
                                const double* factors) const {
    team.for_each(2 * shape.z * lines_at_once, [&](Tile<Real> tile) {
      const int k = tile.first / lines_at_once, l = tile.first % lines_at_once;
      const Real factor =
          load<Real>(factors + (k > shape.z ? 2 * shape.z - k : k) * lines_at_once + l);
      store(numbers.re + tile.first, factor * load<Real>(numbers.re + tile.first));
      store(numbers.im + tile.first, factor * load<Real>(numbers.im + tile.first));
    });
  }
};

/// All transforms along y and z of one plane of a spectrum, which stays in the cache of a host.
template <class Real, class MemorySpace>
struct ConvolvePlane {
  TransformAlongY<Real, MemorySpace, true> there;
  ConvolveAlongZ<Real, MemorySpace> along_z;
  TransformAlongY<Real, MemorySpace, false> back;

  KOKKOS_FUNCTION int teams() const { return along_z.shape.x + 1; }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    return max(there.scratch_bytes(), along_z.scratch_bytes());
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const int plane = member.league_rank();
    run(team, carver, there, plane);
    run(team, carver, along_z, plane);
    run(team, carver, back, plane);
  }

 private:
  template <class Team, class Transform>
  KOKKOS_FUNCTION void run(const Team& team, const ScratchCarver& carver,
                           const Transform& transform, int plane) const {
    const int blocks = transform.teams() / teams();
    for (int block = 0; block < blocks; ++block) {
      transform.run(team, carver, plane * blocks + block);
      team.barrier();
    }
  }
};

// Green function --------------------------------------------------------------------------------

/// The primitive of the Green function at the corners of cells, in rows along z that begin half a
/// cell below 0.
template <class Real>
struct CornerValues {
  GridShape shape;
  double hx, hy, hz;  ///< lengths of a cell
  double* corners;

  KOKKOS_FUNCTION int rows() const { return (shape.x + 1) * shape.green_y(); }
  KOKKOS_FUNCTION int row_size() const { return shape.z + 2; }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver) const {
    const TeamLanes<Real, Member> team(member);
    const int row = member.league_rank(), i = row / shape.green_y(), j = row - i * shape.green_y();
    const Real x((i + 0.5) * hx), y((j + 0.5) * hy);
    double* const to = corners + std::int64_t(row) * row_size();
    team.for_each(row_size(), [&](Tile<Real> tile) {
      const Real z = (convert<Real>(tile.index()) - Real(0.5)) * Real(hz), above = abs(z);
      const Real value = shape.has_middle() ? primitive_of_inverse_distance(x, y, above)
                                            : primitive_of_logarithm(x, above);
      tile.store(to, select(z < above, -value, value));
    });
  }
};

/// The Green function at the distances of nodes, times a factor: sums over the corners of cells.
/// Below 0 the primitive is minus that above.
template <class Real>
struct GreenOfCorners {
  GridShape shape;
  const double* corners;
  double factor;
  double* green;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return 0; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver) const {
    const TeamLanes<Real, Member> team(member);
    const int n_y = shape.green_y(), row = member.league_rank(), i = row / n_y, j = row - i * n_y;
    const double* const here = corner_row(i, j);
    const double* const below_x = corner_row(i > 0 ? i - 1 : 0, j);
    const double* const below_y = corner_row(i, j > 0 ? j - 1 : 0);
    const double* const below_both = corner_row(i > 0 ? i - 1 : 0, j > 0 ? j - 1 : 0);
    const Real of_x(i > 0 ? -1. : 1.), of_y(j > 0 ? -1. : 1.);
    const auto sum_at = [&](const Tile<Real>& tile, int shift) {
      const Real upper = fma(of_x, tile.load(below_x + shift), tile.load(here + shift));
      if (!shape.has_middle()) return upper;
      const Real lower = fma(of_x, tile.load(below_both + shift), tile.load(below_y + shift));
      return fma(of_y, lower, upper);
    };
    double* const to = green + std::int64_t(row) * (shape.z + 1);
    team.for_each(shape.z + 1, [&](Tile<Real> tile) {
      tile.store(to, Real(factor) * (sum_at(tile, 1) - sum_at(tile, 0)));
    });
  }

 private:
  KOKKOS_FUNCTION const double* corner_row(int i, int j) const {
    return corners + std::int64_t(i * shape.green_y() + j) * (shape.z + 2);
  }
};

/// Transforms a Green function in place along lines of n + 1 numbers, which go on as their mirror
/// images. The transforms are real, so those of two lines are real and imaginary parts of one.
template <class Real, class MemorySpace>
struct TransformEvenLines {
  static constexpr int size = 2 * lines_at_once;
  ArrayLines lines;
  LinesFft<MemorySpace> fft;
  double* green;

  KOKKOS_FUNCTION int teams() const { return lines.blocks(size); }
  KOKKOS_FUNCTION std::size_t scratch_bytes() const { return bytes_of_lines(fft.size()); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver carver) const {
    const TeamLanes<Real, Member> team(member);
    const LinesScratch scratch(carver, fft.size());
    const LineBlock both(lines, member.league_rank(), size);
    const LineBlock first(both.first, min(both.count, lines_at_once));
    const LineBlock second(both.first + std::int64_t(lines_at_once) * lines.line,
                           max(both.count - lines_at_once, 0));
    read(team, first, scratch.a.re);
    read(team, second, scratch.a.im);
    team.barrier();
    const ComplexArray done = fft.forward(team, scratch.a, scratch.b);
    write(team, first, done.re);
    write(team, second, done.im);
  }

 private:
  KOKKOS_FUNCTION int n() const { return fft.size() / 2; }

  template <class Team>
  KOKKOS_FUNCTION void read(const Team& team, const LineBlock& block, double* to) const {
    const LinePlace place{to}, last{to + n() * lines_at_once};
    load_lines(team, green, lines, block, n(), place);
    load_lines(team, green + n() * lines.element, lines, block, 1, last);
    team.barrier();
    team.for_each((n() - 1) * lines_at_once, [&](Tile<Real> tile) {
      const int j = 1 + tile.first / lines_at_once, l = tile.first % lines_at_once;
      store(place(2 * n() - j) + l, load<Real>(place(j) + l));
    });
  }
  template <class Team>
  KOKKOS_FUNCTION void write(const Team& team, const LineBlock& block, double* from) const {
    const LinePlace place{from}, last{from + n() * lines_at_once};
    store_lines(team, green, lines, block, n(), place);
    store_lines(team, green + n() * lines.element, lines, block, 1, last);
  }
};

}  // namespace trackplex::beam::detail
