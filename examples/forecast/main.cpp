// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forecasts how long an application takes on processors of several kinds, before it is written for
// them; or compares such forecasts of the library's own kernels with measurements on this host.
#include "results.hpp"
#include "scaling.hpp"

#include <common/program.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/perfmodel/detail/perfmodel_fields.hpp>
#include <trackplex/io/perfmodel/perfmodel_json.hpp>
#include <trackplex/perfmodel/device_library.hpp>
#include <trackplex/perfmodel/measured_host.hpp>
#include <trackplex/perfmodel/published_example.hpp>

namespace {

using namespace forecast;
namespace model = perfmodel;

struct Options {
  std::string application;           ///< file
  bool published = false;            ///< the published example instead
  std::string kernel;                ///< a kernel of the library instead
  std::string chains;                ///< file of chains, which are forecast over cores instead
  std::optional<double> items;       ///< instead of those of the application
  std::vector<std::string> devices;  ///< names; none: all
  std::string device_file;           ///< instead of the library
  model::ForecastParams forecast;
  model::DecisionThresholds thresholds;
  bool measure = false, loop_flow = false;
  std::string write_application, write_devices;  ///< files

  /// Whether an application is named.
  bool has_application() const { return !application.empty() || published || !kernel.empty(); }

  void check() const {
    using program::refuse_if;
    refuse_if(!chains.empty() && (has_application() || measure || items || loop_flow ||
                                  forecast.with_start || !write_application.empty()),
              "--chains", "forecasts chains over cores only", "choose devices, no application");
    refuse_if(int(!application.empty()) + int(published) + int(!kernel.empty()) > 1, "--input",
              "more than one application is given", "give a file, --published or --kernel");
    if (!measure)
      return refuse_if(!has_application() && !write_devices.empty() && !write_application.empty(),
                       "--write-application", "there is none to write");
    refuse_if(!application.empty() || published, "--measure", "measures library kernels only",
              "omit the application, or choose a --kernel");
    refuse_if(devices.size() > 1, "--device", "one device replaces this host", "name one device");
    refuse_if(loop_flow || !write_application.empty(), "--measure",
              "shows and writes no application", "use --kernel without --measure for that");
    refuse_if(items || forecast.with_start, "--measure",
              "chooses the number of work items itself, and has no start");
  }
};

void add_options(program::Program& p, Options& options) {
  auto application = p.group("Application");
  application.input("--input,APPLICATION", options.application, "FILE",
                    "JSON file with the loop flow (default: --published)");
  application.flag("--published", options.published,
                   "The published example, with its inconsistencies");
  application.text("--kernel", options.kernel, "NAME",
                   "A library kernel with counted operations: product_6x6, kalman_update, ...");
  application.number("--items", options.items, "N", 1., 1e18,
                     "Number of work items (default: as in the application)");
  application.flag("--loop-flow", options.loop_flow, "Show the loops and the data");
  application.input("--chains", options.chains, "FILE",
                    "JSON file with measured chains instead: forecast over the cores of CPUs");
  auto devices = p.group("Devices");
  devices.text("--device", options.devices, "NAME", "Devices by name (default: all)");
  devices.input("--devices", options.device_file, "FILE", "JSON file with devices");
  devices.flag("--start", options.forecast.with_start, "Add the start-up time of devices");
  auto decision = p.group("Decision");
  auto& t = options.thresholds;
  decision.number("--low-latency", t.ultra_low_latency, "S", 0., 1e9,
                  "Answers within this time, s, need an FPGA");
  decision.number("--high-branch-misses", t.high_branch_misses, "RATE", 0., 1.,
                  "Of all instructions; above is high");
  decision.number("--high-cache-misses", t.high_cache_misses, "RATE", 0., 1.,
                  "Of all instructions; above is high");
  decision.number("--items-per-core", t.items_per_core, "N", 0., 1e18,
                  "Work items per core that a GPU needs");
  decision.number("--fpga-gain", t.fpga_gain, "X", 0., 1e9,
                  "An FPGA pays if it is this many times as fast as a CPU");
  decision.number("--similar", t.similar, "X", 0., 1e9,
                  "A GPU that takes up to this many times as long is preferred");
  auto measurement = p.group("Measurement");
  measurement.flag("--measure", options.measure,
                   "Measure library kernels on one core, and compare with the forecast");
  measurement.number("--repeat", p.options.repeat, "N", 1, 1e6,
                     "Timed repetitions after a warm-up");
  auto output = p.group("Output");
  output.output("--write-application", options.write_application, "Write the application as JSON");
  output.output("--write-devices", options.write_devices,
                "Write the chosen or measured devices as JSON");
  p.example("forecast coulomb.json --device \"EPYC 7763\" H200 VU9P --json report.json",
            "compares three devices; scripts/plot report.json draws their rooflines");
  p.example("forecast --published", "the published example and its inconsistencies");
  p.example("forecast --kernel kalman_update --items 1e7 --write-application update.json",
            "a library kernel, and its description as a file to start from");
  p.example("forecast --chains chains.json --device \"EPYC 7763\" --json report.json",
            "throughput of measured chains on 1 to 64 cores, which share memory and cache");
  p.example("forecast --measure --write-devices host.json",
            "forecasts against measurements on this host");
  p.example("forecast --write-devices devices.json", "the device library as a file");
  p.add_common_options(false);
}

std::vector<Kernel> chosen_kernels(const Options& options) {
  const auto kernels = library_kernels();
  if (options.kernel.empty()) return kernels;
  std::string known;
  for (const auto& kernel : kernels) {
    if (kernel.name == options.kernel) return {kernel};
    known += (known.empty() ? "" : ", ") + kernel.name;
  }
  throw UsageError("--kernel", "there is no kernel " + options.kernel, "known: " + known);
}

model::Application chosen_application(const Options& options) {
  auto application = !options.application.empty() ? io::read_application(options.application)
                     : !options.kernel.empty()
                         ? application_of(chosen_kernels(options)[0], 1e6, true)
                         : model::published_application();
  if (options.items) application.items = *options.items;
  return application;
}

std::vector<model::Device> chosen_devices(const Options& options) {
  const auto devices =
      options.device_file.empty() ? model::device_library() : io::read_devices(options.device_file);
  if (devices.empty()) throw InputError({options.device_file, "devices"}, "the list is empty");
  if (options.devices.empty()) return devices;
  std::vector<model::Device> chosen;
  for (const auto& name : options.devices) chosen.push_back(model::device_named(devices, name));
  return chosen;
}

void write_if_asked(const std::string& file, const std::string& text) {
  if (!file.empty()) write_file(file, text);
}

/// Forecasts for all devices. One that the application cannot run on is left out with a warning,
/// unless it was asked for by name.
Results forecast_all(const program::Program& p, const Options& options,
                     const std::vector<model::Device>& devices) {
  Results results{chosen_application(options), {}, {}, {}};
  for (const auto& device : devices) try {
      results.forecasts.push_back(model::forecast(results.application, device, options.forecast));
      results.devices.push_back(device);
    } catch (const UsageError& error) {
      if (!options.devices.empty()) throw;
      p.warn("{} is left out: {}", device.name, error.what());
    }
  if (results.forecasts.empty())
    throw InputError({options.device_file}, "there is no forecast for any device");
  results.decision = model::decide(results.application, results.forecasts, options.thresholds);
  return results;
}

void run_forecast(program::Program& p, const Options& options) {
  const auto devices = chosen_devices(options);
  write_if_asked(options.write_devices, io::devices_text(devices));
  if (!options.has_application() && !options.write_devices.empty()) return;
  const auto results = forecast_all(p, options, devices);
  write_if_asked(options.write_application, io::application_text(results.application));
  const bool published = options.application.empty() && options.kernel.empty();
  p.input = {{"kind", published                ? "published"
                      : options.kernel.empty() ? "file"
                                               : "kernel"},
             {"application", results.application.name}};
  p.results = to_json(results);
  if (published) p.results["inconsistencies"] = inconsistencies_json();
  if (auto plot = roofline_plot(results); !plot.is_null()) p.plots.push_back(std::move(plot));
  p.text = (options.loop_flow ? loop_flow(results.application) : "") + text(results) +
           (published ? inconsistencies_text() : "");
}

void run_measurement(program::Program& p, const Options& options) {
  const auto kernels = chosen_kernels(options);
  const bool described = !options.devices.empty() || !options.device_file.empty();
  const auto core =
      described ? model::one_core_of(chosen_devices(options).front()) : model::measured_host();
  write_if_asked(options.write_devices, io::devices_text({core}));
  auto progress = p.progress("kernels", 2 * kernels.size());
  const auto comparisons =
      measure_kernels(kernels, core, p.options.repeat, [&] { progress.advance(); });
  p.input = {{"kind", "measurement"}};
  p.results = {{"device", io::detail::FieldWriter::write(core)},
               {"lanes", lanes},
               {"comparisons", comparisons}};
  p.text = fmt::format("{}: {:.2f} GHz, {} lanes, {:.1f} Gflop/s, {:.1f} GB/s\n\n{}", core.name,
                       1e-9 * core.clock, lanes, 1e-9 * core.peak.fp32,
                       1e-9 * core.memory.bandwidth, comparison_table(comparisons));
}

/// Without --device, all CPUs.
void run_scaling(program::Program& p, const Options& options) {
  auto devices = chosen_devices(options);
  write_if_asked(options.write_devices, io::devices_text(devices));
  if (options.devices.empty())
    std::erase_if(devices, [](const auto& d) { return d.kind != model::DeviceKind::cpu; });
  const auto scalings = scalings_json(io::read_chains(options.chains), devices);
  p.input = {{"kind", "chains"}};
  p.results = {{"scalings", scalings}};
  if (!scalings.empty()) p.plots.push_back(scaling_plot(scalings));
  p.text = scalings_text(scalings);
}

}  // namespace

int main(int argc, char* argv[]) {
  program::Program p("forecast",
                     "Forecasts the run time of an application on CPUs, GPUs and FPGAs.", "");
  Options options;
  add_options(p, options);
  return p.main(argc, argv, [&] {
    options.check();
    if (!options.chains.empty()) return run_scaling(p, options);
    options.measure ? run_measurement(p, options) : run_forecast(p, options);
  });
}
