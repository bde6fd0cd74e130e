// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/lhcb_velo_ut.hpp"

using namespace trackplex;

namespace {

template <class Real>
void check_scalar() {
  test::check_velo_ut_sequence<Real, 1>(Kokkos::DefaultHostExecutionSpace(), test::ideal_detector(),
                                        test::raw_events(8), {},
                                        {test::velo_ut_fused, test::velo_ut_step_by_step});
}

}  // namespace

TEST_CASE("The VELO and UT sequence finds what the direct calls find without lanes",
          "[pipeline][lhcb]") {
  check_scalar<float>();
  check_scalar<double>();
}
