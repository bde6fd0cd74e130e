// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the decoding of SciFi banks.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/decode_scifi.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct DecodeScifi {
  using Real = LanesOf<T, Width>;
  using Decode =
      lhcb::detail::ScifiDecoding<Real, lhcb::ScifiInput<Memory>,
                                  lhcb::ScifiDecodingTable<T, Memory>, lhcb::ScifiHits<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_DECODE_SCIFI_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, DecodeScifi, T, W, Decode)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(DECODE_SCIFI, general, float)
}  // namespace trackplex
