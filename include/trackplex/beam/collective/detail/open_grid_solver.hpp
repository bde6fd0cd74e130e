// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/detail/open_grid_kernels.hpp>
#include <trackplex/core/allocate.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>

#include <cstdint>
#include <string>

namespace trackplex::beam::detail {

/// Potential of charges in the nodes of a grid with open boundaries, in three dimensions or two, by
/// the integrated Green function: each charge fills a cell around its node. All in double
/// precision, with the same bits on every backend. An object serves one execution-space instance at
/// a time; it allocates nothing after its construction.
/// @tparam Width lanes on hosts, at most 8
template <class ExecutionSpace, int Width>
class OpenGridSolver {
  static_assert(Width <= lines_at_once, "the lanes are lines that are transformed at once");
  using Real = LanesOf<double, Width>;
  using Memory = MemoryOf<ExecutionSpace>;
  template <class U>
  using Array = Kokkos::View<U*, Memory>;

 public:
  /// Allocates the arrays of a grid. Waits for the instance.
  OpenGridSolver(const ExecutionSpace& exec, const GridShape& shape)
      : shape_(shape),
        along_x_(exec, 2 * shape.x),
        even_x_(exec, 2 * shape.x),
        along_y_(exec, shape.spectrum_y()),
        along_z_(exec, 2 * shape.z) {
    const auto allocate = [&]<class View>(View& view, const std::string& label, int n) {
      view = new_array<View>(exec, "Trackplex::Beam::" + label, std::size_t(n));
    };
    allocate(charges_, "grid_charges", shape.nodes());
    allocate(potential_, "grid_potential", shape.nodes());
    allocate(spectrum_, "grid_spectrum", 2 * shape.spectrum_size());
    allocate(green_, "green_function", shape.green_size());
    allocate(corners_, "green_corners", (shape.x + 1) * shape.green_y() * (shape.z + 2));
  }

  const GridShape& shape() const { return shape_; }
  /// Charges of the nodes, to be filled: (nodes).
  const Array<std::int64_t>& charges() const { return charges_; }
  /// Potential in the nodes: (nodes).
  const Array<double>& potential() const { return potential_; }
  /// Green function at distances of nodes, before it is transformed; for tests.
  const Array<double>& green() const { return green_; }

  /// Enqueues the potential: factor times the sum over the nodes of the charge times the integral
  /// of 1/r, or of -ln(r^2) in two dimensions, over a cell of the lengths hx, hy, hz at that
  /// distance.
  void operator()(const ExecutionSpace& exec, double hx, double hy, double hz, double factor) {
    const double terms = 2. * shape_.x * shape_.spectrum_y() * (2. * shape_.z);
    find_green(exec, hx, hy, hz, factor / terms);
    transform_green(exec);
    const ComplexArray spectrum{spectrum_.data(), spectrum_.data() + shape_.spectrum_size()};
    const auto along_x = [&]<bool Forward>() {
      launch(exec, "grid_along_x",
             TransformAlongX<Real, Memory, Forward>{shape_, along_x_, charges_.data(), spectrum,
                                                    potential_.data()});
    };
    along_x.template operator()<true>();
    convolve(exec, spectrum);
    along_x.template operator()<false>();
  }

  /// Enqueues the Green function times a factor, without its transform.
  void find_green(const ExecutionSpace& exec, double hx, double hy, double hz, double factor) {
    const CornerValues<Real> corners{shape_, hx, hy, hz, corners_.data()};
    for_each_team(exec, "Trackplex::Beam::green_corners", corners.rows(), corners);
    for_each_team(exec, "Trackplex::Beam::green_function", corners.rows(),
                  GreenOfCorners<Real>{shape_, corners_.data(), factor, green_.data()});
  }

 private:
  template <class Kernel>
  static void launch(const ExecutionSpace& exec, const std::string& label, const Kernel& kernel) {
    for_each_team(exec, "Trackplex::Beam::" + label, kernel.teams(), kernel,
                  SpaceTraits<ExecutionSpace>::medium_team_size);
  }

  void convolve(const ExecutionSpace& exec, ComplexArray spectrum) {
    const TransformAlongY<Real, Memory, true> there{shape_, along_y_, spectrum};
    const ConvolveAlongZ<Real, Memory> along_z{shape_, along_z_, spectrum, green_.data()};
    const TransformAlongY<Real, Memory, false> back{shape_, along_y_, spectrum};
    if (!shape_.has_middle()) {
      launch(exec, "grid_along_z", along_z);
    } else if constexpr (is_host_space<ExecutionSpace>) {
      launch(exec, "grid_planes", ConvolvePlane<Real, Memory>{there, along_z, back});
    } else {
      launch(exec, "grid_along_y", there);
      launch(exec, "grid_along_z", along_z);
      launch(exec, "grid_along_y", back);
    }
  }

  void transform_green(const ExecutionSpace& exec) {
    using Transform = TransformEvenLines<Real, Memory>;
    launch(exec, "green_along_x", Transform{shape_.green_along_x(), even_x_, green_.data()});
    if (shape_.has_middle())
      launch(exec, "green_along_y", Transform{shape_.green_along_y(), along_y_, green_.data()});
    launch(exec, "green_along_z", Transform{shape_.green_along_z(), along_z_, green_.data()});
  }

  GridShape shape_;
  RealLinesFft<Memory> along_x_;
  LinesFft<Memory> even_x_, along_y_, along_z_;
  Array<std::int64_t> charges_;
  Array<double> potential_, spectrum_, green_, corners_;
};

}  // namespace trackplex::beam::detail
