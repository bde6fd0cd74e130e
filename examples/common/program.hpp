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
#include <common/interruptions.hpp>
#include <common/options.hpp>
#include <common/process.hpp>
#include <common/progress.hpp>
#include <common/ranks.hpp>
#include <common/report.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/version.hpp>

#include <fmt/color.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::program {

namespace detail {
/// If it is a file or a folder, a line that says its files' names and sizes, the names as a
/// fingerprint; empty where it is none.
inline std::string sizes_of_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::pair<std::string, std::uintmax_t>> files;
  if (fs::is_regular_file(path, error)) files.emplace_back("", fs::file_size(path, error));
  if (fs::is_directory(path, error))
    for (fs::recursive_directory_iterator file(path, error), end; !error && file != end;
         file.increment(error))
      if (file->is_regular_file(error))
        files.emplace_back(fs::relative(file->path(), path, error).string(),
                           file->file_size(error));
  if (files.empty()) return {};
  std::ranges::sort(files);
  Fingerprint hash;
  std::uintmax_t bytes = 0;
  for (const auto& [name, size] : files) {
    hash.add(name).add(size);
    bytes += size;
  }
  return fmt::format("  {} files, {} bytes, {}\n", files.size(), bytes, hash.hex());
}
}  // namespace detail

class Program {
 public:
  CommonOptions options;  ///< to begin with the defaults
  Json input = Json::object();
  Json results = Json::object();  ///< of the first run
  Json plots = Json::array();
  std::string text;  ///< the results, to be read
  std::vector<RunReport> runs;
  ExitStatus status = success;

  /// `item` is what times are given for: "event".
  Program(std::string name, const std::string& purpose, std::string item)
      : app_(purpose, std::move(name)), item_(std::move(item)) {
    options.backend = default_backend();
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.allow_config_extras(CLI::config_extras_mode::error);  // else misspelt ones were ignored
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const std::string& name() const { return name_; }
  OptionGroup group(const std::string& title) { return {app_, outputs_, title}; }

  /// The last part of the help: a command line and what it does.
  void example(const std::string& command, const std::string& purpose) {
    examples_ += "  " + command + "\n      " + purpose + "\n";
  }

  /// Where the options are added that every program has; `runs_kernels` false: it has no backend to
  /// choose.
  void add_common_options(bool runs_kernels = true) {
    if (runs_kernels) add_run_options();
    add_report_options();
    app_.footer(
        "Examples:\n" + examples_ +
        "Exit status: 0 all well, 1 failure (also an output that cannot be written), 2 wrong\n"
        "usage (also a backend that is not built), 3 bad input.");
  }

  /// The main function: reads the command line, starts Kokkos, calls `body()`, writes the report,
  /// prints the results, and returns the exit status.
  int main(int argc, const char* const* argv, const std::function<void()>& body) {
    detail::open_standard_streams();
    command_.assign(argv, argv + argc);
    return guarded(name_, [&]() -> int {
      ranks_.emplace();
      const auto fail = [&](const std::string& message, ExitStatus of_problem) {
        return ranks_->fail(message, of_problem);
      };
      return guarded(
          name_, [&] { return run(argc, argv, body); }, fail);
    });
  }

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
      using Space = typename std::decay_t<decltype(run)>::ExecutionSpace;
      if (stopped_ || (is_child_ && backend_name<Space>() != "openmp")) return;
      body(run);
    });
  }
  /// The ranks that share the work; null where there is one process.
  auto ranks() const { return ranks_ ? ranks_->get() : nullptr; }
  /// Whether this process prints and writes: rank 0.
  bool is_first_rank() const { return !ranks_ || ranks_->rank() == 0; }
  /// The name of a file that all ranks write together, which the first one has; all call it.
  std::string name_of_first_rank(const std::string& name) const {
    const std::vector<char> all =
        gather_all(static_cast<const Ranks*>(ranks()), std::vector<char>(name.begin(), name.end()));
    return {all.begin(), all.end()};
  }
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
    if (is_child_ || !is_first_rank()) return;  // the parent, or rank 0, says the same
    detail::print_message(fmt::terminal_color::yellow,
                          name_ + ": warning: " + fmt::format(format, std::forward<T>(values)...));
  }

  /// Head of a file of results: what it is from. Backend, threads and lanes are not in it, since
  /// results do not depend on them.
  std::vector<std::pair<std::string, std::string>> metadata() const {
    using Dump = Json::error_handler_t;
    return {{"program", name_},
            {"version", TRACKPLEX_VERSION_STRING},
            {"revision", TRACKPLEX_GIT_HASH},
            {"precision", options.first_precision()},
            {"input", input.dump(-1, ' ', false, Dump::replace)}};
  }

  /// Everything that the results depend on, a line each: this version, and the options but those
  /// that say how and where to, with the sizes of input files.
  std::string identity() const {
    std::string text =
        fmt::format("{} {}, revision {}\n", name_, TRACKPLEX_VERSION_STRING, TRACKPLEX_GIT_HASH);
    constexpr std::array without_effect = {"How to run", "Output", "Pipeline", "Information"};
    constexpr std::array with_effect = {"--precision", "--seed", "--sequence"};
    for (const auto* option : app_.get_options()) {
      const auto name = option->get_name();
      if (option->count() == 0 || name == "--readers" ||
          (std::ranges::count(without_effect, option->get_group()) > 0 &&
           std::ranges::count(with_effect, name) == 0))
        continue;
      text += fmt::format("{} {}\n", name, fmt::join(option->results(), " "));
      for (const auto& word : option->results()) text += detail::sizes_of_files(word);
    }
    return text;
  }

 private:
  int run(int argc, const char* const* argv, const std::function<void()>& body) {
    if (!parse(argc, argv)) return success;
    outputs_.check_differ();
    check_backend(options);
    const bool has_others = ranks_->size() > 1;
    refuse_if(has_others && options.threads.size() > 1, "--threads",
              "several numbers of them are for one rank");
    has_report_ = !options.json.empty();
    if (!is_first_rank()) {
      outputs_.clear();
      options.quiet = true;
    }
    const auto around = surroundings();  // the load before the work
    const auto others = runs_of_other_threads(body);
    ranks_->begin_work();
    const KokkosScope kokkos(threads_of_first_runs());
    warn_of_threads();
    const Interruptions interruptions;
    body();
    warn_of_other_work(interruptions);
    runs.insert(runs.end(), others.begin(), others.end());
    finish(around);
    detail::check_standard_output();
    return status;
  }

  /// 0 where Kokkos decides. The ranks of a node share its cores.
  int threads_of_first_runs() const {
    if (!options.threads.empty()) return options.threads.front();
    const bool others_decide = std::getenv("OMP_NUM_THREADS") || std::getenv("KOKKOS_NUM_THREADS");
    if (ranks_->size_of_node() == 1 || others_decide) return 0;
    return std::max(1, ranks_->cores_of_node() / ranks_->size_of_node());
  }

  void add_run_options() {
    auto group = this->group("How to run");
    std::vector<std::string> lanes;
    for (const int width : offered_host_lanes()) lanes.push_back(std::to_string(width));
    lanes.insert(lanes.end(), {"default", "all"});
    group.word("--backend", options.backend, {"serial", "openmp", "cuda", "hip", "all"},
               "serial, openmp, cuda or hip as far as built, or all, which compares them");
    app_.add_option(
            "--threads", options.threads,
            "Host threads, or several numbers of them: 1,2 (default: OMP_NUM_THREADS or all "
            "cores)")
        ->delimiter(',')
        ->type_name("N")
        ->transform(whole_number(1, max_host_threads))
        ->group(group.name());
    group.word("--lanes", options.lanes, lanes,
               fmt::format("SIMD lanes of host backends: {} (best of the backend), or all",
                           fmt::join(lanes.begin(), lanes.end() - 1, ", ")),
               "W");
    group.word("--precision", options.precision, {"float", "double", "all"},
               "Number type: float, double or all", "TYPE");
    group.number("--repeat", options.repeat, "N", 1, 1e6,
                 "Timed repetitions after a warm-up; medians are reported");
    group.number("--seed", options.seed, "N", 0, 0x1p64, "Seed of generated input");
  }

  void add_report_options() {
    auto group = this->group("Output");
    group.output("--json", options.json, "Write the report, with what scripts/plot draws, as JSON");
    group.flag("--quiet", options.quiet, "No text but warnings, no progress bars");
    const std::string information = "Information";
    app_.set_config("--config", "", "Read options from this file, as --dump-config prints them")
        ->group(information);
    app_.add_flag("--dump-config", dump_config_, "Print all options as such a file, and end")
        ->configurable(false)
        ->group(information);
    app_.set_help_flag("-h,--help", "This text")->group(information);
    app_.set_version_flag(
            "--version",
            [this] {
              return fmt::format("{} (Trackplex {}, revision {}, Kokkos {}, backends {})", name_,
                                 TRACKPLEX_VERSION_STRING, TRACKPLEX_GIT_HASH, kokkos_version(),
                                 fmt::join(built_backends(), " "));
            },
            "Version, source revision and backends of this build")
        ->group(information);
  }

  /// False where there is nothing left to do.
  bool parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& done) {  // --help, --version
      if (is_first_rank()) app_.exit(done);
      detail::check_standard_output();
      return false;
    } catch (const CLI::ParseError& error) {
      throw UsageError("", error.what(), "", "see --help");
    }
    if (!dump_config_) return true;
    if (!is_first_rank()) return false;
    std::istringstream config(app_.config_to_str(true, true));
    for (std::string line; std::getline(config, line);)
      if (!line.ends_with("=\"\"")) fmt::print("{}\n", line);  // else it has no value
    detail::check_standard_output();
    return false;
  }

  /// Whether there are runs whose threads the options choose.
  bool has_threads() const {
    const auto built = built_backends();
    return (options.backend == "openmp" || options.backend == "all") &&
           std::ranges::find(built, "openmp") != built.end();
  }

  /// Kokkos has one number of threads for its life: each further one has a process of its own,
  /// which writes no files.
  std::vector<RunReport> runs_of_other_threads(const std::function<void()>& body) {
    std::vector<RunReport> reports;
    if (!has_threads()) return reports;
    for (std::size_t i = 1; i < options.threads.size(); ++i) {
      detail::Child child([&](int to_parent) {
        return guarded(name_, [&] {
          outputs_.clear();
          is_child_ = true;
          const KokkosScope kokkos(options.threads[i]);
          body();
          Json message = Json::array();
          for (const auto& run : runs) message.push_back(run.to_message());
          detail::write_all(to_parent, message.dump());
          return success;  // the status is that of the first runs
        });
      });
      for (const auto& run : Json::parse(child.result()))
        reports.push_back(RunReport::from_message(run));
    }
    return reports;
  }

  void warn_of_threads() const {
    const int cores = ranks_->cores_of_node(), ranks = ranks_->size_of_node();
    if (ranks > 1) {
      const int threads = concurrency_of(Kokkos::DefaultHostExecutionSpace());
      if (ranks * threads > cores)
        warn("{} ranks with {} host threads each share {} cores; see --threads", ranks, threads,
             cores);
      return;
    }
    for (const int threads : options.threads)
      if (cores > 0 && threads > 4 * cores)
        warn("{} host threads share {} cores; see --threads", threads, cores);
  }

  /// On cores with other work, threads of OpenMP spend their time waiting for one that does not
  /// run.
  void warn_of_other_work(const Interruptions& interruptions) const {
    const bool has_waiting_threads = std::ranges::any_of(runs, [](const RunReport& run) {
      return run.run.backend == "openmp" && run.run.threads > 1;
    });
    if (has_waiting_threads && waiting_threads_spin() && interruptions.are_many())
      warn(
          "the cores have other work, which interrupted the threads {:.0f} times a second while "
          "others waited for them; set OMP_WAIT_POLICY=passive, or use --threads 1",
          interruptions.per_second());
  }

  void finish(const Json& around) {
    compare_runs(runs);
    const auto differs = [](const RunReport& run) { return run.same_bits == false; };
    const auto other = std::ranges::find_if(runs, differs);
    const bool comparable = status == success && !stopped_;
    if (!options.json.empty()) write_file(options.json, json_text(report(around)));
    if (!options.quiet && is_first_rank()) {
      fmt::print("{}", text);
      if (!runs.empty()) fmt::print("\n{}", runs_table(runs, item_));
      if (runs.size() > 1 && comparable && other == runs.end())
        fmt::print("All {} runs gave the same bits in each precision.\n", runs.size());
    }
    if (comparable && other != runs.end())
      throw Error("comparison of runs", other->name() + " gives other results than the first run");
  }

  Json report(const Json& around) const {
    Json json = {{"schema", "trackplex-report"},
                 {"schema_version", 1},
                 {"program", name_},
                 {"version", TRACKPLEX_VERSION_STRING},
                 {"git", TRACKPLEX_GIT_HASH}};
    json.update(around);
    json["command"] = command_;
    json["ranks"] = ranks_->size();
    json["input"] = input;
    if (!runs.empty()) {
      json["repeat"] = options.repeat;
      runs.front().write(json);
    }
    json["results"] = results;
    if (!runs.empty() && !runs.front().results.is_null()) json["results"] = runs.front().results;
    if (!runs.empty() && !runs.front().hash.empty()) json["results"]["hash"] = runs.front().hash;
    json["same_bits"] =
        runs.size() < 2 ? Json() : Json(std::ranges::none_of(runs, [](const RunReport& run) {
          return run.same_bits == false;
        }));
    json["runs"] = Json::array();
    for (const auto& run : runs) json["runs"].push_back(run.to_json());
    json["plots"] = plots;
    return json;
  }

  CLI::App app_;
  std::string name_ = app_.get_name(), item_, examples_;
  Outputs outputs_;
  std::optional<RanksOfProgram> ranks_;
  std::vector<std::string> command_;
  bool dump_config_ = false, stopped_ = false, has_report_ = false;
  bool is_child_ = false;  ///< runs with another number of threads than the first
};

}  // namespace trackplex::program
