// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "any_tallies.hpp"
#include "arrays.hpp"
#include "module.hpp"
#include "session.hpp"

#include <pybind11/stl.h>
#include <trackplex/montecarlo/material.hpp>
#include <trackplex/montecarlo/screened_rutherford.hpp>
#include <trackplex/montecarlo/transport.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace trackplex::python {

namespace {

using montecarlo::HistoryRange;
using montecarlo::Material;
using montecarlo::ScreenedRutherford;
using montecarlo::TransportCounts;
using AxisTuple = std::tuple<std::string, double, double, int>;
using AxisList = std::vector<std::vector<QuantityAxis>>;

QuantityAxis axis_of(const AxisTuple& axis) {
  const auto& [name, low, high, bins] = axis;
  const auto found = std::find(std::begin(quantity_names), std::end(quantity_names), name);
  if (found == std::end(quantity_names))
    throw UsageError("tallies", "there is no quantity \"" + name + "\"", {},
                     "there are longitudinal, transverse, cosine and angle");
  return {Quantity(found - std::begin(quantity_names)), {low, high, bins}};
}

AxisList axes_of(const std::vector<std::vector<AxisTuple>>& tallies) {
  AxisList all;
  for (const auto& tally : tallies) {
    all.emplace_back();
    for (const auto& axis : tally) all.back().push_back(axis_of(axis));
  }
  return all;
}

/// Counts with the shapes of their tallies.
struct Counts {
  std::vector<Extents> shapes;
  TransportCounts counts;
};
using CountsPointer = std::shared_ptr<Counts>;

/// Simulation of one precision.
class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual void run(const HistoryRange& range) = 0;
  virtual TransportCounts take() = 0;
};

template <class T>
class SimulationOf final : public Simulation {
 public:
  SimulationOf(const HostExecutor& exec, const montecarlo::TransportParams& params,
               const AxisList& axes, double radius)
      : exec_(exec), transport_(exec, params, AnyTallies<T>(axes), AnySource{radius}) {}

  void run(const HistoryRange& range) override {
    transport_.run(exec_, range);
    exec_.fence();
  }
  TransportCounts take() override { return transport_.take(exec_); }

 private:
  HostExecutor exec_;
  montecarlo::Transport<T, HostExecutor, AnyTallies<T>, AnySource> transport_;
};

class PythonTransport {
 public:
  PythonTransport(double screening, double limit, std::uint64_t seed,
                  const std::vector<std::vector<AxisTuple>>& tallies, double radius,
                  const std::string& precision, const std::string& backend) {
    const AxisList axes = axes_of(tallies);
    for (const auto& tally : axes) {
      shapes_.emplace_back();
      for (const auto& axis : tally) shapes_.back().push_back(axis.range.bins + 2);
    }
    if (precision != "double" && precision != "float")
      throw UsageError("precision", "it is neither \"double\" nor \"float\"", precision);
    const montecarlo::TransportParams params{screening, limit, seed};
    const KernelScope scope;
    const HostExecutor exec = executor_of(backend);
    if (precision == "double")
      simulation_ = std::make_unique<SimulationOf<double>>(exec, params, axes, radius);
    else
      simulation_ = std::make_unique<SimulationOf<float>>(exec, params, axes, radius);
  }

  /// Batches of about 0.1 s, between which Ctrl-C and progress come: those before are counted.
  void run(std::uint64_t begin, std::uint64_t end, const std::optional<py::function>& progress) {
    if (end < begin) throw py::value_error("the range of histories ends before it begins");
    std::uint64_t batch = 1 << 14;
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t next = end - at > batch ? at + batch : end;
      const auto start = std::chrono::steady_clock::now();
      {
        const KernelScope scope;
        simulation_->run({at, next});
      }
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      if (elapsed.count() < 0.05) batch = std::min(2 * batch, std::uint64_t(1) << 26);
      at = next;
      if (progress) (*progress)(at - begin, end - begin);
      check_signals();
    }
  }

  CountsPointer take() {
    auto counts = std::make_shared<Counts>();
    counts->shapes = shapes_;
    const KernelScope scope;
    counts->counts = simulation_->take();
    return counts;
  }

 private:
  SessionPointer session_ = Session::get();  ///< first: it ends last
  std::vector<Extents> shapes_;
  std::unique_ptr<Simulation> simulation_;
};

/// A view of the cells of a tally, with those below and beyond each axis.
py::array tally(const py::object& self, std::size_t i) {
  const auto& counts = self.cast<const Counts&>();
  if (i >= counts.shapes.size()) throw py::index_error("there is no tally " + std::to_string(i));
  const auto cells_in = [](const Extents& shape) {
    py::ssize_t n = 1;
    for (const auto extent : shape) n *= extent;
    return n;
  };
  py::ssize_t first = 0;
  for (std::size_t before = 0; before < i; ++before) first += cells_in(counts.shapes[before]);
  const Extents& shape = counts.shapes[i];
  constexpr auto size = py::ssize_t(sizeof(std::uint64_t));
  const Extents strides = shape.size() == 1 ? Extents{size} : Extents{shape[1] * size, size};
  return read_only(view_of(counts.counts.cells.data() + first, shape, strides, self));
}

/// Means of the moments with their errors.
py::dict moments(const Counts& counts) {
  const auto& sums = counts.counts.moments;
  py::dict all;
  const auto add = [&](const char* name, const montecarlo::Estimate& estimate) {
    all[name] = py::make_tuple(estimate.value, estimate.error);
  };
  add("z", sums.z());
  add("z2", sums.z2());
  add("r2", sums.r2());
  add("cosine", sums.cosine());
  add("cosine2", sums.cosine2());
  add("scatterings", sums.scatterings());
  return all;
}

/// The sums of the moments: exact integers, 2^32 high + low each.
py::list sums(const Counts& counts) {
  py::list all;
  for (const auto& sum : counts.counts.moments.sums) all.append(py::make_tuple(sum.high, sum.low));
  return all;
}

py::list ranges(const Counts& counts) {
  py::list all;
  for (const auto& range : counts.counts.histories.ranges())
    all.append(py::make_tuple(range.begin, range.end));
  return all;
}

void add_materials(py::module_& module) {
  py::class_<Material>(module, "Material")
      .def(py::init([](const std::string& name, double b_c, double chi_cc_square) {
             return Material{name, b_c, chi_cc_square};
           }),
           py::arg("name"), py::arg("b_c"), py::arg("chi_cc_square"))
      .def_static("published", &montecarlo::published_material, py::arg("name"))
      .def_static(
          "of_elements",
          [](const std::string& name, const std::vector<std::tuple<int, double, double>>& elements,
             double density, bool atoms) {
            std::vector<montecarlo::ElementFraction> fractions;
            for (const auto& [z, a, fraction] : elements) fractions.push_back({z, a, fraction});
            return montecarlo::material_of(
                name, fractions, density,
                atoms ? montecarlo::FractionOf::atoms : montecarlo::FractionOf::mass);
          },
          py::arg("name"), py::arg("elements"), py::arg("density"), py::arg("atoms") = false)
      .def_readonly("name", &Material::name)
      .def_readonly("b_c", &Material::b_c)
      .def_readonly("chi_cc_square", &Material::chi_cc_square)
      .def("scattering", &montecarlo::screened_rutherford, py::arg("kinetic_energy"));
  py::class_<ScreenedRutherford>(module, "Scattering")
      .def_readonly("screening", &ScreenedRutherford::screening)
      .def_readonly("mean_free_path", &ScreenedRutherford::mean_free_path)
      .def_readonly("kinetic_energy", &ScreenedRutherford::kinetic_energy)
      .def("mean_free_paths", &montecarlo::mean_free_paths, py::arg("length"));
}

}  // namespace

void add_montecarlo(py::module_ module) {
  add_materials(module);
  py::class_<Counts, CountsPointer>(module, "Counts")
      .def("tally", &tally, py::arg("i"))
      .def("__len__", [](const Counts& counts) { return counts.shapes.size(); })
      .def("__iadd__",
           [](py::object self, const Counts& other) {
             auto& counts = self.cast<Counts&>();
             if (counts.shapes != other.shapes)
               throw UsageError("Counts", "these are the counts of other tallies");
             counts.counts += other.counts;
             return self;
           })
      .def_property_readonly("cells",
                             [](py::object self) {
                               const auto& cells = self.cast<const Counts&>().counts.cells;
                               return read_only(view_of(cells.data(), cells.size(), self));
                             })
      .def_property_readonly("moments", &moments)
      .def_property_readonly("sums", &sums)
      .def_property_readonly("ranges", &ranges)
      .def_property_readonly("histories",
                             [](const Counts& counts) { return counts.counts.moments.histories; })
      .def_property_readonly("skipped",
                             [](const Counts& counts) { return counts.counts.moments.skipped; });
  py::class_<PythonTransport>(module, "Transport")
      .def(py::init<double, double, std::uint64_t, const std::vector<std::vector<AxisTuple>>&,
                    double, const std::string&, const std::string&>())
      .def("run", &PythonTransport::run)
      .def("take", &PythonTransport::take);
}

}  // namespace trackplex::python
