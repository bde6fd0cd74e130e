// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kalman_fits.hpp"

#include <trackplex/kalman/host_module_measurements.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace trackplex::python {

namespace {

/// Hits on planes, each with axes and silicon of its own.
class PlaneHits {
 public:
  /// Copies points, axes u and v (layers, n, 3), covariances along them (layers, n, 3), numbers of
  /// measured coordinates (-1: the track skips the plane) and radiation lengths (layers, n).
  PlaneHits(const py::object& points, const py::object& u, const py::object& v,
            const py::object& covariances, const py::object& counts,
            const py::object& radiation_lengths) {
    const auto p = numbers_of_shape<double>("points", points, {-1, -1, 3});
    const auto n_layers = p.shape(0), n = p.shape(1);
    const auto us = numbers_of_shape<double>("u", u, {n_layers, n, 3});
    const auto vs = numbers_of_shape<double>("v", v, {n_layers, n, 3});
    const auto c = numbers_of_shape<double>("covariances", covariances, {n_layers, n, 3});
    const auto count = numbers_of_shape<std::int64_t>("counts", counts, {n_layers, n});
    const auto x0 = numbers_of_shape<double>("radiation_lengths", radiation_lengths, {n_layers, n});
    check_hits(n_layers, n);
    const bool has_material = std::any_of(x0.data(), x0.data() + x0.size(), [](double thickness) {
      kalman::check_thickness("radiation_lengths", thickness);
      return thickness > 0.;
    });
    const kalman::MaterialConstants<double> silicon(kalman::silicon);
    const double xi = silicon.bethe_factor / silicon.per_radiation_length;  // of a radiation length
    const KernelScope scope;
    Host hits(int(n_layers), int(n), has_material);
    for (int layer = 0; layer < n_layers; ++layer)
      for (int track = 0; track < n; ++track) {
        if (count.at(layer, track) == -1) continue;
        const auto vector = [&](const auto& of) {
          return geometry::Vector3<double>{
              {of.at(layer, track, 0), of.at(layer, track, 1), of.at(layer, track, 2)}};
        };
        const int dimension = int(std::clamp<std::int64_t>(count.at(layer, track), -2, 3));
        const kalman::ModuleHit<double, 2> hit{
            vector(p),
            vector(us),
            vector(vs),
            {{c.at(layer, track, 0), c.at(layer, track, 1), c.at(layer, track, 2)}},
            dimension};
        hits.set(layer, track, hit, x0.at(layer, track), xi * x0.at(layer, track));
      }
    hits_ = kalman::to_device(executor_of(), hits);
  }

  int layers() const { return hits_.layers; }
  int tracks() const { return hits_.tracks; }
  auto view() const { return hits_.view(); }

 private:
  using Host = kalman::HostModuleMeasurements<double, FitMemory>;

  SessionPointer session_ = Session::get();
  kalman::ModuleMeasurements<double, FitMemory> hits_;
};

}  // namespace

void add_plane_hits(py::module_& module) {
  py::class_<PlaneHits, std::shared_ptr<PlaneHits>> type(module, "PlaneHits");
  type.def(py::init<const py::object&, const py::object&, const py::object&, const py::object&,
                    const py::object&, const py::object&>())
      .def("__len__", &PlaneHits::tracks)
      .def_property_readonly("layers", &PlaneHits::layers);
  add_fit(type);
}

}  // namespace trackplex::python
