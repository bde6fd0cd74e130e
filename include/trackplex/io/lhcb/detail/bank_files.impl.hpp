// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/detail/byte_reader.hpp>
#include <trackplex/io/lhcb/bank_files.hpp>
#include <trackplex/io/lhcb/detail/bank_bytes.hpp>
#include <trackplex/io/lhcb/detail/folders.hpp>
#include <trackplex/io/lhcb/detail/natural_order.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace trackplex::io {

namespace detail {

/// Whether the word after the offsets of the banks is the end of the last bank. In a file without
/// it, this word is the source of the first bank, which is much smaller.
inline bool has_end_offset(const ByteReader& in, const std::vector<std::uint32_t>& offsets) {
  if (in.left() < 4) return false;
  ByteReader ahead = in;
  const auto word = ahead.read<std::uint32_t>();
  return offsets.empty() || (word >= offsets.back() && word - offsets.back() >= 4);
}

/// Reads the offsets of the banks and of their end, relative to the end of the table, which is the
/// position of `in` afterwards.
inline std::vector<std::uint32_t> read_bank_offsets(ByteReader& in) {
  std::vector<std::uint32_t> offsets;
  in.read_all(offsets, in.read_count("banks", 4));
  if (has_end_offset(in, offsets)) {
    const std::size_t at = in.offset();
    offsets.push_back(in.read<std::uint32_t>());
    if (offsets.back() != in.left())
      throw InputError(in.place(at),
                       "the banks end after " + std::to_string(offsets.back()) + " bytes",
                       std::to_string(in.left()) + " are left");
  } else if (offsets.empty()) {
    in.expect_end("the table of no banks");
    offsets.push_back(0);
  } else if (in.left() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(in.place(in.offset()), "the banks are too long for offsets of 32 bits");
  } else {
    offsets.push_back(std::uint32_t(in.left()));
  }
  if (offsets.front() != 0)
    throw InputError(in.place(4, "offsets", 0),
                     "is " + std::to_string(offsets.front()) + " instead of 0");
  return offsets;
}

/// Folder of the banks of a kind.
inline std::filesystem::path folder_of_banks(std::span<const std::filesystem::path> folders,
                                             const char* kind) {
  const auto name = std::filesystem::path("banks") / kind;
  return last_folder_with(folders, name) / name;
}

/// Sets run and number of an event from a name RUN_NUMBER; other names leave them as they are.
inline void set_run_and_number(lhcb::RawEvent& event, std::string_view name) {
  const char* const end = name.data() + name.size();
  std::uint32_t run = 0;
  std::uint64_t number = 0;
  const auto after_run = std::from_chars(name.data(), end, run);
  if (after_run.ec != std::errc() || after_run.ptr == end || *after_run.ptr != '_') return;
  const auto after = std::from_chars(after_run.ptr + 1, end, number);
  if (after.ec != std::errc() || after.ptr != end) return;
  event.run = run;
  event.number = number;
}

}  // namespace detail

TRACKPLEX_INLINE lhcb::RawBanks parse_bank_file(std::string_view bytes, const std::string& name,
                                                int version) {
  detail::ByteReader in(bytes, name);
  const auto offsets = detail::read_bank_offsets(in);
  lhcb::RawBanks banks;
  banks.version = version;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const std::size_t at = in.offset();
    if (offsets[b + 1] < offsets[b] || offsets[b + 1] - offsets[b] < 4 || offsets[b + 1] % 4 != 0 ||
        offsets[b + 1] - offsets[b] > in.left())
      throw InputError(in.place(at, "bank", b),
                       "its end, " + std::to_string(offsets[b + 1]) + ", cannot be",
                       "it begins at " + std::to_string(offsets[b]) + ", and " +
                           std::to_string(in.left()) + " bytes are left",
                       "the file is damaged, or of another format");
    const auto source = in.read<std::uint32_t>();
    if (source > std::numeric_limits<std::uint16_t>::max())
      throw InputError(in.place(at, "bank", b), "its source is " + std::to_string(source),
                       "a source has 16 bits");
    detail::append_bank(banks, std::uint16_t(source),
                        in.read_bytes(offsets[b + 1] - offsets[b] - 4));
  }
  return banks;
}

TRACKPLEX_INLINE lhcb::RawBanks read_bank_file(const std::filesystem::path& path, int version) {
  return parse_bank_file(read_file(path), path.string(), version);
}

TRACKPLEX_INLINE std::string bank_file_bytes(const lhcb::RawBanks& banks) {
  const std::size_t n = banks.size();
  const std::size_t total = 4 * (n + banks.words.size());
  constexpr std::size_t capacity = std::numeric_limits<std::uint32_t>::max();
  if (total > capacity) throw CapacityError("bank file", "bytes of banks", total, capacity);
  detail::ByteWriter out;
  out.append_count(n);
  for (std::size_t b = 0; b <= n; ++b) out.append(std::uint32_t(4 * (b + banks.first_words[b])));
  for (std::size_t b = 0; b < n; ++b) {
    out.append(std::uint32_t(banks.sources[b]));
    out.append_bytes(detail::bank_words(banks, b));
  }
  return out.take();
}

TRACKPLEX_INLINE lhcb::RawEvent read_raw_event(const std::filesystem::path& folder,
                                               const std::string& name, BankFileVersions versions) {
  return read_raw_event(std::span(&folder, 1), name, versions);
}

TRACKPLEX_INLINE lhcb::RawEvent read_raw_event(std::span<const std::filesystem::path> folders,
                                               const std::string& name, BankFileVersions versions) {
  lhcb::RawEvent event;
  event.name = (folders.front() / name).string();
  detail::set_run_and_number(event, name);
  const auto read = [&](const char* kind, int version) {
    return read_bank_file(detail::folder_of_banks(folders, kind) / (name + ".bin"), version);
  };
  event.vp = read("VP", versions.vp);
  event.ut = read("UT", versions.ut);
  if (std::error_code error;
      std::filesystem::exists(detail::folder_of_banks(folders, "FTCluster"), error))
    event.scifi = read("FTCluster", versions.scifi);
  lhcb::check_raw_event(event);
  return event;
}

TRACKPLEX_INLINE void write_raw_event(const std::filesystem::path& folder, const std::string& name,
                                      const lhcb::RawEvent& event) {
  lhcb::check_raw_event(event);
  const auto write = [&](const char* kind, const lhcb::RawBanks& banks) {
    make_folder(folder / "banks" / kind);
    write_file(folder / "banks" / kind / (name + ".bin"), bank_file_bytes(banks));
  };
  write("VP", event.vp);
  write("UT", event.ut);
  if (event.scifi.size() > 0) write("FTCluster", event.scifi);
}

TRACKPLEX_INLINE std::vector<std::string> raw_event_names(const std::filesystem::path& folder) {
  return raw_event_names(std::span(&folder, 1));
}

TRACKPLEX_INLINE std::vector<std::string> raw_event_names(
    std::span<const std::filesystem::path> folders) {
  namespace fs = std::filesystem;
  std::set<std::string> found;
  for (const char* kind : {"VP", "UT"}) {
    const auto banks = detail::folder_of_banks(folders, kind);
    std::error_code error;
    if (!fs::exists(banks, error)) continue;
    for (const auto& entry : fs::directory_iterator(banks))
      if (entry.path().extension() == ".bin" && !entry.is_directory(error))
        found.insert(entry.path().stem().string());
  }
  if (found.empty())
    throw InputError({folders.front().string()}, "no event in this folder",
                     "no banks/VP/*.bin or banks/UT/*.bin");
  std::vector<std::string> names(found.begin(), found.end());
  std::sort(names.begin(), names.end(), detail::natural_less);
  return names;
}

}  // namespace trackplex::io
