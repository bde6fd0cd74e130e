// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "module.hpp"
#include "session.hpp"

#include <trackplex/core/host_executor.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <memory>
#include <utility>

/// @file
/// Detectors of modules, their fields and events, as Python has them.

namespace trackplex::python {

using geometry::DetectorDescription;
using DescriptionPointer = std::shared_ptr<DetectorDescription>;

/// Field that is symmetric about an axis along z, from a map; 0 outside.
class AxialField {
 public:
  template <class T>
  using Map =
      geometry::DisplacedField<geometry::AxisymmetricFieldMap<T, HostExecutor::memory_space>, T>;

  AxialField(const HostExecutor& exec, geometry::AxisymmetricFieldGrid grid,
             const geometry::Vector3<double>& centre)
      : grid_(std::move(grid)), centre_(centre), map_(make_map<double>(exec)) {}

  /// Returns the map in numbers of T.
  template <class T>
  Map<T> make_map(const HostExecutor& exec) const {
    const auto& c = centre_;
    return {{exec, grid_, geometry::OutsideOfMap::zero}, {{T(c(0)), T(c(1)), T(c(2))}}};
  }
  const Map<double>& map() const { return map_; }

 private:
  SessionPointer session_ = Session::get();
  geometry::AxisymmetricFieldGrid grid_;
  geometry::Vector3<double> centre_;
  Map<double> map_;
};

/// An event with its detector. Its list has no other events.
struct DetectorEvent {
  DescriptionPointer detector;
  tracks::DetectorEvents list;

  explicit DetectorEvent(DescriptionPointer of) : detector(std::move(of)), list(*detector) {}
};

void add_detector_events(py::module_& module);  ///< after detectors
void add_track_finder(py::module_& module);     ///< after events

}  // namespace trackplex::python
