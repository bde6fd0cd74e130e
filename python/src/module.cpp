// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module.hpp"

#include "arrays.hpp"
#include "session.hpp"

#include <pybind11/stl.h>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/version.hpp>

#include <string>

namespace trackplex::python {

namespace {

/// Adds the bytes of an array; with its length, as `Fingerprint` adds a range, unless it is one
/// number (of no dimensions).
void add_array(Fingerprint& hash, const py::handle& value, bool with_length) {
  const auto any = py::array::ensure(value);
  if (!any) {
    PyErr_Clear();
    throw py::type_error("values are no array of numbers");
  }
  const py::array array = py::array::ensure(any, py::array::c_style);
  if (with_length && array.ndim() > 0) hash.add(std::uint64_t(array.shape(0)));
  const auto* const bytes = static_cast<const unsigned char*>(array.data());
  for (py::ssize_t i = 0; i < array.nbytes(); ++i) hash.add(bytes[i]);
}

void add_session(py::module_& module) {
  module.def(
      "start",
      [](int threads, const std::string& backend) {
        if (!backend.empty()) Session::choose_backend(backend);
        Session::start(threads);
      },
      py::arg("threads") = 0, py::arg("backend") = "");
  module.def("end", &Session::end);
  module.def("is_running", &Session::is_running);
  module.def("backends", &HostExecutor::names);
  module.def("set_backend", &Session::choose_backend, py::arg("name"));
  module.def("backend", &HostExecutor::default_name);
  module.def("threads", [] {
    const auto session = Session::get();
    return HostExecutor().concurrency();
  });
  module.attr("version") = TRACKPLEX_VERSION_STRING;
  py::class_<Fingerprint>(module, "Fingerprint")
      .def(py::init<>())
      .def("add",
           [](py::object self, const py::args& values) {
             for (const auto& value : values) add_array(self.cast<Fingerprint&>(), value, true);
             return self;
           })
      .def("add_values",
           [](py::object self, const py::args& values) {
             for (const auto& value : values) add_array(self.cast<Fingerprint&>(), value, false);
             return self;
           })
      .def("hex", &Fingerprint::hex);
}

}  // namespace

}  // namespace trackplex::python

PYBIND11_MODULE(_trackplex, module) {
  using namespace trackplex::python;
  add_errors();
  add_session(module);
  add_random(module.def_submodule("random"));
  auto beam = module.def_submodule("beam");
  add_lines(beam);
  add_bunches(beam);
  add_tracking(beam);
  add_optics(beam);
  add_lhcb(module.def_submodule("lhcb"));
  add_detectors(module.def_submodule("detector"));
  add_kalman(module.def_submodule("kalman"));
  add_montecarlo(module.def_submodule("montecarlo"));
}
