// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/kalman/module_measurements.hpp>
#include <trackplex/validation/pulls.hpp>
#include <type_traits>
#include <vector>

#include "support/spaces.hpp"

namespace trackplex::test {

/// Uniform field across telescopes: along z for tracks of the model CentralTrack about the x axis,
/// along y for those of ForwardTrack about the z axis. The one is the other with the axes permuted.
struct FieldOfTelescope {
  double tesla = 3.;
};

/// The axes of a telescope for tracks about the x axis, or about z: (x, y, z) is (z', x', y').
template <class Model, class Real>
KOKKOS_FUNCTION geometry::Vector3<Real> about_x(const geometry::Vector3<Real>& a) {
  if constexpr (std::is_same_v<Model, kalman::ForwardTrack>)
    return {{a(2), a(0), a(1)}};
  else
    return a;
}
template <class Model, class Real>
KOKKOS_FUNCTION geometry::Vector3<Real> from_about_x(const geometry::Vector3<Real>& a) {
  if constexpr (std::is_same_v<Model, kalman::ForwardTrack>)
    return {{a(1), a(2), a(0)}};
  else
    return a;
}

/// Parameters of one model and their derivatives with respect to those of another.
template <class Real>
struct OtherModel {
  kalman::Parameters<Real> parameters;
  Matrix<Real, 6, 6> jacobian;
};

/// Parameters of the model `To` for a track of the model `From`; ForwardTrack has the axes
/// permuted.
template <class To, class From, class Real>
KOKKOS_FUNCTION OtherModel<Real> in_model(const kalman::Parameters<Real>& at, const Real& charge) {
  const auto motion = From::motion(at, charge);
  const auto turned = [](const geometry::Vector3<Real>& a) {
    return from_about_x<To>(about_x<From>(a));
  };
  kalman::Motion<Real> there{turned(motion.motion.direction), motion.motion.q_over_p};
  const kalman::Parameters<Real> zero{};
  const auto made = To::parameters(there, zero, charge);
  Matrix<Real, 4, 3> slopes;
  const auto given = as<Matrix<Real, 4, 3>>(motion.derivatives);
  OtherModel<Real> result{{}, {}};
  const auto place = turned({{at(0), at(1), at(2)}});
  for (int j = 0; j < 3; ++j) {
    const auto column = turned({{given(0, j), given(1, j), given(2, j)}});
    for (int i = 0; i < 3; ++i) slopes(i, j) = column(i);
    slopes(3, j) = given(3, j);
    result.parameters(j) = place(j);
    result.parameters(3 + j) = made.parameters(j);
    geometry::Vector3<Real> unit{};
    unit(j) = Real(1);
    const auto axis = turned(unit);
    for (int i = 0; i < 3; ++i) result.jacobian(i, j) = axis(i);
  }
  const auto momenta = as<Matrix<Real, 3, 3>>(made.derivatives * slopes);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result.jacobian(3 + i, 3 + j) = momenta(i, j);
  return result;
}

/// Transport along a helix to planes: for tests of the fit only.
template <class Model, class Real>
KOKKOS_FUNCTION auto transport(const kalman::Parameters<Real>& start, const Real& charge,
                               const FieldOfTelescope& field,
                               const geometry::Surface<Real>& surface, int /*steps*/ = 1) {
  using namespace kalman;
  const auto normal = about_x<Model>(surface.normal);
  const Plane<Real> plane{normal(0), normal(1), normal(2), surface.offset};
  const Real curvature = curvature_per_inverse_pt(charge, Real(ScalarOf<Real>(field.tesla)));
  if constexpr (std::is_same_v<Model, CentralTrack>) {
    return kalman::transport(start, curvature, plane);
  } else {
    const auto before = in_model<CentralTrack, Model>(start, charge);
    const auto moved = kalman::transport(before.parameters, curvature, plane);
    const auto after = in_model<Model, CentralTrack>(moved.parameters, charge);
    Transport<Real, Pattern<6, 6>::dense()> result{after.parameters, {}, moved.reached};
    result.jacobian = as<Matrix<Real, 6, 6>>(
        after.jacobian * as<Matrix<Real, 6, 6>>(moved.jacobian * before.jacobian));
    return result;
  }
}

/// Energy loss and scattering, drawn from the distributions that a fit assumes.
template <class Model>
void scatter(kalman::Parameters<double>& at, double charge,
             const kalman::LayerConstants<double>& layer, const geometry::Surface<double>& surface,
             RandomStream<double>& random) {
  const auto passage = kalman::pass_layer<Model>(at, charge, layer, surface);
  const auto noise = as<Symmetric<double, 6>>(passage.noise);
  Matrix<double, 3, 3> factor{};  // lower triangle
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) {
      double rest = noise(3 + i, 3 + j);
      for (int k = 0; k < j; ++k) rest -= factor(i, k) * factor(j, k);
      const double diagonal = factor(j, j);
      factor(i, j) = i == j ? std::sqrt(std::max(rest, 0.)) : diagonal > 0. ? rest / diagonal : 0.;
    }
  at = passage.parameters;
  for (int j = 0; j < 3; ++j) {
    const double normal = random.normal();
    for (int i = j; i < 3; ++i) at(3 + i) += factor(i, j) * normal;
  }
}

/// Generated telescopes.
struct TelescopeParams {
  int layers = 12;
  double sigma = 2e-3;  ///< of all coordinates, cm
  double radiation_lengths = 0.003;
  double xi = 1e-6;  ///< GeV; 0.03 cm of silicon have 5e-6
  double offset[6] = {0.005, 0.005, 0.005,
                      0.002, 0.002, 0.002};  ///< sigma of starts about the truth
  double wide = 1.;                          ///< errors of the starts over `offset`
  double min_p = 2., max_p = 10.;
  std::uint64_t seed = 7;
};

/// Tracks through planes along the x axis (CentralTrack) or the z axis (ForwardTrack), each through
/// planes of its own: true states, hits and starts.
template <class T, class TheModel, int M = 1>
struct ModuleTracks {
  using Model = TheModel;
  using Space = HostExecutor;
  using Memory = MemoryOf<Space>;
  Space exec;
  TelescopeParams params;
  FieldOfTelescope field;
  int n;
  kalman::ModuleMeasurements<T, Memory, M> hits;
  kalman::TrackStates<T, Memory, Model> states;
  kalman::FitResults<T, Memory> results;
  std::vector<kalman::Parameters<double>> truth;  ///< item layer * stride + track

  ModuleTracks(int tracks, const TelescopeParams& given = {}) : params(given), n(tracks) {
    hits.allocate(exec, params.layers, n, params.radiation_lengths > 0.);
    truth.resize(std::size_t(params.layers * hits.stride()));
    states.allocate(exec, n);
    exec.fence();
    for (int track = 0; track < n; ++track) generate(track);
  }

  template <int Width>
  void fit(const kalman::FitOptions& options = {}) {
    kalman::fit_tracks<Width>(exec, states, field, hits.view(), options, results);
    exec.fence();
  }

 private:
  using Vector3 = geometry::Vector3<double>;

  void generate(int track) {
    RandomStream<double> random(params.seed, std::uint64_t(track));
    const double p = params.min_p + (params.max_p - params.min_p) * random.uniform();
    const double charge = track % 2 == 0 ? 1. : -1.;
    kalman::Parameters<double> at;  // of the model CentralTrack, about the x axis
    for (int i = 0; i < 3; ++i) at(i) = 0.5 * random.normal();
    at(4) = 0.1 * random.normal();
    at(5) = 1.5707963 + 0.1 * random.normal();
    at(3) = 1. / (p * trackplex::sin(at(5)));
    if constexpr (std::is_same_v<Model, kalman::ForwardTrack>)
      at = in_model<Model, kalman::CentralTrack>(at, charge).parameters;
    set_start(track, at, charge, random);
    for (int layer = 0; layer < params.layers; ++layer) {
      const auto frame = module(layer, track);
      const auto surface = frame.surface();
      at = transport<Model>(at, charge, field, surface).parameters;
      truth[std::size_t(layer * hits.stride() + track)] = at;
      set_hit(layer, track, frame, at, random);
      if (params.radiation_lengths > 0.)
        scatter<Model>(at, charge,
                       kalman::LayerConstants<double>(params.radiation_lengths, params.xi,
                                                      hits.material_properties),
                       surface, random);
    }
  }

  /// Planes 10 cm apart, tilted by up to 0.3 rad, with strips in three directions.
  kalman::ModuleHit<double, M> module(int layer, int track) const {
    const double x = 10. + 10. * layer;
    const double a = 0.3 * trackplex::sin(1. * track + layer),
                 b = 0.3 * trackplex::cos(0.7 * track - layer);
    const double psi = 1.0471975512 * (layer % 3);
    const auto tilted = [&](const Vector3& v) {
      const double x1 = v(0) * trackplex::cos(a) - v(1) * trackplex::sin(a);
      const double y1 = v(0) * trackplex::sin(a) + v(1) * trackplex::cos(a);
      return Vector3{{x1 * trackplex::cos(b) - v(2) * trackplex::sin(b), y1,
                      x1 * trackplex::sin(b) + v(2) * trackplex::cos(b)}};
    };
    kalman::ModuleHit<double, M> hit{{{x, 0.1 * layer, -0.2 * layer}}, {}, {}, {}, M};
    hit.u = tilted({{0., trackplex::cos(psi), trackplex::sin(psi)}});
    hit.v = tilted({{0., -trackplex::sin(psi), trackplex::cos(psi)}});
    hit.point = from_about_x<Model>(hit.point);
    hit.u = from_about_x<Model>(hit.u);
    hit.v = from_about_x<Model>(hit.v);
    return hit;
  }

  void set_start(int track, const kalman::Parameters<double>& at, double charge,
                 RandomStream<double>& random) {
    const auto to = states.view();
    const bool forward = std::is_same_v<Model, kalman::ForwardTrack>;
    for (int i = 0; i < 6; ++i) {
      // q/p has the place of theta
      const double sigma = params.offset[forward && i > 2 ? (i == 5 ? 3 : i + 1) : i];
      to.parameters(track, i) = T(at(i) + sigma * random.normal());
      for (int j = 0; j <= i; ++j)
        to.covariance(track, i, j) =
            i == j ? T(sigma * params.wide) * T(sigma * params.wide) : T(0);
    }
    to.charge(std::size_t(track)) = T(forward ? 1. : charge);
  }

  void set_hit(int layer, int track, const kalman::ModuleHit<double, M>& frame,
               const kalman::Parameters<double>& at, RandomStream<double>& random) {
    const int item = layer * hits.stride() + track;
    const Vector3 off{{at(0) - frame.point(0), at(1) - frame.point(1), at(2) - frame.point(2)}};
    const Vector3 axes[3] = {frame.u, frame.v, geometry::cross(frame.u, frame.v)};
    Vector3 point = frame.point;
    for (int i = 0; i < 3; ++i) {
      const double measured =
          i < M ? geometry::dot(off, axes[i]) + params.sigma * random.normal() : 0.;
      point = geometry::add_scaled(point, measured, axes[i]);
    }
    for (int i = 0; i < 3; ++i) {
      hits.point.view()(item, i) = T(point(i));
      hits.axes.view()(item, 0, i) = T(frame.u(i));
      hits.axes.view()(item, 1, i) = T(frame.v(i));
    }
    for (int i = 0; i < M; ++i)
      for (int j = 0; j <= i; ++j)
        hits.covariance.view()(item, i, j) = i == j ? T(params.sigma * params.sigma) : T(0);
    hits.count(std::size_t(item)) = M;
    if (params.radiation_lengths > 0.) {
      hits.material.view()(item, 0) = T(params.radiation_lengths);
      hits.material.view()(item, 1) = T(params.xi);
    }
  }
};

/// Two unit vectors on the surface at a point: coordinates in which a position is measured.
template <class Model>
struct Pulled {
  validation::Pulls pulls[5];
  int negative = 0;  ///< states with a variance that is not positive

  /// Adds the pulls of u, v and the last three parameters, on a plane with these axes.
  void add(const kalman::TrackState<double, Model>& state, const kalman::Parameters<double>& truth,
           const geometry::Vector3<double>& u, const geometry::Vector3<double>& v) {
    double difference[5], variance[5];
    const geometry::Vector3<double> axes[2] = {u, v};
    for (int a = 0; a < 2; ++a) {
      difference[a] = variance[a] = 0.;
      for (int i = 0; i < 3; ++i) {
        difference[a] += axes[a](i) * (state.parameters(i) - truth(i));
        for (int j = 0; j < 3; ++j) variance[a] += axes[a](i) * axes[a](j) * state.covariance(i, j);
      }
    }
    for (int i = 3; i < 6; ++i) {
      difference[i - 1] = state.parameters(i) - truth(i);
      variance[i - 1] = state.covariance(i, i);
    }
    bool good = true;
    for (const double number : variance) good = good && number > 0.;
    if (!good) return void(++negative);
    for (int a = 0; a < 5; ++a) pulls[a].add(difference[a] / std::sqrt(variance[a]));
  }
};

}  // namespace trackplex::test
