// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Raw banks of one kind of one LHCb event in a binary file. Little endian, in words of four bytes:
///
///   number of banks n, n + 1 offsets, n banks of {source, payload}
///
/// The offsets are those of the banks relative to the first one, in bytes, and the end of the last
/// one; files of September 2018 lack the end. Payloads are truncated or padded to whole words. The
/// version of the banks is not in the file.
///
/// A folder holds the files of the events as banks/VP/NAME.bin, banks/UT/NAME.bin and, where there
/// are SciFi banks, banks/FTCluster/NAME.bin, with names like 6718861_6001: run and number of the
/// event.

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/check_raw_banks.hpp>
#include <trackplex/lhcb/raw_banks.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Versions of the banks in a folder, which the files do not contain.
struct BankFileVersions {
  int vp = lhcb::vp_bank_version;      ///< version of the VP banks
  int ut = lhcb::ut_bank_versions[0];  ///< version of the UT banks
  int scifi = 5;                       ///< version of the SciFi banks
};

/// Parses the contents of a bank file; the banks get this `version`, and `name` is for messages.
/// The payloads are not examined.
/// @throws InputError if offsets or sources are impossible, with the byte
lhcb::RawBanks parse_bank_file(std::string_view bytes, const std::string& name, int version);

/// Reads a bank file, see parse_bank_file().
/// @throws InputError if the file cannot be read or is damaged
lhcb::RawBanks read_bank_file(const std::filesystem::path& path, int version);

/// Returns the contents of a bank file, which read back as these banks with their payloads padded
/// to whole words.
/// @throws CapacityError if the offsets do not fit into 32 bits
std::string bank_file_bytes(const lhcb::RawBanks& banks);

/// Reads the VP and UT banks of the event `name` of a folder, and its SciFi banks if the folder has
/// a subfolder for such banks; run and number are those of the name, if it has the form RUN_NUMBER.
/// @throws InputError where a file is missing or damaged, or lhcb::check_raw_event finds a fault
lhcb::RawEvent read_raw_event(const std::filesystem::path& folder, const std::string& name,
                              BankFileVersions versions = {});

/// The same for folders that complete each other, of which there is at least one: banks of a kind
/// are read from the last folder with a subfolder for them. The name in messages is that of the
/// first folder.
/// @throws InputError as read_raw_event() of one folder
lhcb::RawEvent read_raw_event(std::span<const std::filesystem::path> folders,
                              const std::string& name, BankFileVersions versions = {});

/// Writes the VP and UT banks of an event, and its SciFi banks if it has some, as the files of the
/// event `name`, and creates the folders.
/// @throws InputError or UsageError if lhcb::check_raw_event finds a fault, Error if writing fails
void write_raw_event(const std::filesystem::path& folder, const std::string& name,
                     const lhcb::RawEvent& event);

/// Lists the names of the events of a folder, in natural order: RUN_9 before RUN_10. An event that
/// lacks one of its two files is included; reading it fails.
/// @throws InputError if there is none
std::vector<std::string> raw_event_names(const std::filesystem::path& folder);

/// The same for folders that complete each other, see read_raw_event().
/// @throws InputError if there is no event
std::vector<std::string> raw_event_names(std::span<const std::filesystem::path> folders);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/lhcb/detail/bank_files.impl.hpp>
#endif
