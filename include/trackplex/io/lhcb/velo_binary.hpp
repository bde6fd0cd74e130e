// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// VELO events in binary files (.velo), one event each, with the same contents as the JSON format,
/// bit by bit, and many times faster to read. Little endian, without padding:
///
///   event     "TPXVELO1"; u32 parts: 1 times, 2 truth, 4 kinematics; i32 number of hits n; u32
///             module_prefix_sum (53); f64 x (n), y (n), z (n), optional t (n); optional truth
///   truth     i32 number of particles, particles
///   particle  optional kinematics: i64 key, i32 pid, f64 p, pt, eta, phi, i32 charge, u8 flags
///   (8);
///             i32 number of hits, u32 indices of the hits
///
/// Units are those of lhcb::VeloEvent: mm and MeV. Raw banks cannot represent these events, whose
/// hits are at simulated positions, not at pixels.

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Parses the contents of a file; `name` becomes the name of the event, and is for messages.
/// @throws InputError if the contents are damaged, with the byte or the element
/// @throws CapacityError if the event has more than 65535 hits, the limit of 16-bit indices
lhcb::VeloEvent parse_velo_binary(std::string_view bytes, std::string name);

/// Returns the contents of a file, which read back as an equal event, apart from its name.
/// @throws UsageError if the arrays of the coordinates differ in length
std::string velo_binary_bytes(const lhcb::VeloEvent& event);

/// Reads an event from a file; its name is the path. See parse_velo_binary().
/// @throws InputError if the file cannot be read, InputError and CapacityError as
/// parse_velo_binary()
lhcb::VeloEvent read_velo_binary(const std::filesystem::path& file);

/// Writes an event to a file.
/// @throws UsageError as velo_binary_bytes(), Error if the file cannot be written
void write_velo_binary(const std::filesystem::path& file, const lhcb::VeloEvent& event);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/velo_binary.impl.hpp>
#endif
