// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdio>
#include <trackplex/core/random.hpp>
#include <trackplex/kalman/host_module_measurements.hpp>
#include <trackplex/trackplex.hpp>
#include <trackplex/validation/pulls.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::kalman;

using Space = Kokkos::DefaultExecutionSpace;
using Memory = MemoryOf<Space>;

// 1. The detector: planes of strips, tilted and at three angles, six on each side of a magnet.
geometry::DetectorDescription telescope() {
  geometry::DetectorBuilder builder;
  const double angles[] = {0., 0.1, -0.1};
  for (int i = 0; i < 12; ++i)
    builder.plane({.centre = {0., 0., i < 6 ? 8. * i : 60. + 8. * i},
                   .normal = {0.2, 0., 1.},
                   .half_u = 20.,
                   .half_v = 20.,
                   .angle = angles[i % 3],
                   .sensor = {.pitch_u = 0.01}});
  return builder.build();
}

// 2. The field: 1 T along y in a gap of 40 cm, with fringes.
const geometry::DipoleField magnet{1., 54., 94., 8.};

// The simulation: a particle and its hits.
struct Particle {
  Parameters<double> truth;  // x, y, z, dx/dz, dy/dz, q/p before the first plane
  std::vector<ModuleHit<double, 1>> hits;
};

Particle simulate(int number, const geometry::DetectorDescription& detector) {
  RandomStream<double> random(1, std::uint64_t(number));
  const double charge = random.uniform() < 0.5 ? -1. : 1.;
  Particle particle{{{random.normal(), random.normal(), -8., 0.02 * random.normal(),
                      0.01 * random.normal(), charge / random.uniform(2., 10.)}},
                    {}};
  auto at = particle.truth;
  for (const auto& module : detector.modules) {
    const auto& frame = module.frame;
    const auto plane = geometry::Surface<double>::plane(frame.centre, frame.normal());
    at = transport<ForwardTrack>(at, charge, magnet, plane).parameters;
    const auto local = to_local(frame, {{at(0), at(1), at(2)}});
    const double sigma = module.pitch_u / std::sqrt(12.);
    const double u = local(0) + sigma * random.normal();
    particle.hits.push_back(
        {to_global(frame, {{u, 0., 0.}}), frame.u, frame.v, {{sigma * sigma}}, 1});
  }
  return particle;
}

int main() {
  const KokkosScope kokkos;
  constexpr int width = default_lane_width<Space, float>;
  const Space exec;
  const auto detector = telescope();
  const int n = 2000, planes = int(detector.modules.size());

  // 3. The hits of each track, in the order of the fit, and the start states.
  std::vector<Particle> particles;
  HostModuleMeasurements<float, Memory, 1> host_hits(planes, n);
  HostTrackStates<float, Memory, ForwardTrack> start;
  start.allocate(exec, n);
  const Parameters<double> anywhere{{0., 0., -8., 0., 0., 0.1}};
  const double sigma[6] = {3., 3., 0., 0.05, 0.05, 0.3};
  for (int track = 0; track < n; ++track) {
    particles.push_back(simulate(track, detector));
    for (int i = 0; i < planes; ++i) host_hits.set(i, track, particles.back().hits[i]);
    for (int p = 0; p < 6; ++p) {
      start.parameters.view()(track, p) = float(anywhere(p));
      for (int q = 0; q <= p; ++q)
        start.covariance.view()(track, p, q) = p == q ? float(sigma[p] * sigma[p]) : 0.f;
    }
    start.charge(track) = 1.f;  // its sign is that of q/p
  }
  const auto hits = to_device(exec, host_hits);

  // 4. Fit and smooth. The start is a thousand times less precise than a hit, which needs the
  // square-root form in single precision. The second fit is linearised about the first one.
  FitResults<float, Memory> results;
  SmoothedTracks<float, Memory, 1, ForwardTrack> smoothed;
  SmootherSteps<float, Memory, 1, FitForm::square_root> steps{planes, {}};
  TrackStates<float, Memory, ForwardTrack> states;
  std::vector<TrackState<double, ForwardTrack>> on_first;
  for (int iteration = 0; iteration < 2; ++iteration) {
    states.allocate(exec, n);
    copy_arrays(exec, states, start);
    smooth_tracks<width>(exec, states, magnet, hits.view(), 1, {}, results, smoothed, steps);
    on_first = states_on_host(exec, smoothed.states);
    for (int track = 0; track < n; ++track)
      for (int p = 0; p < 6; ++p)
        start.parameters.view()(track, p) = float(on_first[track].parameters(p));
  }

  // 5. The smoothed states on the first plane against the truth.
  validation::Pulls pulls;
  double squares = 0.;
  const int q_over_p = ForwardTrack::q_over_p;
  for (int track = 0; track < n; ++track) {
    const auto& state = on_first[track];
    const double truth = particles[track].truth(q_over_p), found = state.parameters(q_over_p);
    pulls.add(found, truth, std::sqrt(state.covariance(q_over_p, q_over_p)));
    squares += std::pow(found / truth - 1., 2.);
  }
  std::printf("%d tracks: momentum to %.2f %%, pulls of q/p %.3f wide with mean %.3f\n", n,
              100. * std::sqrt(squares / n), pulls.sigma(), pulls.mean());
}
