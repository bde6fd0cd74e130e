// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whole bunches for TRACKPLEX_SPACE: generated, their moments, and the lost particles removed.

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/remove_lost.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

namespace trackplex {

template <class T>
double bunch() {
  using Space = TRACKPLEX_SPACE;
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = simulation::generate_bunch<T>(exec, simulation::BunchParams{}, workspace);
  beam::remove_lost(exec, bunch, workspace);
  return beam::moments_of(exec, bunch, workspace).betatron_optics(beam::x).emittance;
}

template double bunch<float>();
template double bunch<double>();

}  // namespace trackplex
