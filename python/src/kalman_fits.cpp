// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kalman_fits.hpp"

#include "finder.hpp"
#include "module.hpp"

#include <trackplex/core/launch.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

namespace trackplex::python {

FitStates starts_of(const HostExecutor& exec, const py::object& parameters,
                    const py::object& covariances, const py::object& charges) {
  const auto numbers = numbers_of_shape<double>("parameters", parameters, {-1, 6});
  const auto n = numbers.shape(0);
  const auto elements = numbers_of_shape<double>("covariances", covariances, {n, 21});
  const auto charge = numbers_of_length<double>("charges", charges, n);
  check_hits(1, n);
  const KernelScope scope;
  FitStates states;
  states.allocate(exec, int(n));
  exec.fence();
  const auto to = states.view();
  const double *parameter = numbers.data(), *element = elements.data(), *q = charge.data();
  for (int track = 0; track < int(n); ++track) {
    for (int p = 0; p < 6; ++p) to.parameters.element(track, p) = *parameter++;
    for (int e = 0; e < 21; ++e) to.covariance.element(track, e) = *element++;
    to.charge(std::size_t(track)) = *q++;
  }
  return states;
}

FitField field_of(const py::object& field) {
  if (py::isinstance<AxialField>(field)) return field.cast<const AxialField&>().map();
  try {
    return kalman::UniformField{field.cast<double>()};
  } catch (const py::cast_error&) {
    throw py::type_error("field is neither a number nor an AxialField");
  }
}

namespace {

constexpr const char* label = "Trackplex::Python::copy_states";

/// Copies states of tiles, with an item for each track, to a list.
template <class View>
struct CopyStates {
  View from;
  State* to;

  void copy(int item, int i) const {
    for (int p = 0; p < 6; ++p) to[i].parameters.elements[p] = from.parameters.element(item, p);
    for (int e = 0; e < 21; ++e) to[i].covariance.elements[e] = from.covariance.element(item, e);
    to[i].charge = from.charge(std::size_t(item));
  }
  void operator()(int i) const { copy(i, i); }
};

/// Copies smoothed states and residuals of tiles, with an item for each layer of each track.
template <class StatesView, class Residuals, class Covariances>
struct CopySmoothed {
  CopyStates<StatesView> states;
  Residuals residual;
  Covariances covariance;
  Smoothed* to;
  const std::uint8_t* reached;

  void operator()(int i) const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const int track = i % to->tracks;
    const int item = i / to->tracks * kalman::layer_stride(to->tracks) + track;
    auto& residuals = to->residuals[std::size_t(i)];
    auto& covariances = to->residual_covariances[std::size_t(i)];
    if (reached[track]) {
      states.copy(item, i);
      for (int e = 0; e < 2; ++e) residuals[std::size_t(e)] = residual.element(item, e);
      for (int e = 0; e < 3; ++e) covariances[std::size_t(e)] = covariance.element(item, e);
      return;
    }
    State& state = states.to[i];
    std::fill_n(state.parameters.elements, 6, nan);
    std::fill_n(state.covariance.elements, 21, nan);
    state.charge = nan;
    residuals.fill(nan);
    covariances.fill(nan);
  }
};

}  // namespace

States list_of(const HostExecutor& exec, const FitStates& states) {
  States list(std::size_t(states.size()));
  const auto view = states.const_view();
  for_each_item(exec, label, states.size(),
                CopyStates<std::decay_t<decltype(view)>>{view, list.data()});
  exec.fence();
  return list;
}

std::shared_ptr<Smoothed> list_of(const HostExecutor& exec, const SmoothedTracks& smoothed,
                                  const FitResults& results, int layers, int tracks) {
  const int n = layers * tracks;
  const auto size = std::size_t(n);
  auto list = std::make_shared<Smoothed>(Smoothed{layers, tracks, States(size),
                                                  std::vector<std::array<double, 2>>(size),
                                                  std::vector<std::array<double, 3>>(size)});
  const auto states = smoothed.states.const_view();
  const auto residual = smoothed.residual.const_view();
  const auto covariance = smoothed.residual_covariance.const_view();
  using Copy = CopySmoothed<std::decay_t<decltype(states)>, std::decay_t<decltype(residual)>,
                            std::decay_t<decltype(covariance)>>;
  for_each_item(
      exec, label, n,
      Copy{
          {states, list->states.data()}, residual, covariance, list.get(), results.reached.data()});
  exec.fence();
  return list;
}

namespace {

/// A view of an array with an entry for each track.
template <class T>
py::array column_of_fits(const py::object& self, Kokkos::View<T*, FitMemory> FitResults::*member) {
  const auto& fits = self.cast<const Fits&>();
  return view_of_span(std::span<const T>((fits.results.*member).data(), fits.states.size()), self);
}

void add_fits(py::module_& module) {
  py::class_<Fits, std::shared_ptr<Fits>> type(module, "Fits");
  add_states(
      type, [](const Fits& fits) -> const States& { return fits.states; },
      [](const Fits& fits) { return Extents{py::ssize_t(fits.states.size())}; });
  const auto column = [&](const char* name, auto member) {
    type.def_property_readonly(
        name, [member](const py::object& self) { return column_of_fits(self, member); });
  };
  column("chi2", &FitResults::chi2);
  column("measurements", &FitResults::measurements);
  column("outliers", &FitResults::outliers);
  column("status", &FitResults::status);
  type.def("__len__", [](const Fits& fits) { return fits.states.size(); })
      .def_property_readonly(
          "reached",
          [](const py::object& self) {
            return column_of_fits(self, &FitResults::reached).attr("view")(py::dtype::of<bool>());
          })
      .def_property_readonly("smoothed", [](const Fits& fits) { return fits.smoothed; });
}

/// A view of rows of numbers, of the shape (layers, tracks, numbers).
template <std::size_t N>
py::array rows_of(const py::object& self, std::vector<std::array<double, N>> Smoothed::*member) {
  static const std::array<double, N> none{};
  const auto& smoothed = self.cast<const Smoothed&>();
  const auto& rows = smoothed.*member;
  constexpr py::ssize_t size = sizeof(double), row = N * size;
  return read_only(view_of((rows.empty() ? none : rows.front()).data(),
                           {smoothed.layers, smoothed.tracks, py::ssize_t(N)},
                           {smoothed.tracks * row, row, size}, self));
}

void add_smoothed(py::module_& module) {
  py::class_<Smoothed, std::shared_ptr<Smoothed>> type(module, "Smoothed");
  add_states(
      type, [](const Smoothed& smoothed) -> const States& { return smoothed.states; },
      [](const Smoothed& smoothed) {
        return Extents{smoothed.layers, smoothed.tracks};
      });
  type.def("__len__", [](const Smoothed& smoothed) { return smoothed.layers; })
      .def_property_readonly(
          "residuals", [](const py::object& self) { return rows_of(self, &Smoothed::residuals); })
      .def_property_readonly("residual_covariance_elements", [](const py::object& self) {
        return rows_of(self, &Smoothed::residual_covariances);
      });
}

}  // namespace

void add_kalman(py::module_ module) {
  add_fits(module);
  add_smoothed(module);
  add_cylinder_hits(module);
  add_plane_hits(module);
  add_cylinder_tracks(module);
}

}  // namespace trackplex::python
