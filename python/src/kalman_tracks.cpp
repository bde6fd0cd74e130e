// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kalman_cylinders.hpp"

#include <pybind11/stl.h>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace trackplex::python {

namespace {

using Tracks = simulation::CylinderTracks<double, FitMemory>;

/// Elements of matrices as rows, of the shape (n, elements) or (layers, n, elements).
template <class Matrices>
py::array_t<double> rows_of(const Matrices& matrices, int layers, int n) {
  constexpr int elements = Matrices::View::elements;
  py::array_t<double> rows({py::ssize_t(layers), py::ssize_t(n), py::ssize_t(elements)});
  double* to = rows.mutable_data();
  for (int layer = 0; layer < layers; ++layer)
    for (int track = 0; track < n; ++track)
      for (int e = 0; e < elements; ++e)
        *to++ = matrices.const_view().element(layer * kalman::layer_stride(n) + track, e);
  return rows;
}

/// All that was generated, for the function of Python.
py::dict on_host(const Tracks& tracks, const FitStates& starts, double thickness) {
  const int n = tracks.hits.tracks, layers = tracks.hits.layers;
  const auto first = [](const py::array& rows) { return rows[py::int_(0)]; };
  py::dict all;
  all["hits"] = std::make_shared<CylinderHits>(tracks.hits, thickness);
  all["points"] = rows_of(tracks.hits.position, layers, n);
  all["hit_covariance_elements"] = rows_of(tracks.hits.covariance, layers, n);
  all["truth"] = first(rows_of(tracks.start.parameters, 1, n));
  all["truth_on_layers"] = rows_of(tracks.on_layers, layers, n);
  all["charges"] = py::array_t<double>(n, tracks.start.charge.data());
  all["complete"] =
      py::array_t<std::uint8_t>(n, tracks.complete.data()).attr("view")(py::dtype::of<bool>());
  all["parameters"] = first(rows_of(starts.parameters, 1, n));
  all["covariance_elements"] = first(rows_of(starts.covariance, 1, n));
  return all;
}

py::dict generate(int n, double field, const simulation::CylinderTrackParams& params,
                  const std::array<double, 6>& start_sigma, std::uint64_t start_seed) {
  constexpr int width = default_lane_width<HostExecutor, double, KernelKind::track_states>;
  Tracks tracks;
  FitStates starts;
  {
    const KernelScope scope;
    const HostExecutor exec = executor_of();
    Kokkos::Array<double, 6> sigma;
    std::copy_n(start_sigma.begin(), 6, &sigma[0]);
    simulation::generate_cylinder_tracks<width>(exec, params, n, kalman::UniformField{field},
                                                tracks);
    simulation::start_near<width>(exec, tracks.start, sigma, start_seed, starts);
    exec.fence();
  }
  return on_host(tracks, starts, params.layer.thickness);
}

}  // namespace

void add_cylinder_tracks(py::module_& module) {
  module.def(
      "generate_cylinder_tracks",
      [](int n, double field, int layers, double first_radius, double spacing, double min_pt,
         double max_pt, double max_eta, double vertex_sigma_xy, double vertex_sigma_z,
         double sigma_r_phi, double sigma_z, double sigma_r, double thickness, double mass,
         std::uint64_t seed, const std::array<double, 6>& start_sigma, std::uint64_t start_seed) {
        if (n < 0) throw py::value_error("n is negative");
        if (layers < 1) throw py::value_error("layers is not positive");
        if (!(0. < min_pt && min_pt <= max_pt))
          throw py::value_error("min_pt is not positive, or above max_pt");
        check_hits(layers, n);
        simulation::CylinderTrackParams params;
        params.layers = layers;
        params.first_radius = first_radius;
        params.spacing = spacing;
        params.min_pt = min_pt;
        params.max_pt = max_pt;
        params.max_abs_eta = max_eta;
        params.vertex_sigma_xy = vertex_sigma_xy;
        params.vertex_sigma_z = vertex_sigma_z;
        params.sigma_r_phi = sigma_r_phi;
        params.sigma_z = sigma_z;
        params.sigma_r = sigma_r;
        params.material = thickness > 0.;
        params.layer.thickness = thickness;
        params.mass = mass;
        params.seed = seed;
        return generate(n, field, params, start_sigma, start_seed);
      });
}

}  // namespace trackplex::python
