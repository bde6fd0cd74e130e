// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Checkpoints of Monte Carlo transport as JSON: the simulation, the set of histories that have
/// run, and their exact counts. Integers above 2^53 are decimal strings, so that programs whose
/// only numbers are doubles can read them.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/montecarlo/transport_checkpoint_data.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Returns the text of a checkpoint.
std::string transport_checkpoint_text(const montecarlo::TransportDescription& description,
                                      const montecarlo::TransportCounts& counts);

/// Writes a checkpoint and replaces an older one atomically: whenever the program is interrupted,
/// the file is either the old or the new one.
/// @throws Error if it cannot be written
void write_transport_checkpoint(const std::filesystem::path& path,
                                const montecarlo::TransportDescription& description,
                                const montecarlo::TransportCounts& counts);

/// Parses the text of a checkpoint; `name` is for messages.
/// @throws InputError if it is of another format or version, damaged, or contradicts itself
TransportCheckpoint parse_transport_checkpoint(std::string_view text, const std::string& name);

/// Reads a checkpoint, see parse_transport_checkpoint().
/// @throws InputError if the file cannot be read or parsed
TransportCheckpoint read_transport_checkpoint(const std::filesystem::path& path);

/// Reads the counts of a checkpoint of the simulation `description`, to continue it or to add it to
/// others.
/// @throws InputError if the file cannot be read or parsed, or is of another simulation; the
/// message names the first difference
montecarlo::TransportCounts resume_transport(const std::filesystem::path& path,
                                             const montecarlo::TransportDescription& description);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/montecarlo/detail/transport_checkpoint.impl.hpp>
#endif
