// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kalman_cylinders.hpp"

#include <memory>
#include <utility>

namespace trackplex::python {

CylinderHits::CylinderHits(Hits hits, double thickness)
    : hits_(std::move(hits)), thickness_(thickness) {
  kalman::check_thickness("CylinderHits", thickness);
}

CylinderHits::CylinderHits(const py::object& points, const py::object& covariances,
                           double thickness)
    : CylinderHits(Hits{}, thickness) {
  const auto p = numbers_of_shape<double>("points", points, {-1, -1, 3});
  const auto n_layers = p.shape(0), n = p.shape(1);
  const auto c = numbers_of_shape<double>("covariances", covariances, {n_layers, n, 6});
  check_hits(n_layers, n);
  const KernelScope scope;
  const HostExecutor exec = executor_of();
  hits_.allocate(exec, int(n_layers), int(n));
  exec.fence();
  const auto position = hits_.position.view();
  const auto covariance = hits_.covariance.view();
  for (int layer = 0; layer < layers(); ++layer)
    for (int track = 0; track < tracks(); ++track) {
      const int item = layer * hits_.stride() + track;
      for (int e = 0; e < 3; ++e) position.element(item, e) = p.at(layer, track, e);
      for (int e = 0; e < 6; ++e) covariance.element(item, e) = c.at(layer, track, e);
    }
}

void add_cylinder_hits(py::module_& module) {
  py::class_<CylinderHits, std::shared_ptr<CylinderHits>> type(module, "CylinderHits");
  type.def(py::init<const py::object&, const py::object&, double>())
      .def("__len__", &CylinderHits::tracks)
      .def_property_readonly("layers", &CylinderHits::layers);
  add_fit(type);
}

}  // namespace trackplex::python
