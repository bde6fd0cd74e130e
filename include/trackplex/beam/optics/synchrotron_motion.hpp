// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Longitudinal motion in rings: slip and synchrotron tune. On the host.

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Longitudinal motion of one turn about the reference particle.
struct SynchrotronMotion {
  /// Phase slip: relative change of the time of a turn by delta, \f$\alpha_c-1/\gamma^2\f$, along
  /// the dispersive orbit of the start.
  double slip = 0.;
  double compaction = 0.;  ///< Momentum compaction: relative change of the path of a turn by delta.
  double tune = 0.;        ///< Synchrotron tune, 0 to 1/2; 0 without cavities.
};

/// Returns the linear map of a line for particles at a reference momentum p0 (beta gamma), in which
/// the fifth coordinate is the delay with respect to the reference particle times its velocity, m,
/// replacing s: drifts of a length l have R_56 = -l/gamma^2.
/// @throws UsageError as `map_of`, or if p0 is not above 0 or changes along the line
TransferMap delay_map_of(const BeamLine& line, double p0);

/// Computes the longitudinal motion of a ring at a reference momentum p0 (beta gamma). The
/// synchrotron tune is the tune of the slowest mode of the whole map, including dispersion in the
/// cavities.
/// @throws UsageError as `delay_map_of`, if the motion in a plane has no dispersion (its tune is
/// whole), or the longitudinal motion is not stable
SynchrotronMotion synchrotron_motion(const BeamLine& ring, double p0);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/synchrotron_motion.impl.hpp>
#endif
