// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The decoding of UT banks for TRACKPLEX_SPACE: device code of scalars, or host code of lanes.

#include <trackplex/core/spaces.hpp>
#include <trackplex/lhcb/ut_bank_v4.hpp>
#include <trackplex/lhcb/ut_decoding.hpp>

namespace trackplex::lhcb {

using Space = TRACKPLEX_SPACE;
using MemorySpace = Space::memory_space;

#define TRACKPLEX_DECODE_UT(Real)                                                            \
  template UtDecodingTable<Real, MemorySpace> ut_decoding_table<Real, Space>(                \
      const Space&, const UtBoards&, const UtGeometry&, const UtSectorGroups&);              \
  template void reserve_ut_hits<Space, Real>(const Space&, std::span<const RawEvent>, int,   \
                                             UtHits<Real, MemorySpace>&,                     \
                                             detail::UtHitsStaging&);                        \
  template void decode_ut<default_lane_width<Space, Real>, Space, Real>(                     \
      const Space&, const RawBankBatch<MemorySpace>&, const UtDecodingTable<Real, MemorySpace>&, \
      const UtHits<Real, MemorySpace>&, int);
TRACKPLEX_DECODE_UT(float)
TRACKPLEX_DECODE_UT(double)
#undef TRACKPLEX_DECODE_UT

}  // namespace trackplex::lhcb
