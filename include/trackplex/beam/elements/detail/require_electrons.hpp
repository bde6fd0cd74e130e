// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/reference_particle.hpp>
#include <trackplex/core/error.hpp>

namespace trackplex::beam {

/// Checks the particles of an element with a field in T, which bends others another way.
/// @throws UsageError if they are no electrons
inline void require_electrons(const char* element, const ReferenceParticle& reference) {
  if (reference.mass != 1. || reference.charge != 1.)
    throw UsageError(element, "its field is that for electrons, and the particles are others", {},
                     "use an element with a strength, as Solenoid");
}

}  // namespace trackplex::beam
