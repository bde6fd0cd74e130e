// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the decoding of UT banks.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/decode_ut.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct DecodeUt {
  using Real = LanesOf<T, Width>;
  using Decode =
      lhcb::detail::UtDecoding<Real, lhcb::RawBankBatch<Memory>, lhcb::UtDecodingTable<T, Memory>,
                               lhcb::UtHits<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_DECODE_UT_INSTANCES(PREFIX, T, W) TRACKPLEX_TEAMS(PREFIX, DecodeUt, T, W, Decode)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(DECODE_UT, general, float)
}  // namespace trackplex
