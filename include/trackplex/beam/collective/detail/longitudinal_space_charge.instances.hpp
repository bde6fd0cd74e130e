// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the longitudinal space charge.

#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/core/kernel_instances.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct SpaceCharge {
  using Real = LanesOf<T, Width>;
  using Double = Rebind<Real, double>;
  template <class Terms>
  using Reduce = trackplex::detail::ReduceBlocks<beam::detail::SpreadOperations, Double, Terms>;

  using Drift = beam::DriftStraight<Real>;
  using KickAndDrift = beam::detail::KickAndDrift<Real>;
  using FirstSpreads = Reduce<beam::detail::DelaysAndSpreads<Real>>;
  using NextSpreads = Reduce<beam::detail::KickDriftAndSpreads<Real>>;
  using Positions = beam::detail::PositionsOfDelays<Real>;
  static constexpr auto nearest = histogram::Deposition::nearest;
  using Replicated = histogram::detail::DepositReplicated<nearest, Real, Positions, true>;
  using Sorted = histogram::detail::DepositSorted<nearest, Real, Positions>;
  using InPlace = histogram::detail::DepositInPlace<nearest, Real, Positions>;
  using Field = beam::detail::SpaceChargeField<T, LanesOf<double, (Width < 4 ? Width : 4)>, Memory>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_LONGITUDINAL_SPACE_CHARGE_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TILES(PREFIX, SpaceCharge, T, W, Drift)                 \
  TRACKPLEX_TILES(PREFIX, SpaceCharge, T, W, KickAndDrift)          \
  TRACKPLEX_TEAMS(PREFIX, SpaceCharge, T, W, FirstSpreads)          \
  TRACKPLEX_TEAMS(PREFIX, SpaceCharge, T, W, NextSpreads)           \
  TRACKPLEX_TEAMS(PREFIX, SpaceCharge, T, W, Replicated)            \
  TRACKPLEX_TEAMS(PREFIX, SpaceCharge, T, W, Sorted)                \
  TRACKPLEX_TILES(PREFIX, SpaceCharge, T, W, InPlace)               \
  TRACKPLEX_TEAMS(PREFIX, SpaceCharge, T, W, Field)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(LONGITUDINAL_SPACE_CHARGE, space_charge, double)
}  // namespace trackplex
