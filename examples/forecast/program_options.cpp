// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_options.hpp"

#include <trackplex/core/error.hpp>

namespace forecast {

namespace program = trackplex::program;
using trackplex::UsageError;

void ProgramOptions::check() const {
  const int sources = int(!application.empty()) + int(published) + int(!kernel.empty());
  if (sources > 1)
    throw UsageError("APPLICATION", "more than one is given", {},
                     "choose one of a file, --published and --kernel");
  if (measure) {
    if (!application.empty() || published)
      throw UsageError("--measure", "measures the library's own kernels only", {},
                       "leave the application out, or choose a --kernel");
    if (devices.size() > 1)
      throw UsageError("--device", "one device stands for this host", {}, "name one of them");
    for (const auto* file : {&loop_flow, &roofline, &write_application})
      if (!file->empty())
        throw UsageError("--measure", "draws and writes no application", {},
                         "use --kernel without --measure for " + *file);
    if (items > 0. || forecast.with_start)
      throw UsageError("--measure", "chooses the number of work items itself, and has no start");
    return;
  }
  if (sources == 0 && write_devices.empty())
    throw UsageError("APPLICATION", "there is none", {},
                     "give a file, --published, --kernel or --measure; see --help");
  if (sources == 0 && (!write_application.empty() || !loop_flow.empty() || !roofline.empty()))
    throw UsageError("APPLICATION", "there is none to write or to draw");
}

namespace {

void add_input(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Application";
  app.add_option("APPLICATION", options.application, "JSON file with the loop flow")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--published", options.published,
               "The published example, with what does not agree in it")
      ->group(group);
  app.add_option("--kernel", options.kernel,
                 "A kernel of the library, its operations counted: product_6x6, kalman_update, ...")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--items", options.items, "Work items, instead of the application's")
      ->type_name("N")
      ->transform(program::finite_number(1., 1e18))
      ->group(group);
}

void add_devices(CLI::App& app, ProgramOptions& options) {
  const std::string group = "Devices";
  app.add_option("--device", options.devices, "Devices by name (default: all)")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--devices", options.device_file, "JSON file to take them from")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--start", options.forecast.with_start,
               "Add what a device needs before its first work")
      ->group(group);
}

void add_decision(CLI::App& app, ProgramOptions& options) {
  auto& t = options.thresholds;
  const auto add = [&](const char* name, double& value, const char* type, double most,
                       const char* text) {
    app.add_option(name, value, text)
        ->type_name(type)
        ->transform(program::finite_number(0., most))
        ->capture_default_str()
        ->group("Decision");
  };
  add("--low-latency", t.ultra_low_latency, "S", 1e9, "Answers within this time, s, need an FPGA");
  add("--high-branch-misses", t.high_branch_misses, "RATE", 1.,
      "Of all instructions; above is high");
  add("--high-cache-misses", t.high_cache_misses, "RATE", 1., "Of all instructions; above is high");
  add("--items-per-core", t.items_per_core, "N", 1e18, "Work items that a GPU needs for each core");
  add("--fpga-gain", t.fpga_gain, "X", 1e9,
      "An FPGA pays where it is so many times as fast as a CPU");
  add("--similar", t.similar, "X", 1e9,
      "A GPU that takes up to so many times as long is preferred");
}

}  // namespace

void add_options(CLI::App& app, ProgramOptions& options) {
  add_input(app, options);
  add_devices(app, options);
  add_decision(app, options);
  app.add_flag("--measure", options.measure,
               "Measure kernels of the library on one core, and compare with the forecast")
      ->group("Measurement");
  app.add_option("--repeat", options.common.repeat, "Timed repetitions after a warm-up")
      ->type_name("N")
      ->transform(program::whole_number(1, 1'000'000))
      ->capture_default_str()
      ->group("Measurement");
  program::add_output(app, "--loop-flow", options.loop_flow, "Draw the loop flow as SVG", {".svg"});
  program::add_output(app, "--roofline", options.roofline,
                      "Draw the rooflines of the devices as SVG", {".svg"});
  program::add_output(app, "--write-application", options.write_application,
                      "Write the application as JSON");
  program::add_output(app, "--write-devices", options.write_devices,
                      "Write the chosen or measured devices as JSON");
  options.common.backend = program::default_backend();
  program::add_report_options(app, options.common);
  program::add_examples(
      app, {{"forecast coulomb.json --device \"EPYC 7763\" H200 VU9P --roofline roofline.svg",
             "compares three devices and draws their rooflines"},
            {"forecast --published", "the published example, and where it contradicts itself"},
            {"forecast --kernel kalman_update --items 1e7 --write-application update.json",
             "a kernel of the library, and its description as a file to start from"},
            {"forecast --measure --write-devices host.json",
             "forecasts against measurements on this host"},
            {"forecast --write-devices devices.json", "the device library as a file"}});
}

}  // namespace forecast
