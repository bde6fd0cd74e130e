// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pybind11/pybind11.h>

/// @file
/// Parts of the module `trackplex._trackplex`; each source adds one.

namespace trackplex::python {

namespace py = pybind11;

void add_errors();
void add_random(py::module_ module);
void add_lines(py::module_ module);  ///< elements, lines and their files
void add_bunches(py::module_ module);
void add_tracking(py::module_ module);  ///< after lines and bunches
void add_optics(py::module_ module);    ///< after lines
void add_lhcb(py::module_ module);
void add_detectors(py::module_ module);  ///< detectors, fields, events and tracks
void add_kalman(py::module_ module);     ///< after detectors
void add_montecarlo(py::module_ module);

}  // namespace trackplex::python
