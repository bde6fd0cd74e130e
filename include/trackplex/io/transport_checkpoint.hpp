// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Checkpoints of Monte Carlo transport as JSON: what was simulated, which histories of it have
/// run, and what they counted, exactly. Integers above 2^53 are decimal strings, so that programs
/// whose only numbers are doubles read them, too.

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/transport_checkpoint_reader.hpp>
#include <trackplex/io/detail/transport_checkpoint_writer.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace trackplex::io {

/// The text of a checkpoint.
inline std::string transport_checkpoint_text(const montecarlo::TransportDescription& description,
                                             const montecarlo::TransportCounts& counts) {
  return detail::checkpoint_json({description, counts}).dump(1) + "\n";
}

/// Writes a checkpoint. The file is the old or the new one, whenever the program is stopped.
/// @throws Error where it cannot be written
inline void write_transport_checkpoint(const std::filesystem::path& path,
                                       const montecarlo::TransportDescription& description,
                                       const montecarlo::TransportCounts& counts) {
  replace_file(path, transport_checkpoint_text(description, counts));
}

/// The checkpoint in a text; `name` is for messages.
/// @throws InputError where it is not what the format says
inline TransportCheckpoint parse_transport_checkpoint(std::string_view text,
                                                      const std::string& name) {
  return detail::TransportCheckpointReader(text, name).read();
}

/// @throws InputError
inline TransportCheckpoint read_transport_checkpoint(const std::filesystem::path& path) {
  return parse_transport_checkpoint(read_file(path), path.string());
}

/// The counts of a checkpoint of the simulation `description`, to go on with or to add up.
/// @throws InputError if it is of another simulation, naming the first difference
inline montecarlo::TransportCounts resume_transport(
    const std::filesystem::path& path, const montecarlo::TransportDescription& description) {
  auto checkpoint = read_transport_checkpoint(path);
  detail::check_same_simulation(checkpoint.description, description, path.string());
  return std::move(checkpoint.counts);
}

}  // namespace trackplex::io
