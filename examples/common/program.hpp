// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The frame of a program: command line, runs on backends, report, exit status. A program says its
/// options, its input, its work and its results:
///
///     int main(int argc, char* argv[]) {
///       Program program("fit", "Fits tracks.", "track");
///       Options options;
///       add_options(program, options);
///       return program.main(argc, argv, [&] {
///         program.input = ...;
///         program.for_each_run<float, double>([&](const auto& run, RunReport& report) { ... });
///         program.results = ...;
///         program.text = ...;
///       });
///     }

#include <common/backends.hpp>
#include <common/options.hpp>
#include <common/process.hpp>
#include <common/progress.hpp>
#include <common/ranks.hpp>
#include <common/report.hpp>

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::program {

class Interruptions;

/// What the build of a program has. The frame, which is compiled once for all programs, asks here.
struct Offer {
  std::vector<std::string> backends = built_backends();
  std::set<int> host_lanes = offered_host_lanes();
  void (*check)(const CommonOptions&) = check_backend;  ///< throws where options ask for others
};

class Program {
 public:
  CommonOptions options;  ///< to begin with the defaults
  Json input = Json::object();
  Json results = Json::object();  ///< of the first run
  Json memory = Json::object();   ///< that the work needs; the report adds what it took
  Json plots = Json::array();
  std::string text;  ///< the results, to be read
  std::vector<RunReport> runs;
  ExitStatus status = success;

  /// `item` is what times are given for: "event".
  Program(std::string name, const std::string& purpose, std::string item)
      : Program(std::move(name), purpose, std::move(item), Offer()) {
    options.backend = default_backend();
  }
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const std::string& name() const { return name_; }
  OptionGroup group(const std::string& title) { return {*app_, outputs_, title}; }

  /// The last part of the help: a command line and what it does.
  void example(const std::string& command, const std::string& purpose);

  /// Whether an option has another value than the default one.
  bool is_changed(const std::string& option) const;

  /// Where the options are added that every program has; `runs_kernels` false: it has no backend to
  /// choose.
  void add_common_options(bool runs_kernels = true);

  /// The main function: reads the command line, starts Kokkos, calls `body()`, writes the report,
  /// prints the results, and returns the exit status.
  int main(int argc, const char* const* argv, const std::function<void()>& body);

  /// Calls `body(run, report)` for each number type, backend and lane width that the options ask
  /// for, and keeps the reports.
  template <std::floating_point... Reals, class Body>
  void for_each_run(Body&& body) {
    for_each_backend<Reals...>([&](const auto& run) {
      RunReport report{.run = run.description()};
      body(run, report);
      runs.push_back(std::move(report));
    });
  }
  /// The same with `body(run)`, which keeps reports of several works itself.
  template <std::floating_point... Reals, class Body>
  void for_each_backend(Body&& body) {
    dispatch<Reals...>(options, [&](const auto& run) {
      if (stopped_ || (is_child_ && backend_name(run.exec) != "openmp")) return;
      body(run);
    });
  }
  /// The ranks that share the work; null where there is one process.
  const Ranks* ranks() const { return ranks_ ? ranks_->get() : nullptr; }
  /// Whether this process prints and writes: rank 0.
  bool is_first_rank() const { return !ranks_ || ranks_->rank() == 0; }
  /// The name of a file that all ranks write together, which the first one has; all call it.
  std::string name_of_first_rank(const std::string& name) const;
  /// The farm of all ranks, or of this process.
  std::unique_ptr<pipeline::EventFarm> make_farm(const pipeline::EventFarmOptions& options,
                                                 const pipeline::EventFarm::Write& write) const;
  /// Whether a report is written, by rank 0: others have no names of files.
  bool has_report() const { return has_report_ && !is_child_; }
  /// No further runs: the user has had enough.
  void stop() { stopped_ = true; }
  bool is_first_run() const { return runs.empty(); }
  /// Whether this process repeats the runs with another number of threads: it writes no files,
  /// prints nothing and leaves out what only the first runs do.
  bool is_child() const { return is_child_; }

  ProgressBar progress(const std::string& label, std::size_t total) const {
    return ProgressBar(label, total, options.quiet);
  }

  template <class... T>
  void warn(fmt::format_string<T...> format, T&&... values) const {
    print_warning_once(fmt::vformat(format, fmt::make_format_args(values...)));
  }

  /// Head of a file of results: what it is from. Backend, threads and lanes are not in it, since
  /// results do not depend on them.
  std::vector<std::pair<std::string, std::string>> metadata() const;

  /// Everything that the results depend on, a line each: this version, and the options but those
  /// that say how and where to, with the sizes of input files.
  std::string identity() const;

 private:
  Program(std::string name, const std::string& purpose, std::string item, Offer offer);

  int run(int argc, const char* const* argv, const std::function<void()>& body);
  int threads_of_first_runs() const;
  void add_run_options();
  void add_report_options();
  bool parse(int argc, const char* const* argv);
  bool has_threads() const;
  std::vector<RunReport> runs_of_other_threads(const std::function<void()>& body);
  void print_warning_once(const std::string& message) const;
  void warn_of_threads() const;
  void warn_of_other_work(const Interruptions& interruptions) const;
  void finish(const Json& around);
  Json report(const Json& around) const;

  const Offer offer_;
  std::unique_ptr<CLI::App> app_;
  std::string name_, item_, examples_;
  Outputs outputs_;
  std::unique_ptr<RanksOfProgram> ranks_;
  std::vector<std::string> command_;
  bool dump_config_ = false, stopped_ = false, has_report_ = false;
  bool is_child_ = false;  ///< runs with another number of threads than the first
};

}  // namespace trackplex::program
