// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "measure_filter.hpp"
#include "p2r_filter.hpp"

namespace trackplex::benchmarks {

template <class Real, class ExecutionSpace>
FitOutcome measure_fit(const program::Run<Real, ExecutionSpace>& run,
                       const Population<Real>& population, const FitSettings& settings) {
  return measure_filter(P2rFilter{settings.published}, run, population, settings);
}

template FitOutcome measure_fit(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                const Population<TRACKPLEX_REAL>&, const FitSettings&);

}  // namespace trackplex::benchmarks
