// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/program/backend.hpp>
#include <trackplex/program/options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fcntl.h>

#include <cerrno>
#include <concepts>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <thread>

namespace trackplex::program {

/// Status that a program returns to the shell. An output that cannot be written is a failure,
/// whenever it is found out.
enum ExitStatus : int { success = 0, failure = 1, wrong_usage = 2, bad_input = 3 };

/// Calls `body()` and returns its exit status. An exception becomes `program: problem` on stderr
/// and the status of its kind.
template <std::invocable Body>
int guarded(const std::string& program, Body&& body) {
  const auto report = [&](const std::string& problem, ExitStatus status) {
    fmt::print(stderr, "{}: {}\n", program, problem);
    return int(status);
  };
  try {
    return body();
  } catch (const UsageError& error) {
    return report(error.what(), wrong_usage);
  } catch (const InputError& error) {
    return report(error.what(), bad_input);
  } catch (const std::filesystem::filesystem_error& error) {
    // Outputs throw errors of our own: this is a folder that could not be looked into.
    return report(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return report("out of memory", failure);
  } catch (const std::exception& error) {
    return report(error.what(), failure);
  } catch (...) {
    return report("unknown failure", failure);
  }
}

namespace detail {

/// Keeps the numbers of standard streams that are closed from being given to files: what is printed
/// would go there. Writing to what they are now fails, as it should.
inline void open_standard_streams() {
  for (const int descriptor : {0, 1, 2})
    if (::fcntl(descriptor, F_GETFD) == -1)
      ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

/// Throws where something that was printed did not get out: the disk may be full.
inline void check_standard_output() {
  errno = 0;
  std::cout.flush();
  const bool failed = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout;
  if (failed)
    throw Error("standard output", "cannot be written", errno ? std::strerror(errno) : "");
}

inline void warn_of_threads(const std::string& program, int threads) {
  const int cores = int(std::thread::hardware_concurrency());
  if (cores > 0 && threads > 4 * cores)
    fmt::print(stderr, "{}: warning: {} host threads share {} cores; see --threads\n", program,
               threads, cores);
}

}  // namespace detail

/// The main function of a program: parses the command line with `app`, starts Kokkos, calls
/// `body()` for the exit status, and maps exceptions to exit statuses.
template <std::invocable Body>
int run_program(CLI::App& app, int argc, const char* const* argv, const CommonOptions& options,
                Body&& body) {
  detail::open_standard_streams();
  if (app.get_name().empty()) app.name(std::filesystem::path(argv[0]).filename().string());
  return guarded(app.get_name(), [&]() -> int {
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& done) {  // --help, --version
      app.exit(done);
      detail::check_standard_output();
      return success;
    } catch (const CLI::ParseError& error) {
      throw UsageError("", error.what(), "", "see --help");
    }
    check_outputs_differ(app);
    check_backend(options);
    const KokkosScope kokkos(options.threads);
    detail::warn_of_threads(app.get_name(), options.threads);
    const int status = body();
    detail::check_standard_output();
    return status;
  });
}

}  // namespace trackplex::program
