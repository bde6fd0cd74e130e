// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arrays.hpp"
#include "lines.hpp"
#include "module.hpp"
#include "session.hpp"

#include <pybind11/stl.h>
#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/beam/optics/dynamic_aperture.hpp>
#include <trackplex/beam/optics/radiation_integrals.hpp>
#include <trackplex/beam/optics/spin_optics.hpp>
#include <trackplex/beam/optics/synchrotron_motion.hpp>
#include <trackplex/beam/optics/twiss.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::python {

namespace {

using beam::n_coordinates;
using Vector = beam::TransferMap::Vector;

/// Optics along a line, at the start and after each element, or at one place.
struct LineOptics {
  std::vector<beam::Optics> optics;
  std::vector<Vector> orbit{};  ///< at the same places; empty: the axis
  bool is_periodic = false;
  double tune_x = 0., tune_y = 0.;  ///< if it is periodic, as what follows
  beam::Chromaticity chromaticity{};

  beam::PeriodicOptics periodic() const { return {optics.front(), tune_x, tune_y}; }
  Vector first_orbit() const { return orbit.empty() ? Vector{} : orbit.front(); }
};
using OpticsPointer = std::shared_ptr<LineOptics>;

Vector vector_of(const char* argument, py::handle values) {
  const auto array = numbers_of_length<double>(argument, values, n_coordinates);
  Vector vector;
  std::copy_n(array.data(), n_coordinates, vector.begin());
  return vector;
}

/// Optics of one place from its numbers.
OpticsPointer optics_at(double beta_x, double alpha_x, double beta_y, double alpha_y,
                        const py::object& dispersion, const py::object& orbit, double tune_x,
                        double tune_y) {
  auto at = std::make_shared<LineOptics>();
  beam::Optics optics;
  optics.x = {beta_x, alpha_x};
  optics.y = {beta_y, alpha_y};
  if (!dispersion.is_none()) {
    const auto values = numbers_of_length<double>("dispersion", dispersion, 4);
    std::copy_n(values.data(), 4, optics.dispersion);
  }
  at->optics = {optics};
  if (!orbit.is_none()) at->orbit = {vector_of("orbit", orbit)};
  at->tune_x = tune_x;
  at->tune_y = tune_y;
  return at;
}

/// By Taylor maps: periodic, or from a start.
OpticsPointer twiss(const Line& line, double p0, const OpticsPointer& start) {
  auto found = std::make_shared<LineOptics>();
  if (start) {
    found->optics =
        beam::optics_along(line.elements, start->optics.front(), p0, start->first_orbit());
    return found;
  }
  const auto periodic = beam::periodic_twiss(beam::map_of(line.elements, 1, p0));
  found->optics = beam::optics_along(line.elements, periodic.start, p0);
  found->is_periodic = true;
  found->tune_x = periodic.tune_x;
  found->tune_y = periodic.tune_y;
  found->chromaticity = beam::chromaticity(beam::map_of(line.elements, 2, p0), periodic,
                                           beam::length_of(line.elements));
  return found;
}

/// By tracked particles.
OpticsPointer closed_orbit(const Line& line, double p0, double delta, bool chromaticity) {
  auto found = std::make_shared<LineOptics>();
  const KernelScope scope;
  beam::OrbitTracker<HostExecutor> tracker(executor_of(), line.elements, p0);
  auto about = beam::orbit_optics(tracker, delta);
  found->optics = std::move(about.optics);
  found->orbit = std::move(about.orbit);
  found->is_periodic = true;
  found->tune_x = about.tune_x;
  found->tune_y = about.tune_y;
  if (chromaticity) found->chromaticity = beam::orbit_chromaticity(tracker, delta);
  return found;
}

py::array_t<double> map_of(const Line& line, double p0) {
  const auto map = beam::map_of(line.elements, 1, p0);
  py::array_t<double> matrix({n_coordinates, n_coordinates});
  for (int i = 0; i < n_coordinates; ++i)
    for (int j = 0; j < n_coordinates; ++j) matrix.mutable_at(i, j) = map.R(i + 1, j + 1);
  return matrix;
}

py::dict radiation(const Line& line, const LineOptics& optics, double p0) {
  const auto found = beam::radiation_equilibrium(
      beam::radiation_integrals(line.elements, optics.optics), p0, beam::length_of(line.elements));
  py::dict all;
  all["energy_loss"] = found.energy_loss;
  all["x_partition"] = found.x_partition;
  all["y_partition"] = found.y_partition;
  all["momentum_partition"] = found.momentum_partition;
  all["x_emittance"] = found.x_emittance;
  all["momentum_spread"] = found.momentum_spread;
  all["x_time"] = found.x_time;
  all["y_time"] = found.y_time;
  all["momentum_time"] = found.momentum_time;
  return all;
}

py::dict synchrotron(const Line& line, double p0) {
  const auto found = beam::synchrotron_motion(line.elements, p0);
  py::dict all;
  all["tune"] = found.tune;
  all["slip"] = found.slip;
  all["compaction"] = found.compaction;
  return all;
}

beam::SpinOptics spin_optics(const Line& line, double p0, const py::object& orbit, double anomaly) {
  const Vector about = orbit.is_none() ? Vector{} : vector_of("orbit", orbit);
  const KernelScope scope;
  return beam::spin_optics(executor_of(), line.elements, p0, about, anomaly);
}

void add_spin_optics(py::module_& module) {
  using beam::SpinOptics;
  py::class_<SpinOptics>(module, "SpinOptics")
      .def("__len__", [](const SpinOptics& optics) { return optics.axis.size(); })
      .def_readonly("tune", &SpinOptics::tune)
      .def_property_readonly("axis", [](const py::object& self) {
        const auto& axis = self.cast<const SpinOptics&>().axis;  // there is at least one
        constexpr auto size = py::ssize_t(sizeof(double)), n = py::ssize_t(beam::n_spin_components);
        return read_only(
            view_of(axis.front().data(), {py::ssize_t(axis.size()), n}, {n * size, size}, self));
      });
  module.def("spin_optics", &spin_optics);
}

/// Starts of a dynamic aperture, and what became of them.
struct Aperture {
  beam::ApertureGrid grid;
  std::vector<beam::ApertureStart> starts;
};

std::shared_ptr<Aperture> dynamic_aperture(const Line& line, double p0, const LineOptics& about,
                                           int turns, const beam::ApertureGrid& grid,
                                           const std::string& backend,
                                           const std::optional<py::function>& progress) {
  auto found = std::make_shared<Aperture>();
  found->grid = grid;
  const KernelScope scope;
  beam::ApertureScan<double, HostExecutor> scan(executor_of(backend), line.elements, p0,
                                                about.first_orbit(), about.periodic());
  using Clock = std::chrono::steady_clock;
  auto last = Clock::now();
  int done = 0;
  const auto advance = [&](int n) {
    done += n;
    if (Clock::now() - last < std::chrono::milliseconds(100) && done < turns) return;
    const py::gil_scoped_acquire interpreter;
    if (progress) (*progress)(done, turns);
    check_signals();
    last = Clock::now();
  };
  found->starts = scan(grid, turns, advance);
  return found;
}

void add_optics_type(py::module_& module) {
  py::class_<LineOptics, OpticsPointer> type(module, "Optics");
  const auto column = [&](const char* name, auto member) {
    type.def_property_readonly(name, [member](py::object self) {
      const auto& list = self.cast<LineOptics&>().optics;
      return read_only(view_of<double>(&member(list.front()), {py::ssize_t(list.size())},
                                       {py::ssize_t(sizeof(beam::Optics))}, self));
    });
  };
  using beam::Optics;
  column("position", [](const Optics& o) -> const double& { return o.position; });
  column("beta_x", [](const Optics& o) -> const double& { return o.x.beta; });
  column("alpha_x", [](const Optics& o) -> const double& { return o.x.alpha; });
  column("beta_y", [](const Optics& o) -> const double& { return o.y.beta; });
  column("alpha_y", [](const Optics& o) -> const double& { return o.y.alpha; });
  column("phase_x", [](const Optics& o) -> const double& { return o.phase_x; });
  column("phase_y", [](const Optics& o) -> const double& { return o.phase_y; });
  type.def_property_readonly(
          "dispersion",
          [](py::object self) {
            const auto& list = self.cast<LineOptics&>().optics;
            return read_only(
                view_of<double>(list.front().dispersion, {py::ssize_t(list.size()), 4},
                                {py::ssize_t(sizeof(Optics)), py::ssize_t(sizeof(double))}, self));
          })
      .def_property_readonly(
          "orbit",
          [](py::object self) -> py::object {
            const auto& list = self.cast<LineOptics&>().orbit;
            if (list.empty()) return py::none();
            return read_only(
                view_of<double>(list.front().data(), {py::ssize_t(list.size()), n_coordinates},
                                {py::ssize_t(sizeof(Vector)), py::ssize_t(sizeof(double))}, self));
          })
      .def("__len__", [](const LineOptics& o) { return o.optics.size(); })
      .def_readonly("is_periodic", &LineOptics::is_periodic)
      .def_readonly("tune_x", &LineOptics::tune_x)
      .def_readonly("tune_y", &LineOptics::tune_y)
      .def_property_readonly("chromaticity_x", [](const LineOptics& o) { return o.chromaticity.x; })
      .def_property_readonly("chromaticity_y", [](const LineOptics& o) { return o.chromaticity.y; })
      .def_property_readonly("momentum_compaction", [](const LineOptics& o) {
        return o.chromaticity.momentum_compaction;
      });
}

void add_aperture(py::module_& module) {
  using beam::ApertureStart;
  py::class_<Aperture, std::shared_ptr<Aperture>> type(module, "Aperture");
  const auto column = [&](const char* name, auto ApertureStart::*member) {
    type.def_property_readonly(name, [member](py::object self) {
      return column_of(self.cast<Aperture&>().starts, member, self);
    });
  };
  column("x", &ApertureStart::x);
  column("y", &ApertureStart::y);
  column("tune_x", &ApertureStart::tune_x);
  column("tune_y", &ApertureStart::tune_y);
  column("diffusion", &ApertureStart::diffusion);
  const auto loss = [&](const char* name, std::int32_t beam::Loss::*member) {
    type.def_property_readonly(name, [member](py::object self) {
      const auto& starts = self.cast<Aperture&>().starts;  // there is at least one
      return read_only(view_of(&(starts.front().loss.*member), {py::ssize_t(starts.size())},
                               {py::ssize_t(sizeof(ApertureStart))}, self));
    });
  };
  loss("lost_turn", &beam::Loss::turn);
  loss("lost_element", &beam::Loss::element);
  type.def("__len__", [](const Aperture& a) { return a.starts.size(); })
      .def_property_readonly("columns", [](const Aperture& a) { return a.grid.columns; })
      .def_property_readonly("rows", [](const Aperture& a) { return a.grid.rows; })
      .def_property_readonly(
          "area", [](const Aperture& a) { return beam::surviving_area(a.grid, a.starts); });
}

}  // namespace

void add_optics(py::module_ module) {
  add_optics_type(module);
  add_aperture(module);
  add_spin_optics(module);
  module.def("optics_at", &optics_at);
  module.def("twiss", &twiss);
  module.def("closed_orbit", &closed_orbit);
  module.def("map_of", &map_of);
  module.def("radiation", &radiation);
  module.def("synchrotron", &synchrotron);
  module.def("dynamic_aperture",
             [](const Line& line, double p0, const LineOptics& about, int turns, int columns,
                int rows, double x_max, double y_max, const std::string& backend,
                const std::optional<py::function>& progress) {
               return dynamic_aperture(line, p0, about, turns, {columns, rows, x_max, y_max},
                                       backend, progress);
             });
}

}  // namespace trackplex::python
