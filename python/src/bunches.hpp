// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "session.hpp"

#include <pybind11/pybind11.h>
#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/workspace.hpp>

#include <string>

namespace trackplex::python {

/// Bunch as Python has it. The particles are those of `bunch`, in its order.
struct PythonBunch {
  using Bunch = beam::Bunch<double, Kokkos::HostSpace>;

  SessionPointer session = Session::get();  ///< first: it ends last
  py::object memory{};  ///< array of the caller that has the coordinates, if any
  Bunch bunch{};
  std::string species = "electron";  ///< name of the particles, for files of openPMD
  Workspace<HostExecutor> workspace{};
  int turn = 0;  ///< turns so far: the number of the next one
};

}  // namespace trackplex::python
