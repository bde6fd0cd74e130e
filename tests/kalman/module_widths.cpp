// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fits of hits in the frames of modules with lanes of any width: material of each lane.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>

#include "smoothed_modules.hpp"

using namespace trackplex;
using namespace trackplex::kalman;
using namespace trackplex::test;

TEMPLATE_TEST_CASE_SIG("fits of modules have the same bits in lanes of any width", "[kalman]",
                       ((FitForm Form), Form), FitForm::gain, FitForm::square_root) {
  const auto hash = []<int Width>(std::integral_constant<int, Width>) {
    TelescopeParams params;
    params.wide = 10.;
    ModuleTracks<float, ForwardTrack, 2> tracks(77, params);
    // Lanes with other material, with none, and with one coordinate
    for (int item = 0; item < tracks.hits.material.size(); ++item) {
      tracks.hits.material.view()(item, 0) *= float(item % 3);
      tracks.hits.material.view()(item, 1) *= float(item % 3);
      tracks.hits.count(std::size_t(item)) = std::int8_t(1 + item % 2);
    }
    const auto smoothed = smooth<Width, Form>(tracks);
    Fingerprint hash;
    for (int track = 0; track < tracks.n; ++track) {
      for (int e = 0; e < 6; ++e) hash.add(tracks.states.view().parameters(track, e));
      for (int e = 0; e < 21; ++e) hash.add(tracks.states.view().covariance.element(track, e));
      hash.add(tracks.results.chi2(std::size_t(track)));
      for (int layer = 0; layer < 12; ++layer)
        for (int e = 0; e < 21; ++e)
          hash.add(smoothed.states.covariance.const_view().element(
              layer * tracks.hits.stride() + track, e));
    }
    return hash.hex();
  };
  // Other widths: tests/reproducibility/module_fits.cpp
  CHECK(hash(std::integral_constant<int, 8>()) == hash(std::integral_constant<int, 1>()));
}
