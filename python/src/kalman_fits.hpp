// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "arrays.hpp"
#include "detectors.hpp"
#include "session.hpp"
#include "track_states.hpp"

#include <trackplex/core/host_executor.hpp>
#include <trackplex/kalman/fit_tracks.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

/// @file
/// Fits and smoothers of arrays of tracks. Each source of hits compiles its own kernels, in double
/// precision.

namespace trackplex::python {

using FitMemory = HostExecutor::memory_space;
using FitStates = kalman::TrackStates<double, FitMemory>;
using FitResults = kalman::FitResults<double, FitMemory>;
using SmoothedTracks = kalman::SmoothedTracks<double, FitMemory>;
using FitField = std::variant<kalman::UniformField, AxialField::Map<double>>;

/// States on all layers, item layer * tracks + track; NaN for tracks that are not reached.
struct Smoothed {
  int layers = 0, tracks = 0;
  States states;
  std::vector<std::array<double, 2>> residuals;
  std::vector<std::array<double, 3>> residual_covariances;
};

/// Fits of many tracks, with the session whose memory they have.
struct Fits {
  SessionPointer session = Session::get();
  States states;
  FitResults results;
  std::shared_ptr<Smoothed> smoothed;  ///< or null
};

/// Arguments of a fit, as Python has checked them.
struct FitArguments {
  FitStates starts;
  FitField field;
  kalman::FitOptions options;
  bool smooth;
  HostExecutor exec;
};

/// Allocates the states that fits start from, and copies them. Needs a session.
FitStates starts_of(const HostExecutor& exec, const py::object& parameters,
                    const py::object& covariances, const py::object& charges);
/// A number, B_z in T, or an AxialField.
FitField field_of(const py::object& field);

/// Copy states from the tiles of kernels to lists. Wait for the instance.
States list_of(const HostExecutor& exec, const FitStates& states);
std::shared_ptr<Smoothed> list_of(const HostExecutor& exec, const SmoothedTracks& smoothed,
                                  const FitResults& results, int layers, int tracks);

/// Fits, or also smooths, tracks with hits on some layers.
template <class Hits>
std::shared_ptr<Fits> fit(const Hits& hits, int layers, FitArguments& with) {
  constexpr int width = default_lane_width<HostExecutor, double, KernelKind::track_states>;
  auto fits = std::make_shared<Fits>();
  const auto& exec = with.exec;
  std::visit(
      [&](const auto& field) {
        if (!with.smooth)
          return kalman::fit_tracks<width>(exec, with.starts, field, hits, with.options,
                                           fits->results);
        SmoothedTracks smoothed;
        kalman::SmootherSteps<double, FitMemory> steps{layers, {}};
        kalman::smooth_tracks<width>(exec, with.starts, field, hits, layers, with.options,
                                     fits->results, smoothed, steps);
        fits->smoothed = list_of(exec, smoothed, fits->results, layers, with.starts.size());
      },
      with.field);
  fits->states = list_of(exec, with.starts);
  return fits;
}

/// Adds the function `fit` to a type of hits, which has `view()` and `layers()`.
template <class Class>
void add_fit(Class& type) {
  using Hits = typename Class::type;
  type.def("fit", [](const Hits& hits, const py::object& field, const py::object& parameters,
                     const py::object& covariances, const py::object& charges, double max_chi2,
                     double mass, bool along, bool smooth, const std::string& backend) {
    const auto session = Session::get();
    const HostExecutor exec = executor_of(backend);
    FitArguments with{starts_of(exec, parameters, covariances, charges),
                      field_of(field),
                      {.max_chi2 = max_chi2, .mass = mass, .along = along},
                      smooth,
                      exec};
    const KernelScope scope;
    return fit(hits.view(), hits.layers(), with);
  });
}

/// Checks that hits of some layers and tracks can be numbered.
inline void check_hits(py::ssize_t layers, py::ssize_t tracks) {
  constexpr auto max = std::numeric_limits<int>::max();
  if (layers < 1) throw py::value_error("points have no layers");
  if (layers > max || tracks > max)
    throw CapacityError("points", "hits", std::size_t(layers * tracks), std::size_t(max));
  kalman::items_on_layers("points", int(layers), int(tracks));
}

void add_cylinder_hits(py::module_& module);
void add_plane_hits(py::module_& module);
void add_cylinder_tracks(py::module_& module);  ///< after hits on cylinders

}  // namespace trackplex::python
