// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// LHCb's raw data as the readout writes them (MDF files). Little endian; one event after another:
///
///   event   u32 size in bytes, three times; u32 checksum of what follows, or 0; u8 compression; u8
///           version 3 and length 7; u8 type of the data 1; u8 unused; u32 trigger mask (4 words),
///           run, orbit, bunch; body
///   body    banks, or records of zlib streams that hold them (see detail/root_records.hpp)
///   bank    u16 0xcbcb, u16 length with these 8 bytes, u8 type, u8 version, u16 source, payload,
///           padded to whole words
///
/// The banks of VP, UT, ODIN and the truth of simulated events are read; others are counted.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/lhcb/mdf_event.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

/// Reader of the events in the contents of an MDF file, one by one:
///
///   for (auto reader = open_mdf(path);;) {
///     try {
///       auto event = reader.next();
///       if (!event) break;
///       ...
///     } catch (const InputError& error) {
///       // this event is damaged; the next call gives the one after it
///     }
///   }
class MdfReader {
 public:
  /// Starts at the first event of `bytes`, the contents of a file. `name` is for messages and the
  /// names of events: "NAME: event 3 (run 6718861, number 6001)".
  MdfReader(std::string bytes, std::string name, MdfTruth truth = MdfTruth::read)
      : bytes_(std::move(bytes)), name_(std::move(name)), truth_(truth) {}

  /// Returns the next event, or nothing at the end.
  /// @throws InputError if the event is damaged; the next call returns the event after it. Only if
  /// the size of the event is damaged, the rest of the file is lost, as the message says, and the
  /// next call returns nothing.
  std::optional<MdfEvent> next();

  /// Skips the next event, of which only the size is read; returns false at the end.
  /// @throws InputError if the size is damaged; the rest of the file is lost then
  bool skip();

 private:
  /// Goes to the next event, and returns the size of this one.
  std::size_t pass_frame();
  std::size_t frame_size(std::size_t first, std::size_t number) const;

  std::string bytes_;
  std::string name_;
  MdfTruth truth_;
  std::size_t offset_ = 0;
  std::size_t n_events_ = 0;
};

/// Reads a whole file into memory and returns a reader of its events.
/// @throws InputError if the file cannot be read, or is empty
MdfReader open_mdf(const std::filesystem::path& path, MdfTruth truth = MdfTruth::read);

/// Reads all events of a file, with their truth.
/// @throws InputError at the first event that is damaged
std::vector<MdfEvent> read_mdf(const std::filesystem::path& path);

/// Options for writing MDF files.
struct MdfOptions {
  int compression = 0;   ///< level of zlib from 1 (fast) to 9 (small), or 0 for none
  bool checksum = true;  ///< writes checksums, else 0
};

/// Returns the contents of a file, which read back as these events: their VP and UT banks, run,
/// number, and truth. MdfEvent::other_banks are not written.
/// @throws UsageError if the compression level does not exist
/// @throws UsageError, InputError, CapacityError if an event could not be read back
std::string mdf_bytes(std::span<const MdfEvent> events, const MdfOptions& options = {});

/// Writes events to a file, see mdf_bytes().
/// @throws Error if it cannot be written
void write_mdf(const std::filesystem::path& path, std::span<const MdfEvent> events,
               const MdfOptions& options = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/mdf.impl.hpp>
#endif
