// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detectors.hpp"

#include "arrays.hpp"
#include "module.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/io/detectors/acts_detector.hpp>
#include <trackplex/io/detectors/trackml_detector.hpp>
#include <trackplex/kalman/material_constants.hpp>
#include <trackplex/simulation/small_detector.hpp>
#include <trackplex/simulation/trackml.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::python {

namespace {

using geometry::DetectorBuilder;
using geometry::Module;
using Point = std::array<double, 3>;

// Fields -----------------------------------------------------------------------------------------

AxialField field_on(const geometry::AxisymmetricFieldGrid& grid, const Point& centre) {
  const KernelScope scope;
  return {executor_of(), grid, {{centre[0], centre[1], centre[2]}}};
}

AxialField field_of_arrays(const std::array<double, 2>& r, const std::array<double, 2>& z,
                           const py::object& b_r, const py::object& b_z, const Point& centre) {
  const auto radial = numbers_of<double>("b_r", b_r, 2), axial = numbers_of<double>("b_z", b_z, 2);
  if (radial.shape(0) != axial.shape(0) || radial.shape(1) != axial.shape(1))
    throw py::value_error("b_r and b_z differ in shape");
  geometry::AxisymmetricFieldGrid grid{
      {r[0], r[1], int(axial.shape(0))}, {z[0], z[1], int(axial.shape(1))}, {}};
  for (py::ssize_t i = 0; i < axial.size(); ++i)
    grid.tesla.push_back({radial.data()[i], axial.data()[i]});
  return field_on(grid, centre);
}

AxialField uniform_field(double tesla) {
  constexpr double far = 5000.;  // cm
  return field_on(geometry::sample_axisymmetric_field({0., far, 2}, {-far, far, 2},
                                                      [&](double, double) {
                                                        return std::array{0., tesla};
                                                      }),
                  {});
}

AxialField trackml_field() {
  const auto& c = simulation::trackml_solenoid_centre;
  return field_on(simulation::trackml_field_grid(), {c(0), c(1), c(2)});
}

py::array_t<double> field_at(const AxialField& field, const py::object& points) {
  const auto at = numbers_of_shape<double>("points", points, {-1, 3});
  py::array_t<double> tesla({at.shape(0), py::ssize_t(3)});
  for (py::ssize_t i = 0; i < at.shape(0); ++i) {
    const auto b = field.map()(at.at(i, 0), at.at(i, 1), at.at(i, 2));
    for (int k = 0; k < 3; ++k) tesla.mutable_at(i, k) = b(k);
  }
  return tesla;
}

void add_field(py::module_& module) {
  py::class_<AxialField, std::shared_ptr<AxialField>>(module, "AxialField")
      .def(py::init(&field_of_arrays), py::arg("r"), py::arg("z"), py::arg("b_r"), py::arg("b_z"),
           py::arg("centre") = Point{})
      .def_static("uniform", &uniform_field, py::arg("tesla"))
      .def_static("trackml", &trackml_field)
      .def("__call__", &field_at, py::arg("points"));
}

// Detectors --------------------------------------------------------------------------------------

geometry::SensorParams sensor_of(double pitch_u, double pitch_v, double thickness,
                                 double radiation_lengths) {
  return {.pitch_u = pitch_u,
          .pitch_v = pitch_v,
          .thickness = thickness,
          .radiation_lengths = radiation_lengths};
}

void add_builder(py::module_& module) {
  const auto returns_itself = py::return_value_policy::reference_internal;
  const auto pitch_u = py::arg("pitch_u") = 0., pitch_v = py::arg("pitch_v") = 0.;
  const auto thickness = py::arg("thickness") = 0.;
  const auto radiation_lengths = py::arg("radiation_lengths") = 0.;
  const auto name = py::arg("name") = "";
  py::class_<DetectorBuilder>(module, "Builder")
      .def(py::init<>())
      .def(
          "barrel",
          [](DetectorBuilder& builder, double radius, double half_length, int n_phi, int n_z,
             double overlap, double tilt, double stagger, double pu, double pv, double depth,
             double material, const std::string& called) -> DetectorBuilder& {
            return builder.barrel({called, radius, half_length, n_phi, n_z, overlap, tilt, stagger,
                                   sensor_of(pu, pv, depth, material)});
          },
          py::arg("radius"), py::arg("half_length"), py::arg("n_phi"), py::arg("n_z") = 1,
          py::arg("overlap") = 0., py::arg("tilt") = 0., py::arg("stagger") = 0., pitch_u, pitch_v,
          thickness, radiation_lengths, name, returns_itself)
      .def(
          "disk",
          [](DetectorBuilder& builder, double z, double inner, double outer,
             const std::vector<int>& n_phi, double overlap, double stagger, double pu, double pv,
             double depth, double material, const std::string& called) -> DetectorBuilder& {
            return builder.disk({called, z, inner, outer, n_phi, overlap, stagger,
                                 sensor_of(pu, pv, depth, material)});
          },
          py::arg("z"), py::arg("inner"), py::arg("outer"), py::arg("n_phi"),
          py::arg("overlap") = 0., py::arg("stagger") = 0., pitch_u, pitch_v, thickness,
          radiation_lengths, name, returns_itself)
      .def("build", [](const DetectorBuilder& builder) {
        return std::make_shared<DetectorDescription>(builder.build());
      });
}

/// A view of a vector of three numbers of each module.
py::array vectors_of(const py::object& self, const geometry::Vector3<double>& of_first) {
  const auto n = py::ssize_t(self.cast<const DetectorDescription&>().modules.size());
  return read_only(view_of(of_first.elements, {n, 3},
                           {py::ssize_t(sizeof(Module)), py::ssize_t(sizeof(double))}, self));
}

/// The same modules at other places.
DescriptionPointer moved(const DetectorDescription& detector, const py::object& centres,
                         const py::object& u, const py::object& v) {
  auto result = std::make_shared<DetectorDescription>(detector);
  const auto n = detector.modules.size();
  const auto vectors = [n](const char* argument, const py::object& value) {
    return numbers_of_shape<double>(argument, value, {py::ssize_t(n), 3});
  };
  const auto c = vectors("centres", centres), us = vectors("u", u), vs = vectors("v", v);
  for (std::size_t i = 0; i < n; ++i) {
    auto& frame = result->modules[i].frame;
    for (int k = 0; k < 3; ++k) {
      frame.centre(k) = c.at(i, k);
      frame.u(k) = us.at(i, k);
      frame.v(k) = vs.at(i, k);
    }
    const auto problem = geometry::problem_of_axes(frame.u, frame.v, frame.normal());
    if (!problem.empty())
      throw py::value_error("u and v of module " + std::to_string(i) + ": " + problem);
  }
  geometry::check(*result);
  return result;
}

/// Points (x, y, z) of coordinates on modules.
py::array_t<double> points_on(const DetectorDescription& detector, const py::object& modules,
                              const py::object& u, const py::object& v) {
  const auto module = numbers_of<std::int64_t>("modules", modules);
  const auto us = numbers_of_length<double>("u", u, module.size());
  const auto vs = numbers_of_length<double>("v", v, module.size());
  py::array_t<double> points({module.size(), py::ssize_t(3)});
  for (py::ssize_t i = 0; i < module.size(); ++i) {
    const auto m = module.at(i);
    if (m < 0 || m >= std::int64_t(detector.modules.size()))
      throw py::index_error("there is no module " + std::to_string(m));
    const auto point =
        to_global(detector.modules[std::size_t(m)].frame, {{us.at(i), vs.at(i), 0.}});
    for (int k = 0; k < 3; ++k) points.mutable_at(i, k) = point(k);
  }
  return points;
}

void set_silicon(DetectorDescription& detector) {
  for (auto& module : detector.modules)
    module.radiation_lengths = module.thickness / kalman::silicon.radiation_length;
}

DescriptionPointer read_detector(const std::filesystem::path& path, const std::string& material) {
  const py::gil_scoped_release release;
  auto detector = std::make_shared<DetectorDescription>(io::read_trackml_detector(path));
  if (material == "trackml")
    simulation::set_trackml_material(*detector);
  else if (material == "silicon")
    set_silicon(*detector);
  else if (material != "none")
    throw UsageError("material", "there is no \"" + material + "\"", {},
                     "there are silicon, trackml and none");
  return detector;
}

py::list names_of_layers(const DetectorDescription& detector) {
  py::list names;
  for (const auto& layer : detector.layers) names.append(layer.name);
  return names;
}

void add_detector(py::module_& module) {
  py::class_<DetectorDescription, DescriptionPointer> type(module, "Detector");
  type.def_static(
          "small",
          [] { return std::make_shared<DetectorDescription>(simulation::small_detector()); })
      .def_static("read_trackml", &read_detector, py::arg("path"), py::arg("material") = "silicon")
      .def_static(
          "read_acts",
          [](const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            return std::make_shared<DetectorDescription>(io::read_acts_detector(path));
          },
          py::arg("path"))
      .def("__len__", [](const DetectorDescription& detector) { return detector.modules.size(); })
      .def_property_readonly("layers", &names_of_layers)
      .def("moved", &moved, py::arg("centres"), py::arg("u"), py::arg("v"))
      .def("points", &points_on, py::arg("modules"), py::arg("u"), py::arg("v"));
  const auto frames = [&](const char* name, auto geometry::Frame<double>::*vector) {
    type.def_property_readonly(name, [vector](py::object self) {
      return vectors_of(self,
                        self.cast<const DetectorDescription&>().modules.front().frame.*vector);
    });
  };
  frames("centres", &geometry::Frame<double>::centre);
  frames("u", &geometry::Frame<double>::u);
  frames("v", &geometry::Frame<double>::v);
  const auto column = [&](const char* name, auto Module::*member) {
    type.def_property_readonly(name, [member](py::object self) {
      return column_of(self.cast<const DetectorDescription&>().modules, member, self);
    });
  };
  column("layer_of_module", &Module::layer);
  column("pitch_u", &Module::pitch_u);
  column("pitch_v", &Module::pitch_v);
  column("radiation_lengths", &Module::radiation_lengths);
  column("identifiers", &Module::identifier);
}

}  // namespace

void add_detectors(py::module_ module) {
  add_field(module);
  add_detector(module);
  add_builder(module);
  add_detector_events(module);
  add_track_finder(module);
}

}  // namespace trackplex::python
