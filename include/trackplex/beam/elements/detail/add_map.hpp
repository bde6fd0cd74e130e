// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

namespace detail {

/// Adds a map and what it adds to the coordinates apart from that: the pattern may be a short one
/// then.
void add_map_and_shift(StepBuilder& to, TransferMap map, MapField field = {});

/// Adds the map of a misaligned element with a straight axis.
void add_misaligned(StepBuilder& to, const TransferMap& map, const Misalignment& by,
                    const MapField& field = {});

}  // namespace detail

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/add_map.impl.hpp>
#endif
