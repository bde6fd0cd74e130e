// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/program/backend.hpp>
#include <trackplex/program/options.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <concepts>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>

namespace trackplex::program {

/// Status that a program returns to the shell.
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
  } catch (const std::bad_alloc&) {
    return report("out of memory", failure);
  } catch (const std::exception& error) {
    return report(error.what(), failure);
  } catch (...) {
    return report("unknown failure", failure);
  }
}

/// The main function of a program: parses the command line with `app`, starts Kokkos, calls
/// `body()` for the exit status, and maps exceptions to exit statuses.
template <std::invocable Body>
int run_program(CLI::App& app, int argc, const char* const* argv, const CommonOptions& options,
                Body&& body) {
  if (app.get_name().empty()) app.name(std::filesystem::path(argv[0]).filename().string());
  return guarded(app.get_name(), [&]() -> int {
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& done) {  // --help, --version
      return app.exit(done);
    } catch (const CLI::ParseError& error) {
      throw UsageError("", error.what(), "", "see --help");
    }
    check_backend(options);
    const KokkosScope kokkos(options.threads);
    return body();
  });
}

}  // namespace trackplex::program
