// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "module.hpp"

namespace trackplex::python {

/// Detector, events and truth of LHCb, and their files.
void add_lhcb_events(py::module_& module);

}  // namespace trackplex::python
