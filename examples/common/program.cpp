// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/build.hpp>
#include <common/interruptions.hpp>
#include <common/program.hpp>
#include <common/values.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace trackplex::program {

Program::Program(std::string name, const std::string& purpose, std::string item, Offer offer)
    : offer_(std::move(offer)),
      app_(std::make_unique<CLI::App>(purpose, name)),
      name_(std::move(name)),
      item_(std::move(item)) {
  app_->formatter(help_formatter());
  app_->allow_config_extras(CLI::config_extras_mode::error);  // else misspelt ones were ignored
}

Program::~Program() = default;

void Program::example(const std::string& command, const std::string& purpose) {
  examples_ += "  " + command + "\n      " + purpose + "\n";
}

bool Program::is_changed(const std::string& option) const {
  return Option(app_->get_option(option)).is_changed();
}

void Program::add_common_options(bool runs_kernels) {
  if (runs_kernels) add_run_options();
  add_report_options();
  app_->footer(
      "Examples:\n" + examples_ +
      "Exit status: 0 success, 1 failure (including output that cannot be written), 2 wrong\n"
      "usage (including a backend that is not built), 3 bad input.");
}

int Program::main(int argc, const char* const* argv, const std::function<void()>& body) {
  detail::open_standard_streams();
  detail::return_large_blocks();
  command_.assign(argv, argv + argc);
  return guarded(name_, [&]() -> int {
    ranks_ = std::make_unique<RanksOfProgram>();
    const auto fail = [&](const std::string& message, ExitStatus of_problem) {
      return ranks_->fail(message, of_problem);
    };
    return guarded(
        name_, [&] { return run(argc, argv, body); }, fail);
  });
}

std::string Program::name_of_first_rank(const std::string& name) const {
  const std::vector<char> all =
      gather_all(static_cast<const Ranks*>(ranks()), std::vector<char>(name.begin(), name.end()));
  return {all.begin(), all.end()};
}

std::unique_ptr<pipeline::EventFarm> Program::make_farm(
    const pipeline::EventFarmOptions& options, const pipeline::EventFarm::Write& write) const {
  return ranks_ ? ranks_->make_farm(options, write)
                : std::make_unique<pipeline::EventFarm>(options, write);
}

std::vector<std::pair<std::string, std::string>> Program::metadata() const {
  using Dump = Json::error_handler_t;
  return {{"program", name_},
          {"version", TRACKPLEX_VERSION_STRING},
          {"revision", TRACKPLEX_GIT_HASH},
          {"precision", options.first_precision()},
          {"input", input.dump(-1, ' ', false, Dump::replace)}};
}

namespace {

/// If it is a file or a folder, a line that says its files' names and sizes, the names as a
/// fingerprint; empty where it is none.
std::string sizes_of_files(const std::string& path) {
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

}  // namespace

std::string Program::identity() const {
  std::string text =
      fmt::format("{} {}, revision {}\n", name_, TRACKPLEX_VERSION_STRING, TRACKPLEX_GIT_HASH);
  constexpr std::array without_effect = {"How to run", "Output", "Pipeline", "Information"};
  constexpr std::array with_effect = {"--precision", "--seed", "--sequence"};
  for (const auto* option : app_->get_options()) {
    const auto name = option->get_name();
    if (option->count() == 0 || name == "--readers" ||
        (std::ranges::count(without_effect, option->get_group()) > 0 &&
         std::ranges::count(with_effect, name) == 0))
      continue;
    text += fmt::format("{} {}\n", name, fmt::join(option->results(), " "));
    for (const auto& word : option->results()) text += sizes_of_files(word);
  }
  return text;
}

int Program::run(int argc, const char* const* argv, const std::function<void()>& body) {
  if (!parse(argc, argv)) return success;
  outputs_.check_differ();
  offer_.check(options);
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
int Program::threads_of_first_runs() const {
  if (!options.threads.empty()) return options.threads.front();
  const bool others_decide = std::getenv("OMP_NUM_THREADS") || std::getenv("KOKKOS_NUM_THREADS");
  if (ranks_->size_of_node() == 1 || others_decide) return 0;
  return std::max(1, ranks_->cores_of_node() / ranks_->size_of_node());
}

void Program::add_run_options() {
  auto group = this->group("How to run");
  std::vector<std::string> lanes;
  for (const int width : offer_.host_lanes) lanes.push_back(std::to_string(width));
  lanes.insert(lanes.end(), {"default", "all"});
  group.word("--backend", options.backend, {"serial", "openmp", "cuda", "hip", "all"},
             "serial, openmp, cuda or hip, if built, or all, which compares them");
  app_->add_option("--threads", options.threads,
                   "Host threads, or several numbers: 1,2 (default: OMP_NUM_THREADS or all "
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

void Program::add_report_options() {
  auto group = this->group("Output");
  group.output("--json", options.json, "Write the report, with data for scripts/plot, as JSON");
  group.flag("--quiet", options.quiet, "Print only warnings, no progress bars");
  const std::string information = "Information";
  app_->set_config("--config", "", "Read options from this file (see --dump-config)")
      ->group(information);
  app_->add_flag("--dump-config", dump_config_,
                 "Print all options in the format of --config, and exit")
      ->configurable(false)
      ->group(information);
  app_->set_help_flag("-h,--help", "This text")->group(information);
  app_->set_version_flag(
          "--version",
          [this] {
            return fmt::format("{} (Trackplex {}, revision {}, Kokkos {}, backends {})", name_,
                               TRACKPLEX_VERSION_STRING, TRACKPLEX_GIT_HASH, kokkos_version(),
                               fmt::join(offer_.backends, " "));
          },
          "Version, source revision and backends of this build")
      ->group(information);
}

/// False where there is nothing left to do.
bool Program::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    if (is_first_rank()) app_->exit(done);
    detail::check_standard_output();
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError("", error.what(), "", "see --help");
  }
  if (!dump_config_) return true;
  if (!is_first_rank()) return false;
  std::istringstream config(app_->config_to_str(true, true));
  for (std::string line; std::getline(config, line);)
    if (!line.ends_with("=\"\"")) fmt::print("{}\n", line);  // else it has no value
  detail::check_standard_output();
  return false;
}

/// Whether there are runs whose threads the options choose.
bool Program::has_threads() const {
  return (options.backend == "openmp" || options.backend == "all") &&
         std::ranges::count(offer_.backends, "openmp") > 0;
}

/// Kokkos has one number of threads for its life: each further one has a process of its own,
/// which writes no files.
std::vector<RunReport> Program::runs_of_other_threads(const std::function<void()>& body) {
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

void Program::print_warning_once(const std::string& message) const {
  if (is_child_ || !is_first_rank()) return;  // the parent, or rank 0, says the same
  print_warning(name_ + ": warning: " + message);
}

void Program::warn_of_threads() const {
  const int cores = ranks_->cores_of_node(), ranks = ranks_->size_of_node();
  if (ranks > 1) {
    const int threads = HostExecutor().concurrency();
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
void Program::warn_of_other_work(const Interruptions& interruptions) const {
  const bool has_waiting_threads = std::ranges::any_of(runs, [](const RunReport& run) {
    return run.run.backend == "openmp" && run.run.threads > 1;
  });
  if (has_waiting_threads && waiting_threads_spin() && interruptions.are_many())
    warn(
        "the cores have other work, which interrupted the threads {:.0f} times a second while "
        "others waited for them; set OMP_WAIT_POLICY=passive, or use --threads 1",
        interruptions.per_second());
}

void Program::finish(const Json& around) {
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

Json Program::report(const Json& around) const {
  Json json = {{"schema", "trackplex-report"},
               {"schema_version", 1},
               {"program", name_},
               {"version", TRACKPLEX_VERSION_STRING},
               {"git", TRACKPLEX_GIT_HASH}};
  json.update(around);
  json["command"] = command_;
  json["ranks"] = ranks_->size();
  json["input"] = input;
  json["memory"] = memory;
  json["memory"]["peak_bytes"] = peak_memory();
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

}  // namespace trackplex::program
