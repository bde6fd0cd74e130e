// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace trackplex::lhcb {

/// VELO track with hits in the UT, on the host.
struct UtTrack {
  std::uint16_t velo_track = 0;  ///< index of the VELO track in its event
  /// (layer): index of the hit in its event, -1 if there is none.
  std::array<std::int32_t, ut_layers> hits{-1, -1, -1, -1};
  double qop = 0.;    ///< charge over momentum, 1/MeV, for both polarities of the magnet
  double chi2 = 0.;   ///< of the p-kick fit, per degree of freedom
  double x = 0.;      ///< x at ut_z_middle, mm
  double slope = 0.;  ///< dx/dz in the UT

  double p() const { return std::abs(1. / qop); }  ///< Momentum, MeV.

  /// Compares all members.
  friend bool operator==(const UtTrack&, const UtTrack&) = default;
};

/// Window of a VELO track in a sector group of a layer: the hits [first, first + size) of the
/// event.
struct UtWindow {
  std::uint32_t first = 0;  ///< index of the first hit in the event
  std::uint32_t size = 0;   ///< number of hits

  /// Compares both members.
  friend bool operator==(const UtWindow&, const UtWindow&) = default;
};

/// Windows of a VELO track in a layer, one for each sector group in the order of the search.
class UtWindowList {
 public:
  static constexpr std::size_t capacity = 5;  ///< Maximum number of sector groups.

  /// Appends a window, of which there are fewer than `capacity`.
  KOKKOS_FUNCTION void push_back(const UtWindow& window) { windows_[size_++] = window; }

  std::size_t size() const { return size_; }                               ///< Number of windows.
  const UtWindow* begin() const { return windows_; }                       ///< First window.
  const UtWindow* end() const { return begin() + size_; }                  ///< End of the windows.
  UtWindow& operator[](std::size_t i) { return windows_[i]; }              ///< Window i.
  const UtWindow& operator[](std::size_t i) const { return windows_[i]; }  ///< Window i.

  /// Compares all windows.
  friend bool operator==(const UtWindowList&, const UtWindowList&) = default;

 private:
  UtWindow windows_[capacity];
  std::uint32_t size_ = 0;
};

/// Windows of a VELO track in all layers.
struct UtTrackWindows {
  std::uint16_t velo_track = 0;                ///< index of the VELO track in its event
  std::array<UtWindowList, ut_layers> layers;  ///< (layer), (group in search order)

  /// Compares both members.
  friend bool operator==(const UtTrackWindows&, const UtTrackWindows&) = default;
};

/// UT hits of an event on the host, in the order of UtHits: a view of arrays, which others own.
/// Lengths are in mm.
struct UtHitList {
  std::span<const double> y_begin,     ///< (hit): lowest y of the strip
      y_end,                           ///< (hit): highest y of the strip
      x,                               ///< (hit): x of the strip, extended to y = 0
      z;                               ///< (hit): z of the strip
  std::span<const std::uint32_t> ids;  ///< (hit): LHCbID
  std::array<std::uint32_t, ut_layers + 1>
      layer_offsets{};         ///< first hit of each layer, and the end
  std::uint32_t unmapped = 0;  ///< number of hits of channels without a sector, which were skipped

  /// Number of hits.
  std::size_t size() const { return ids.size(); }

  /// Compares all members, and the contents of all arrays.
  friend bool operator==(const UtHitList& a, const UtHitList& b) {
    const auto equal = [&](auto member) { return std::ranges::equal(a.*member, b.*member); };
    return equal(&UtHitList::y_begin) && equal(&UtHitList::y_end) && equal(&UtHitList::x) &&
           equal(&UtHitList::z) && equal(&UtHitList::ids) && a.layer_offsets == b.layer_offsets &&
           a.unmapped == b.unmapped;
  }
};

}  // namespace trackplex::lhcb
