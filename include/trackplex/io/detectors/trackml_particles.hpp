// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lists of particles of the TrackML challenge, see io/detectors/trackml_events.hpp, without an
/// event.

#include <trackplex/core/compiled.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Parses the text of a list of particles: those with a charge, in the order of the file; `name` is
/// for messages. Lists of ACTS, which have other columns besides, are read, too.
/// @throws InputError with line and column if a row is damaged
std::vector<tracks::TrueParticle> parse_trackml_particles(std::string_view text,
                                                          const std::string& name);

/// Reads a list of particles, which may be compressed by gzip; see `parse_trackml_particles`.
/// @throws InputError if the file cannot be read or parsed
std::vector<tracks::TrueParticle> read_trackml_particles(const std::filesystem::path& path);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/trackml_particles.impl.hpp>
#endif
