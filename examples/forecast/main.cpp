// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forecasts how long an application takes on processors of several kinds, before it is written for
// them; or compares such forecasts of the library's own kernels with measurements on this host.
#include "host.hpp"
#include "kernel.hpp"
#include "loop_flow.hpp"
#include "measure.hpp"
#include "program_options.hpp"
#include "results.hpp"
#include "roofline_plot.hpp"

#include <trackplex/io/perfmodel_json.hpp>
#include <trackplex/perfmodel/device_library.hpp>
#include <trackplex/perfmodel/published_example.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/report.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

using namespace forecast;
namespace io = trackplex::io;
namespace model = trackplex::perfmodel;
namespace program = trackplex::program;

namespace {

std::vector<Kernel> chosen_kernels(const ProgramOptions& options) {
  const auto kernels = library_kernels();
  if (options.kernel.empty()) return kernels;
  std::string known;
  for (const auto& kernel : kernels) {
    if (kernel.name == options.kernel) return {kernel};
    known += (known.empty() ? "" : ", ") + kernel.name;
  }
  throw trackplex::UsageError("--kernel", "there is none named " + options.kernel,
                              "known: " + known);
}

model::Application chosen_application(const ProgramOptions& options) {
  auto application = options.published ? model::published_application()
                     : !options.kernel.empty()
                         ? application_of(chosen_kernels(options)[0], 1e6, true)
                         : io::read_application(options.application);
  if (options.items > 0.) application.items = options.items;
  return application;
}

std::vector<model::Device> chosen_devices(const ProgramOptions& options) {
  const auto devices =
      options.device_file.empty() ? model::device_library() : io::read_devices(options.device_file);
  if (devices.empty())
    throw trackplex::InputError({options.device_file, "devices"}, "the list is empty");
  if (options.devices.empty()) return devices;
  std::vector<model::Device> chosen;
  for (const auto& name : options.devices) chosen.push_back(model::device_named(devices, name));
  return chosen;
}

/// Forecasts for all devices. One that the application cannot run on is left out with a warning,
/// unless it was asked for by name.
Results forecast_all(const ProgramOptions& options, const std::vector<model::Device>& devices) {
  Results results{chosen_application(options), {}, {}, {}};
  for (const auto& device : devices) try {
      results.forecasts.push_back(model::forecast(results.application, device, options.forecast));
      results.devices.push_back(device);
    } catch (const trackplex::UsageError& error) {
      if (!options.devices.empty()) throw;
      fmt::print(stderr, "forecast: warning: {} is left out: {}\n", device.name, error.what());
    }
  if (results.forecasts.empty())
    throw trackplex::InputError({options.device_file}, "there is no forecast for any device");
  results.decision = model::decide(results.application, results.forecasts, options.thresholds);
  return results;
}

/// The head of a report, with the rest in it.
void write_report(const ProgramOptions& options, const program::Json& rest) {
  if (options.common.json.empty()) return;
  program::Json json = {
      {"program", "forecast"}, {"version", TRACKPLEX_VERSION_STRING}, {"git", program::git_hash()}};
  json.update(rest);
  program::write_file(options.common.json, json.dump(2) + "\n");
}

void write_if_asked(const std::string& file, const std::string& text) {
  if (!file.empty()) program::write_file(file, text);
}

int run_forecast(const ProgramOptions& options) {
  const auto devices = chosen_devices(options);
  if (!options.write_devices.empty())
    program::write_file(options.write_devices, io::devices_text(devices));
  if (options.application.empty() && options.kernel.empty() && !options.published)
    return program::success;  // asked for the devices only
  const auto results = forecast_all(options, devices);
  write_if_asked(options.write_application, io::application_text(results.application));
  if (!options.loop_flow.empty())
    program::write_file(options.loop_flow, loop_flow(results.application));
  if (!options.roofline.empty()) program::write_file(options.roofline, roofline_plot(results));
  auto json = to_json(results);
  if (options.published) json["inconsistencies"] = inconsistencies_json();
  write_report(options, json);
  if (!options.common.quiet)
    fmt::print("{}{}", text(results), options.published ? inconsistencies_text() : "");
  return program::success;
}

int run_measurement(const ProgramOptions& options) {
  const auto kernels = chosen_kernels(options);
  const bool described = !options.devices.empty() || !options.device_file.empty();
  const auto core = described ? one_core_of(chosen_devices(options).front()) : measured_host();
  if (!options.write_devices.empty())
    program::write_file(options.write_devices, io::devices_text({core}));
  std::vector<Comparison> comparisons;
  {
    program::ProgressBar progress("kernels", 2 * kernels.size(), options.common);
    comparisons =
        measure_kernels(kernels, core, options.common.repeat, [&] { progress.advance(); });
  }
  write_report(options, {{"device", io::detail::FieldWriter::write(core)},
                         {"lanes", lanes},
                         {"comparisons", to_json(comparisons)}});
  if (!options.common.quiet)
    fmt::print("{}: {:.2f} GHz, {} lanes, {:.1f} Gflop/s, {:.1f} GB/s\n\n{}", core.name,
               1e-9 * core.clock, lanes, 1e-9 * core.peak.fp32, 1e-9 * core.memory.bandwidth,
               comparison_table(comparisons));
  return program::success;
}

}  // namespace

int main(int argc, char* argv[]) {
  CLI::App app("Forecasts how long an application takes on processors of several kinds.",
               "forecast");
  ProgramOptions options;
  add_options(app, options);
  return program::run_program(app, argc, argv, options.common, [&] {
    options.check();
    return options.measure ? run_measurement(options) : run_forecast(options);
  });
}
