// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fits.hpp"

#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace detector_tracker {

namespace {

/// Eigenvalues and eigenvectors of a symmetric matrix, the smallest first.
struct Eigensystem {
  std::array<double, 3> values;
  std::array<Vector3, 3> vectors;
};

/// By Jacobi's rotations.
Eigensystem eigensystem(const std::array<double, 6>& lower) {
  double a[3][3] = {{lower[0], lower[1], lower[3]},
                    {lower[1], lower[2], lower[4]},
                    {lower[3], lower[4], lower[5]}};
  double v[3][3] = {{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
  const auto turn = [](double& x, double& y, double c, double s) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (int sweep = 0; sweep < 20; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0.) continue;
        const double ratio = (a[q][q] - a[p][p]) / (2. * a[p][q]);
        const double t = std::copysign(1., ratio) / (std::abs(ratio) + trackplex::hypot(ratio, 1.));
        const double c = 1. / trackplex::hypot(t, 1.), s = t * c;
        for (auto& row : a) turn(row[p], row[q], c, s);
        for (int k = 0; k < 3; ++k) turn(a[p][k], a[q][k], c, s);
        for (auto& row : v) turn(row[p], row[q], c, s);
      }
  std::array<int, 3> order{0, 1, 2};
  std::ranges::sort(order, {}, [&](int i) { return a[i][i]; });
  Eigensystem found;
  for (int i = 0; i < 3; ++i) {
    const int k = order[std::size_t(i)];
    found.values[std::size_t(i)] = a[k][k];
    found.vectors[std::size_t(i)] = {{v[0][k], v[1][k], v[2][k]}};
  }
  return found;
}

/// The module of a point is thin: it lies across the direction of the smallest variance. Of
/// single-sided strips the largest one exceeds a square centimetre.
Hit hit_of(const io::CmsswHit& from) {
  const auto& x = from.position;
  const auto e = eigensystem(from.covariance);
  constexpr double strip = 1.;  // cm^2
  const bool is_strip = e.values[2] > strip;
  return {{{{x[0], x[1], x[2]}},
           e.vectors[1],
           e.vectors[2],
           {{e.values[1], 0., e.values[2]}},
           is_strip ? 1 : 2},
          from.radiation_lengths,
          from.xi};
}

kalman::TrackState<double> state_of(const Vector3& vertex, const Vector3& p, int charge) {
  Vector<double, 6> point{{vertex(0), vertex(1), vertex(2), p(0), p(1), p(2)}};
  kalman::TrackState<double> state{kalman::from_cartesian(point).coordinates, {}, double(charge)};
  for (double& element : state.covariance.elements) element = 0.;
  return state;
}

void read_cms(const std::string& file, std::vector<Track>& tracks, io::CmsswLeftOut& left_out) {
  constexpr std::size_t least = 3;  // a circle
  for (const auto& from : io::read_cmssw_tracks(file, &left_out)) {
    const auto& v = from.vertex;
    const auto& p = from.momentum;
    auto& track = tracks.emplace_back();
    track.truth = state_of({{v[0], v[1], v[2]}}, {{p[0], p[1], p[2]}}, from.charge);
    for (const auto& hit : from.hits) {
      track.hits.push_back(hit_of(hit));
      if (!(track.hits.back().on_module.covariance(0, 0) > 0.))
        throw InputError({file, "track", tracks.size() - 1}, "the covariance of a hit has no plane",
                         "two of its variances must be above 0");
    }
    const auto pixels = std::ranges::count(track.hits, false, &Hit::is_strip);
    if (from.hits.size() < least || pixels < 2)
      throw InputError({file, "track", tracks.size() - 1}, "it has too few hits",
                       "needs 3 hits, 2 with both coordinates");
  }
}

/// Muons in 13 cylinders of silicon, through the same conversion as measured ones.
std::vector<Track> generate_muons(const FitSettings& settings) {
  auto detector = settings.detector;
  detector.layers = 13;
  detector.first_radius = 4.4;
  detector.spacing = 8.6;
  detector.max_abs_eta = 0.6;
  detector.vertex_sigma_xy = 0.002;
  detector.vertex_sigma_z = 4.;
  detector.sigma_r_phi = 0.002;
  detector.sigma_z = 0.03;
  detector.material = true;
  detector.layer = {kalman::silicon, 0.3};
  detector.mass = constants::muon_mass;
  using Space = HostExecutor;
  const Space exec;
  simulation::CylinderTracks<double, MemoryOf<Space>> generated;
  simulation::generate_cylinder_tracks<1>(exec, detector, settings.tracks,
                                          kalman::SolenoidField{.c1 = settings.field}, generated);
  const auto truth = kalman::states_on_host(exec, generated.start);
  const auto complete = to_host(exec, generated.complete);
  const auto position = generated.hits.position.const_view();
  const auto covariance = generated.hits.covariance.const_view();
  const kalman::LayerConstants<double> layer(detector.layer);
  const double radiation_lengths = layer.thickness * layer.material.per_radiation_length,
               xi = layer.thickness * layer.material.bethe_factor;
  std::vector<Track> tracks;
  for (std::size_t t = 0; t < truth.size(); ++t) {
    if (!complete(t)) continue;
    auto& track = tracks.emplace_back(Track{truth[t], {}});
    for (int i = 0; i < detector.layers; ++i) {
      io::CmsswHit hit{{}, {}, radiation_lengths, xi};
      const int item = i * generated.hits.stride() + int(t);
      for (int e = 0; e < 3; ++e) hit.position[std::size_t(e)] = position.element(item, e);
      for (int e = 0; e < 6; ++e) hit.covariance[std::size_t(e)] = covariance.element(item, e);
      track.hits.push_back(hit_of(hit));
    }
  }
  return tracks;
}

}  // namespace

std::vector<Track> tracks_of(const FitSettings& settings, io::CmsswLeftOut& left_out) {
  if (settings.input.empty()) return generate_muons(settings);
  std::vector<Track> tracks;
  for (const auto& file : settings.input) read_cms(file, tracks, left_out);
  return tracks;
}

}  // namespace detector_tracker
