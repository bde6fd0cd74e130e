// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// LHCb VELO events in the JSON format of velopix_tracking: an object with `module_prefix_sum`
/// (53 integers; the hits of module m are [ps[m], ps[m + 1])), `x`, `y`, `z` (mm), optional `t`,
/// and optional `montecarlo`: {`description`: names, `particles`: rows of values in that order}.
/// Particles have all fields of lhcb::VeloParticle (Upgrade 1) or only `hits` (Upgrade 2).

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>

#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Parses the JSON text of an event; `name` becomes the name of the event, and is for messages.
/// @throws InputError if the text is damaged, with field and index, or byte
/// @throws CapacityError if the event has more than 65535 hits, the limit of 16-bit indices
lhcb::VeloEvent parse_velo_event(std::string_view text, std::string name);

/// Reads an event from a file, a binary one if its extension is .velo, else JSON; its name is the
/// path.
/// @throws InputError, CapacityError as parse_velo_event() and parse_velo_binary()
lhcb::VeloEvent read_velo_event(const std::filesystem::path& file);

/// Writes an event as JSON. The text reads back as an equal event, apart from its name, which the
/// format does not contain.
void write_velo_event(std::ostream& output, const lhcb::VeloEvent& event);

/// Lists the event files at a path: the file itself, or the `*.json` or `*.velo` files of a folder
/// in natural order (event_2 before event_10).
/// @throws InputError if there is none, or the folder has both kinds
std::vector<std::filesystem::path> velo_event_files(const std::filesystem::path& path);

/// Lists the event files at several paths, in the order of the paths.
/// @throws InputError if a path has none, or a folder has both kinds
std::vector<std::filesystem::path> velo_event_files(
    const std::vector<std::filesystem::path>& paths);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/velo_json.impl.hpp>
#endif
