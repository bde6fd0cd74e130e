// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/ut_bank_v4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trackplex::lhcb {

/// Version of the VP banks that can be decoded.
inline constexpr int vp_bank_version = 2;
/// Versions of the UT banks that can be decoded; version 4 only to lanes and strips.
inline constexpr std::array<int, 2> ut_bank_versions = {3, 4};
/// Versions of the SciFi banks that can be decoded: from the first to the last one.
inline constexpr std::array<int, 2> scifi_bank_versions = {4, 8};
/// First version of the SciFi banks whose links have SiPMs of their own, see ScifiGeometry.
inline constexpr int scifi_link_version = 7;

namespace detail {

/// Checks for banks of all kinds, and their errors.
class RawBankChecks {
 public:
  RawBankChecks(const RawBanks& banks, std::string_view event, std::string_view kind);

  [[noreturn]] void fail(std::size_t bank, const std::string& problem,
                         const std::string& why = {}) const;

  [[noreturn]] void fail_version(const std::string& known) const;

  /// Sources are below `end`, and no two banks have the same source.
  void check_sources(std::size_t end) const;

  void check_payload(std::size_t bank, std::uint64_t needed, const std::string& what) const;

 private:
  const RawBanks& banks_;
  std::string event_;
  std::string kind_;
};

}  // namespace detail

/// Checks that the VP banks of an event can be decoded: version 2, one bank per sensor, payloads
/// long enough for their super-pixels. There may be no banks. Pixels outside the sensor pass; the
/// decoder counts them.
/// @throws InputError with event, bank and source
/// @throws UsageError if the arrays of `banks` do not agree
void check_vp_banks(const RawBanks& banks, std::string_view event);

/// Checks that the UT banks of an event can be decoded: version 3 or 4, one bank per board,
/// payloads long enough for their hits. There may be no banks. Channels without a sector pass; the
/// decoder counts them.
/// @throws InputError with event, bank and source
/// @throws UsageError if the arrays of `banks` do not agree
void check_ut_banks(const RawBanks& banks, std::string_view event);

/// Checks that the SciFi banks of an event can be decoded: version 4 to 8, one bank per source,
/// below 240 up to version 6, payloads of whole words of two bytes with a header. There may be no
/// banks. Clusters without a mat pass; the decoder counts them.
/// @throws InputError with event, bank and source
/// @throws UsageError if the arrays of `banks` do not agree
void check_scifi_banks(const RawBanks& banks, std::string_view event);

/// Checks the VP, UT and SciFi banks of an event. The readers of raw data call it for all events.
/// @throws InputError, UsageError as check_vp_banks(), check_ut_banks() and check_scifi_banks()
void check_raw_event(const RawEvent& event);

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/detail/check_raw_banks.impl.hpp>
#endif
