// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"

#include <trackplex/io/velo_json.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/simulation/velo_generator.hpp>

#include <algorithm>

namespace lhcb_velo {

namespace program = trackplex::program;
using trackplex::lhcb::VeloEvent;

namespace {

std::vector<VeloEvent> read_events(const ProgramOptions& options) {
  auto files = trackplex::io::velo_event_files({options.input.begin(), options.input.end()});
  if (options.events > 0) files.resize(std::min(files.size(), options.events));
  program::ProgressBar progress("reading events", files.size(), options.common);
  std::vector<VeloEvent> events;
  for (const auto& file : files) {
    events.push_back(trackplex::io::read_velo_event(file));
    progress.advance();
  }
  return events;
}

std::vector<VeloEvent> generate_events(const ProgramOptions& options) {
  const auto n = options.events > 0 ? std::min(options.events, options.generate) : options.generate;
  program::ProgressBar progress("generating events", n, options.common);
  const trackplex::simulation::VeloGenerator generator({}, options.common.seed);
  std::vector<VeloEvent> events;
  for (std::size_t i = 0; i < n; ++i) {
    events.push_back(generator(i));
    progress.advance();
  }
  return events;
}

}  // namespace

std::vector<VeloEvent> input_events(const ProgramOptions& options) {
  const bool read = !options.input.empty(), generate = options.generate > 0;
  if (read == generate)
    throw trackplex::UsageError("", "events come from either --input or --generate",
                                read ? "both were given" : "neither was given", "see --help");
  return read ? read_events(options) : generate_events(options);
}

program::Json input_description(const ProgramOptions& options, std::size_t events) {
  program::Json input;
  if (options.input.empty()) {
    input = {{"kind", "generated"}, {"seed", options.common.seed}};
  } else {
    input = {{"kind", "files"}, {"paths", options.input}};
  }
  input["events"] = events;
  input["constants"] = options.constants;
  return input;
}

}  // namespace lhcb_velo
