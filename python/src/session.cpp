// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.hpp"

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/error.hpp>

#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <thread>

namespace trackplex::python {

namespace {

/// State of the process; it is never destroyed, for arrays may be later than all destructors.
struct Process {
  SessionPointer session;       ///< of the module
  std::weak_ptr<Session> last;  ///< the same, also when the module has dropped it
  std::thread::id thread{};     ///< that started Kokkos
  pid_t started_by = 0;         ///< process that started Kokkos
  bool is_exiting = false;
  bool has_backend = false;  ///< the caller has chosen one
};
Process& process() {
  static auto* const only = new Process;
  return *only;
}

#ifdef KOKKOS_ENABLE_SERIAL
constexpr bool has_serial = true;
HostExecutor serial() { return Kokkos::Serial(); }
#else
constexpr bool has_serial = false;
HostExecutor serial() { return {}; }
#endif

/// The backend of the environment becomes the default one.
void use_environment() {
  const char* const backend = std::getenv("TRACKPLEX_BACKEND");
  if (backend && *backend) HostExecutor::set_default(backend);
}

}  // namespace

Session::Session(int threads) : process_(::getpid()) {
  if (!process().has_backend) use_environment();
  initialize_kokkos(threads);
}

Session::~Session() {
  if (::getpid() == process_ && Kokkos::is_initialized()) Kokkos::finalize();
}

SessionPointer Session::get() {
  auto& p = process();
  if (p.session && p.started_by != ::getpid())
    throw WrongProcess(
        "trackplex: this process was forked from one in which Kokkos runs, and has none of its "
        "threads; start "
        "processes with multiprocessing.get_context(\"spawn\"), or use trackplex only in them");
  if (p.is_exiting)
    throw WrongProcess("trackplex: the interpreter exits, no kernel can run any more");
  if (!p.session) start(0);
  return p.session;
}

void Session::start(int threads) {
  auto& p = process();
  if (p.session)
    throw UsageError("trackplex.start", "Kokkos is already running", {},
                     "call it before anything that runs kernels; set_backend works at any time");
  p.session = SessionPointer(new Session(threads));
  p.last = p.session;
  p.started_by = ::getpid();
  p.thread = std::this_thread::get_id();
}

void Session::choose_backend(const std::string& name) {
  HostExecutor::set_default(name);
  process().has_backend = true;
}

void Session::end() {
  auto& p = process();
  p.is_exiting = true;
  p.session.reset();
}

bool Session::is_running() { return !process().last.expired(); }

std::recursive_mutex& KernelScope::mutex() {
  static auto* const only = new std::recursive_mutex;
  return *only;
}

HostExecutor executor_of(const std::string& backend) {
  if (backend.empty()) {
    const HostExecutor exec;
    const bool any_thread = KOKKOS_VERSION >= 30700 || exec.name() == "Serial" || !has_serial;
    return any_thread || process().thread == std::this_thread::get_id() ? exec : serial();
  }
  const auto is_it = [&](const HostExecutor& exec) {
    return std::ranges::equal(exec.name(), backend, [](unsigned char a, unsigned char b) {
      return std::tolower(a) == std::tolower(b);
    });
  };
  std::string names;
  for (const auto& exec : HostExecutor::all()) {
    if (is_it(exec)) return exec;
    names += (names.empty() ? "" : ", ") + exec.name();
  }
  throw UsageError("backend", "there is none called \"" + backend + "\"", {}, "there are " + names);
}

}  // namespace trackplex::python
