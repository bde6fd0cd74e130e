// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pybind11/pybind11.h>
#include <trackplex/core/host_executor.hpp>

#include <sys/types.h>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

/// @file
/// When Kokkos runs, and who may call it.

namespace trackplex::python {

namespace py = pybind11;

/// Kokkos, from its first use to the end of the last object that has memory of it. Each such object
/// has a `SessionPointer` as its first member, which is destroyed last. The module itself has one
/// until the interpreter exits: then Kokkos ends, or with the last array that still refers to it.
class Session {
 public:
  /// Returns the session; starts Kokkos at the first call.
  /// @throws WrongProcess in a child of the process that started it, and while the interpreter
  /// exits
  static std::shared_ptr<Session> get();
  /// Starts Kokkos with a number of threads (0: by the environment).
  /// @throws UsageError if it is running
  static void start(int threads);
  /// Makes a backend the default one, whatever the environment.
  /// @throws UsageError if there is none of that name
  static void choose_backend(const std::string& name);
  /// Drops the session of the module, when the interpreter exits.
  static void end();
  /// Tells whether Kokkos has been started and has not ended.
  static bool is_running();

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  explicit Session(int threads);

  pid_t process_;
};
using SessionPointer = std::shared_ptr<Session>;

/// Call where Kokkos cannot run.
class WrongProcess : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Scope in which kernels run: other threads may use the interpreter, and one thread at a time
/// launches. Callbacks into Python take the interpreter back, by `py::gil_scoped_acquire`.
class KernelScope {
 public:
  /// @throws WrongProcess as `Session::get`
  KernelScope() : session_(Session::get()), lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex();

  SessionPointer session_;
  py::gil_scoped_release
      release_;  ///< first: who waits for the lock leaves the interpreter to others
  std::lock_guard<std::recursive_mutex> lock_;
};

/// Returns the instance of a backend, "serial" or "openmp"; empty: of the default one, or Serial
/// where the thread may not launch on it, as with OpenMP before Kokkos 3.7 threads other than that
/// which started Kokkos. Needs a session.
/// @throws UsageError if there is none of that name
HostExecutor executor_of(const std::string& backend = {});

/// Throws KeyboardInterrupt if Ctrl-C was pressed. Needs the interpreter.
inline void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace trackplex::python
