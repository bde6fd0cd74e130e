// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of generated cylinder events: hits, truth and all.
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/simulation/cylinder_events.hpp>

#include "golden_hashes.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

constexpr int n_events = 6;

void add(Fingerprint& hash, const tracks::TrackingEvents& events, int event) {
  const auto& hits = events.hits;
  for (int layer = 0; layer < hits.layers(); ++layer) {
    const auto entry = std::size_t(event * hits.layers() + layer);
    hash.add(hits.size(event, layer));
    for (auto i = std::size_t(hits.offsets[entry]); i < std::size_t(hits.offsets[entry + 1]); ++i) {
      hash.add(hits.x[i]).add(hits.y[i]).add(hits.z[i]).add(events.particle_of_hit[i]);
      for (const float element : hits.covariance[i]) hash.add(element);
    }
  }
  const auto first = std::size_t(events.particle_offsets[std::size_t(event)]);
  hash.add(events.particle_count(event));
  for (int i = 0; i < events.particle_count(event); ++i) {
    const auto& particle = events.particles[first + std::size_t(i)];
    for (const double parameter : particle.start.elements) hash.add(parameter);
    hash.add(particle.charge);
  }
}

/// Of all events, generated in batches.
template <int Width, class Space>
std::string events_hash(const simulation::CylinderEventParams& params, int batch) {
  Fingerprint hash;
  for (int first = 0; first < n_events; first += batch) {
    const int n = std::min(batch, n_events - first);
    const auto events =
        simulation::generate_cylinder_events<Width>(Space(), params, std::uint64_t(first), n);
    for (int event = 0; event < n; ++event) add(hash, events, event);
  }
  return hash.hex();
}

template <class Space, int... Widths>
void check_widths(const simulation::CylinderEventParams& params, const std::string& golden) {
  for (const int batch : {1, 4, n_events}) {
    CAPTURE(batch);
    (
        [&] {
          CAPTURE(Widths);
          CHECK(events_hash<Widths, Space>(params, batch) == golden);
        }(),
        ...);
  }
}

template <class Space>
void check_space(const simulation::CylinderEventParams& params, const std::string& golden) {
  if constexpr (is_host_space<Space>)
    check_widths<Space, 1, 4, 8>(params, golden);
  else
    check_widths<Space, 1>(params, golden);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Cylinder events are the same everywhere", "[reproducibility]",
                        EnabledSpaces) {
  simulation::CylinderEventParams params;
  params.tracks = 501;
  params.particles.seed = 2024;
  check_space<TestType>(params, cylinder_events_golden);

  params.particles.material = true;
  params.particles.min_pt = 0.15;  // some turn back
  params.inefficiency = 0.05;
  params.noise_per_layer = 50.;
  check_space<TestType>(params, realistic_cylinder_events_golden);
}

}  // namespace trackplex::test
