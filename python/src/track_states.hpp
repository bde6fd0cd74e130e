// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "arrays.hpp"

#include <trackplex/kalman/track_state.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

/// @file
/// Lists of track states as arrays with a row for each state.

namespace trackplex::python {

using State = kalman::TrackState<double>;
using States = std::vector<State>;

/// Adds the views `parameters`, `covariance_elements` and `charges`, and the copy `covariances`, of
/// a list of states. They have the shape of the list, then that of each state.
/// @param list_of returns the list of an object
/// @param shape_of returns its shape, such as {layers, tracks}
template <class Class, class ListOf, class ShapeOf>
void add_states(Class& type, const ListOf& list_of, const ShapeOf& shape_of) {
  using Object = typename Class::type;
  const auto column = [&](const char* name, const auto& numbers_of_state, Extents of_each) {
    type.def_property_readonly(name, [=](const py::object& self) {
      static const State none{};
      const auto& object = self.cast<const Object&>();
      const States& list = list_of(object);
      Extents shape = shape_of(object), strides(shape.size() + of_each.size(), sizeof(double));
      py::ssize_t stride = sizeof(State);
      for (std::size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
      shape.insert(shape.end(), of_each.begin(), of_each.end());
      return read_only(
          view_of(numbers_of_state(list.empty() ? none : list.front()), shape, strides, self));
    });
  };
  column("parameters", [](const State& state) { return state.parameters.elements; }, {6});
  column("covariance_elements", [](const State& state) { return state.covariance.elements; }, {21});
  column("charges", [](const State& state) { return &state.charge; }, {});
  type.def_property_readonly("covariances", [=](const Object& object) {
    Extents shape = shape_of(object);
    shape.insert(shape.end(), {6, 6});
    py::array_t<double> all(shape);
    double* to = all.mutable_data();
    for (const State& state : list_of(object))
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) *to++ = state.covariance(std::max(i, j), std::min(i, j));
    return all;
  });
}

}  // namespace trackplex::python
