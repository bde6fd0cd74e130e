// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Charged particles in a detector of concentric cylinders: helices from a luminous region, one hit
/// on each layer, and the true state there.

#include <trackplex/core/launch.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/kalman/cylinder_measurements.hpp>
#include <trackplex/kalman/track_states.hpp>

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <type_traits>

namespace trackplex::simulation {

/// Detector of cylinders, distributions of the particles and errors of the hits. The defaults are
/// those of a toy tracker of ten layers. Lengths in cm, momenta and masses in GeV.
struct CylinderTrackParams {
  int layers = 10;                                ///< number of cylinders
  double first_radius = 4.,                       ///< radius of the innermost layer, cm
      spacing = 4.;                               ///< distance from layer to layer, cm
  double min_pt = 0.5,                            ///< lower limit of pT, which is uniform, GeV
      max_pt = 10.;                               ///< upper limit of pT, GeV
  double max_abs_eta = 1.;                        ///< limit of |eta|; eta is uniform
  double vertex_sigma_xy = 0.1,                   ///< standard deviation of x and y of a vertex, cm
      vertex_sigma_z = 1.;                        ///< standard deviation of z of a vertex, cm
  double sigma_r_phi = 0.01,                      ///< error of a hit along r phi, cm
      sigma_z = 0.1;                              ///< error of a hit along z, cm
  double sigma_r = 0.;                            ///< error of a hit along r, cm
  bool material = false;                          ///< scattering and energy loss in each layer
  kalman::ThinLayer layer{kalman::silicon, 0.1};  ///< material and thickness (cm) of a layer
  double mass = kalman::pion_mass;                ///< of the particles, GeV
  std::uint64_t seed = 1;                         ///< of the random numbers

  /// Returns the radius of a layer, cm.
  KOKKOS_FUNCTION double radius(int layer_number) const {
    return first_radius + spacing * layer_number;
  }
};

/// Returns the covariance (cm^2) in x, y, z of a hit whose azimuth has this cosine and sine:
/// \f[ C_{xx}=\sigma_r^2\cos^2\varphi+\sigma_{r\varphi}^2\sin^2\varphi,\quad
///   C_{yx}=(\sigma_r^2-\sigma_{r\varphi}^2)\sin\varphi\cos\varphi,\quad
///   C_{yy}=\sigma_r^2\sin^2\varphi+\sigma_{r\varphi}^2\cos^2\varphi,\quad
///   C_{zz}=\sigma_z^2,\quad C_{zx}=C_{zy}=0. \f]
template <class Real>
KOKKOS_FUNCTION Symmetric<Real, 3> cylinder_hit_covariance(const CylinderTrackParams& params,
                                                           const Real& cosine, const Real& sine) {
  using T = ScalarOf<Real>;
  const Real across = Real(T(params.sigma_r * params.sigma_r));
  const Real along = Real(T(params.sigma_r_phi * params.sigma_r_phi));
  return {fma(across * cosine, cosine, along * sine * sine),
          fma(across * sine, cosine, -(along * sine * cosine)),
          fma(across * sine, sine, along * cosine * cosine),
          Real(0),
          Real(0),
          Real(T(params.sigma_z * params.sigma_z))};
}

/// Particle in each lane, followed from layer to layer. Particle n of a seed is always the same:
/// it draws from stream n.
/// @tparam Number scalar or lanes
template <class Number>
class CylinderParticle {
 public:
  using Real = Number;          ///< number type of the kernel
  using P = kalman::Parameter;  ///< names of the parameters

  /// Draws the particle `number` of each lane, at its vertex.
  KOKKOS_FUNCTION CylinderParticle(const CylinderTrackParams& params,
                                   typename RandomStream<Real>::StreamNumber number)
      : params_(params), random_(params.seed, number) {
    const Real inverse_pt = Real(1) / random_.uniform(real(params.min_pt), real(params.max_pt));
    const Real eta = random_.uniform(real(-params.max_abs_eta), real(params.max_abs_eta));
    const Real phi = random_.uniform(real(-std::numbers::pi), real(std::numbers::pi));
    charge_ = select(random_.uniform() < Real(T(0.5)), Real(-1), Real(1));
    const auto xy = random_.normal_pair();
    const Real theta = Real(2) * atan(exp(-eta));
    parameters_ = {{xy.first * real(params.vertex_sigma_xy),
                    xy.second * real(params.vertex_sigma_xy),
                    random_.normal() * real(params.vertex_sigma_z), inverse_pt, phi, theta}};
  }

  /// Returns the true parameters at the vertex, or on the last layer that was reached (cm, 1/GeV,
  /// rad).
  KOKKOS_FUNCTION const kalman::Parameters<Real>& parameters() const { return parameters_; }
  /// Returns the charge, +1 or -1.
  KOKKOS_FUNCTION Real charge() const { return charge_; }

  /// Moves to the next layer, first to layer 0. Returns the lanes whose particle arrives there.
  template <class Field>
  KOKKOS_FUNCTION MaskOf<Real> advance(const Field& field) {
    MaskOf<Real> passed = true;
    if (params_.material && layer_ >= 0) passed = leave_layer();
    ++layer_;
    const auto moved = kalman::transport(parameters_, charge_, field, surface(), 1);
    parameters_ = moved.parameters;
    return passed && moved.reached;
  }

  /// Returns a hit on the present layer, with position and covariance: r phi and z are smeared, and
  /// r if `sigma_r` is not 0.
  KOKKOS_FUNCTION kalman::SpacePoint<Real> measure() {
    const auto noise = random_.normal_pair();
    const Real radius = real(params_.radius(layer_));
    const Real angle = noise.first * real(params_.sigma_r_phi) / radius;
    const auto turn = sincos(angle);
    Real x = parameters_(P::x), y = parameters_(P::y), r = radius;
    if (params_.sigma_r > 0.) {
      r = fma(random_.normal(), real(params_.sigma_r), radius);
      x *= r / radius;
      y *= r / radius;
    }
    kalman::SpacePoint<Real> hit;
    hit.position = {{fma(x, turn.cos, -(y * turn.sin)), fma(x, turn.sin, y * turn.cos),
                     fma(noise.second, real(params_.sigma_z), parameters_(P::z))}};
    hit.covariance = cylinder_hit_covariance(params_, hit.position(0) / r, hit.position(1) / r);
    return hit;
  }

 private:
  using T = ScalarOf<Real>;
  static KOKKOS_FUNCTION Real real(double value) { return Real(T(value)); }
  KOKKOS_FUNCTION kalman::Cylinder<Real> surface() const { return {real(params_.radius(layer_))}; }

  /// Scattering and energy loss, drawn from the distributions that a fit assumes. Always draws
  /// the same number of random numbers.
  KOKKOS_FUNCTION MaskOf<Real> leave_layer() {
    const Real mass = real(params_.mass);
    const kalman::Kinematics<Real> particle(parameters_, mass);
    const Real length =
        real(params_.layer.thickness) / kalman::incidence_cosine(parameters_, surface());
    const Real sigma =
        kalman::highland_angle(particle.momentum, particle.beta, charge_,
                               length * real(1. / params_.layer.material.radiation_length));
    const auto deflection = random_.normal_pair();
    auto loss =
        kalman::bethe_energy_loss(params_.layer.material, length, particle.momentum, mass, charge_);
    loss.mean = fma(random_.normal(), sqrt(loss.variance), loss.mean);

    const Real sin_theta = sin(parameters_(P::theta));
    parameters_(P::phi) += deflection.first * sigma / sin_theta;
    parameters_(P::theta) += deflection.second * sigma;
    parameters_(P::inverse_pt) = Real(1) / (particle.momentum * sin(parameters_(P::theta)));
    const auto passage = kalman::pass(parameters_, Real(0), loss, mass);
    parameters_ = passage.parameters;
    return passage.passed;
  }

  CylinderTrackParams params_;
  RandomStream<Real> random_;
  kalman::Parameters<Real> parameters_;
  Real charge_;
  int layer_ = -1;
};

/// Tracks with their hits, and the true states at the vertex and on all layers.
template <class T, class MemorySpace>
struct CylinderTracks {
  kalman::TrackStates<T, MemorySpace> start;  ///< of each track, at the vertex; the covariance is 0
  /// (layer, track): true parameters on each layer, item layer * hits.stride() + track.
  Matriplex<T, 6, 1, MemorySpace> on_layers{"Trackplex::Simulation::truth_on_layers"};
  kalman::CylinderMeasurements<T, MemorySpace> hits;  ///< (layer, track): measured hits
  Kokkos::View<std::uint8_t*, MemorySpace> complete;  ///< of each track: 1 if it reached all layers
};

namespace detail {

template <class Real, class Start, class OnLayers, class Position, class Covariance, class Flags,
          class Field>
struct GenerateCylinderTracks {
  CylinderTrackParams params;
  Field field;
  Start start;
  OnLayers on_layers;
  Position position;
  Covariance covariance;
  Flags complete;
  int stride;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    using Integer = IntegerOf<Real>;
    using Stream = typename RandomStream<Real>::StreamNumber;
    CylinderParticle<Real> particle(params, convert<Stream>(tile.index()));
    kalman::TrackState<Real> state{particle.parameters(), {}, particle.charge()};
    for (auto& element : state.covariance.elements) element = Real(0);
    start.store(tile, state);
    MaskOf<Real> reached = true;
    for (int layer = 0; layer < params.layers; ++layer) {
      const auto advanced = particle.advance(field);  // scalars also continue after they are lost
      reached = reached && advanced;
      const auto to = kalman::tile_of_layer(tile, layer, stride);
      on_layers.store(to, particle.parameters());
      const auto hit = particle.measure();
      position.store(to, hit.position);
      covariance.store(to, hit.covariance);
    }
    tile.store(complete.data(), select(reached, Integer(1), Integer(0)));
  }
};

}  // namespace detail

/// Generates tracks 0 to n - 1 of the seed with a hit on each layer, for tests of fits. Allocates
/// `tracks` and enqueues one kernel on the instance.
/// @tparam Width number of lanes
template <int Width, class Space, class T, class Field>
void generate_cylinder_tracks(const Space& exec, const CylinderTrackParams& params, int n,
                              const Field& field, CylinderTracks<T, MemoryOf<Space>>& tracks) {
  using Real = LanesOf<T, Width>;
  tracks.start.allocate(exec, n);
  tracks.hits.allocate(exec, params.layers, n);
  tracks.on_layers.allocate(exec, params.layers * tracks.hits.stride());
  allocate_array(exec, tracks.complete, "Trackplex::Simulation::complete", std::size_t(n));
  const auto start = tracks.start.view();
  const auto on_layers = tracks.on_layers.view();
  const auto position = tracks.hits.position.view();
  const auto covariance = tracks.hits.covariance.view();
  using Functor = detail::GenerateCylinderTracks<
      Real, std::decay_t<decltype(start)>, std::decay_t<decltype(on_layers)>,
      std::decay_t<decltype(position)>, std::decay_t<decltype(covariance)>,
      decltype(tracks.complete), kalman::FieldFor<T, Field>>;
  for_each_tile<Real>(exec, "Trackplex::Simulation::cylinder_tracks", n,
                      Functor{params, kalman::field_for<T>(field), start, on_layers, position,
                              covariance, tracks.complete, tracks.hits.stride()});
}

namespace detail {

template <class Real, class Truth, class Start>
struct StartNear {
  Truth truth;
  Start start;
  Kokkos::Array<ScalarOf<Real>, 6> sigma;
  std::uint64_t seed;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    using Stream = typename RandomStream<Real>::StreamNumber;
    RandomStream<Real> random(seed, convert<Stream>(tile.index()));
    auto state = truth.load(tile);
    for (auto& element : state.covariance.elements) element = Real(0);
    for (int i = 0; i < 6; ++i) {
      const Real error = Real(sigma[i]);
      state.parameters(i) = fma(random.normal(), error, state.parameters(i));
      state.covariance(i, i) = error * error;
    }
    start.store(tile, state);
  }
};

}  // namespace detail

/// Makes start states for fits: the true states, each parameter shifted by a normal number of
/// standard deviation `sigma` (cm, 1/GeV, rad), with the corresponding diagonal covariance. Use a
/// different seed than for the tracks, or the random numbers will be the same. Allocates `start`
/// and enqueues one kernel on the instance.
/// @tparam Width number of lanes
template <int Width, class Space, class T>
void start_near(const Space& exec, const kalman::TrackStates<T, MemoryOf<Space>>& truth,
                const Kokkos::Array<double, 6>& sigma, std::uint64_t seed,
                kalman::TrackStates<T, MemoryOf<Space>>& start) {
  using Real = LanesOf<T, Width>;
  start.allocate(exec, truth.size());
  Kokkos::Array<T, 6> errors;
  for (int i = 0; i < 6; ++i) errors[i] = T(sigma[i]);
  const auto from = truth.const_view();
  const auto to = start.view();
  for_each_tile<Real>(
      exec, "Trackplex::Simulation::start_near", truth.size(),
      detail::StartNear<Real, std::decay_t<decltype(from)>, std::decay_t<decltype(to)>>{
          from, to, errors, seed});
}

}  // namespace trackplex::simulation

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/simulation/detail/cylinder_tracks.instances.hpp>
#endif
