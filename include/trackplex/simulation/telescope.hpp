// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/geometry/field.hpp>

namespace trackplex::simulation {

/// Returns a telescope for tests and trials: twelve planes of strips, tilted and at three angles,
/// six on each side of `telescope_magnet()`, of together 5 mm of silicon.
geometry::DetectorDescription telescope();

/// Returns the field of the magnet of `telescope()`: a dipole of 1 T along y over 40 cm.
inline geometry::DipoleField telescope_magnet() { return {1., 54., 94., 8.}; }

}  // namespace trackplex::simulation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/telescope.impl.hpp>
#endif
