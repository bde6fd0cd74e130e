// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scenarios of the public beam dynamics benchmarks, timed as there: the one call that tracks
// the loaded bunch, after a warm-up with as many particles.
#include "measure_scenario.hpp"

#include <common/program.hpp>
#include <trackplex/core/fingerprint.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::benchmarks {

namespace {

using program::Json;
using program::Program;

struct Options {
  std::string scenario = "all";
  std::int64_t particles = 1'000'000;
};

void add_options(Program& p, Options& options) {
  std::vector<std::string> names;
  for (const auto& scenario : scenarios()) names.push_back(scenario.name);
  names.emplace_back("all");
  auto work = p.group("Work");
  work.word("--scenario", options.scenario, names,
            fmt::format("What is tracked, one of: {}", fmt::join(names, ", ")));
  work.number("--particles", options.particles, "N", 100, 1e9, "Particles of the bunch");
  p.example(p.name() + " --backend serial", "all scenarios on one core, a million particles each");
  p.example(p.name() + " --scenario htu --backend all --lanes all",
            "one scenario on every backend, with the same bits");
  p.options.precision = "double";
  p.add_common_options();
}

std::vector<Scenario> chosen(const Program& p, const Options& options) {
  std::vector<Scenario> result;
  for (auto& scenario : scenarios()) {
    if (options.scenario != "all" && options.scenario != scenario.name) continue;
    scenario.bunch.particles = options.particles;
    scenario.bunch.seed = p.options.seed;
    result.push_back(std::move(scenario));
  }
  return result;
}

/// How far an observable may be from its expectation, relative.
double tolerance(const Observable& observable, std::int64_t particles) {
  return observable.tolerance + 3. / std::sqrt(double(particles));
}

bool is_correct(const Observable& observable, const ScenarioOutcome& outcome,
                std::int64_t particles) {
  const double deviation = observable.of(outcome.moments, outcome.spins) / observable.expected - 1.;
  return std::abs(deviation) <= tolerance(observable, particles);
}

/// Compares what a run gave with the expectation, in results and text of the first run.
void validate(Program& p, const Scenario& scenario, const ScenarioOutcome& outcome,
              program::Table& table) {
  Json& results = p.results[scenario.name];
  bool correct = true;
  for (const auto& observable : scenario.observables) {
    const double value = observable.of(outcome.moments, outcome.spins);
    const bool passes = is_correct(observable, outcome, scenario.bunch.particles);
    correct = correct && passes;
    results[observable.name] = value;
    table.add_row({scenario.name, observable.name, fmt::format("{:.6e}", value),
                   fmt::format("{:.6e}", observable.expected),
                   fmt::format("{:+.2e}", value / observable.expected - 1.),
                   fmt::format("{:.2e}", tolerance(observable, scenario.bunch.particles)),
                   passes ? "correct" : "INCORRECT"});
  }
  results["lost"] = outcome.lost;
  results["verdict"] = correct ? "correct" : "incorrect";
}

void run(Program& p, const Options& options) {
  const auto all = chosen(p, options);
  p.input = {{"scenario", options.scenario}, {"particles", options.particles}};
  program::Table table(
      {"scenario", "observable", "value", "expected", "deviation", "tolerance", ""});
  const auto n = double(options.particles);
  p.for_each_run<double, float>([&](const auto& run, program::RunReport& report) {
    auto progress = p.progress(report.name(), all.size() * (std::size_t(p.options.repeat) + 1));
    Fingerprint hash;
    for (const auto& scenario : all) {
      const auto outcome =
          measure_scenario(run, scenario, p.options.repeat, [&] { progress.advance(); });
      hash.add(outcome.hash);
      report.time_us.emplace_back(scenario.name, outcome.time_us);
      report.rate[scenario.name + "_ns_per_particle"] = 1e3 * outcome.time_us.median / n;
      for (const auto& observable : scenario.observables)
        if (!is_correct(observable, outcome, options.particles)) p.status = program::failure;
      if (p.is_first_run()) validate(p, scenario, outcome, table);
    }
    report.hash = hash.hex();
  });
  p.text = fmt::format("{} particles\n\n{}", options.particles, table.text());
}

}  // namespace

}  // namespace trackplex::benchmarks

int main(int argc, char* argv[]) {
  using namespace trackplex::benchmarks;
  trackplex::program::Program p(
      "bench_codes", "bench_codes: the scenarios of the public beam dynamics benchmarks.", "pass");
  Options options;
  add_options(p, options);
  return p.main(argc, argv, [&] { run(p, options); });
}
