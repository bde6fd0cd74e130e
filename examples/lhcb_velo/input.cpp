// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "input.hpp"

#include <trackplex/io/velo_json.hpp>
#include <trackplex/pipeline/read_ahead.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/simulation/velo_generator.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace lhcb_velo {

namespace program = trackplex::program;
using trackplex::lhcb::VeloEvent;

namespace {

std::vector<std::filesystem::path> event_files(const ProgramOptions& options) {
  auto files = trackplex::io::velo_event_files({options.input.begin(), options.input.end()});
  if (options.events > 0) files.resize(std::min(files.size(), options.events));
  return files;
}

using EventReader = trackplex::pipeline::ReadAhead<VeloEvent>;

EventReader reader_of(const std::vector<std::filesystem::path>& files,
                      const ProgramOptions& options) {
  return {files.size(), options.readers,
          [files](std::size_t i) { return trackplex::io::read_velo_event(files[i]); }};
}

std::vector<VeloEvent> read_events(const ProgramOptions& options) {
  const auto files = event_files(options);
  program::ProgressBar progress("reading events", files.size(), options.common);
  auto next = reader_of(files, options);
  std::vector<VeloEvent> events;
  while (auto event = next()) {
    events.push_back(std::move(*event));
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

/// Whether events are to be read, not generated.
bool reads_files(const ProgramOptions& options) {
  const bool read = !options.input.empty(), generate = options.generate > 0;
  if (read == generate)
    throw trackplex::UsageError("", "events come from either --input or --generate",
                                read ? "both were given" : "neither was given", "see --help");
  return read;
}

}  // namespace

std::vector<VeloEvent> input_events(const ProgramOptions& options) {
  return reads_files(options) ? read_events(options) : generate_events(options);
}

EventSource event_source(const ProgramOptions& options) {
  if (reads_files(options)) {
    const auto files = event_files(options);
    return {files.size(), [files, options] {
              const auto next = std::make_shared<EventReader>(reader_of(files, options));
              return [next]() -> std::shared_ptr<const VeloEvent> {
                auto event = (*next)();
                return event ? std::make_shared<VeloEvent>(std::move(*event)) : nullptr;
              };
            }};
  }
  std::vector<std::shared_ptr<const VeloEvent>> events;
  for (auto& event : generate_events(options))
    events.push_back(std::make_shared<VeloEvent>(std::move(event)));
  return {events.size(), [events] {
            return [events, i = std::size_t(0)]() mutable {
              return i == events.size() ? nullptr : events[i++];
            };
          }};
}

void write_input(const std::string& folder, const std::vector<const VeloEvent*>& events) {
  namespace fs = std::filesystem;
  trackplex::make_folder(folder);
  for (std::size_t e = 0; e < events.size(); ++e)
    trackplex::io::write_velo_binary(fs::path(folder) / fmt::format("velo_event_{}.velo", e),
                                     *events[e]);
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
