// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel.hpp"

#include <trackplex/beam/maps/element_maps.hpp>
#include <trackplex/beam/maps/map_pattern.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/surfaces.hpp>
#include <trackplex/kalman/update.hpp>
#include <trackplex/matriplex/matrix_products.hpp>

namespace forecast {

namespace {

struct Product {
  static constexpr const char *name = "product_6x6", *description = "product of 6x6 matrices";
  static constexpr int inputs = 72, outputs = 36;
  static float typical(int i) { return 0.1f + 0.01f * float(i % 17); }

  template <class Real>
  static void item(const Numbers<Real>& n) {
    Matrix<Real, 6, 6> a, b;
    for (int e = 0; e < 36; ++e) a.elements[e] = n[e], b.elements[e] = n[36 + e];
    const auto c = a * b;
    for (int e = 0; e < 36; ++e) n.set(e, c.elements[e]);
  }
};

/// A track on the cylinder of 12 cm, and a hit near it: 6 parameters, 21 of the covariance, then 3
/// of the position and 6 of its covariance.
template <class Real>
kalman::TrackState<Real> state_of(const Numbers<Real>& n) {
  kalman::TrackState<Real> state;
  for (int i = 0; i < 6; ++i) state.parameters.elements[i] = n[i];
  for (int e = 0; e < 21; ++e) state.covariance.elements[e] = n[6 + e];
  state.charge = Real(1.f);
  return state;
}
template <class Real>
void set_state(const Numbers<Real>& n, const kalman::TrackState<Real>& state) {
  for (int i = 0; i < 6; ++i) n.set(i, state.parameters.elements[i]);
  for (int e = 0; e < 21; ++e) n.set(6 + e, state.covariance.elements[e]);
}
float typical_of_track(int i) {
  constexpr float start[6] = {12.f, 0.5f, 3.f, 0.5f, 0.05f, 1.3f};
  constexpr float hit[9] = {12.f, 0.51f, 3.1f, 1e-4f, 0.f, 1e-4f, 0.f, 0.f, 1e-2f};
  if (i < 6) return start[i];
  if (i >= 27) return hit[i - 27];
  for (int row = 0, e = 6; row < 6; e += ++row)  // 1e-4 on the diagonal
    if (i == e + row) return 1e-4f;
  return 0.f;
}

struct KalmanUpdate {
  static constexpr const char *name = "kalman_update",
                              *description = "Kalman update of 6 parameters with 2 measurements";
  static constexpr int inputs = 36, outputs = 27;
  static float typical(int i) { return typical_of_track(i); }

  template <class Real>
  static void item(const Numbers<Real>& n) {
    auto state = state_of(n);
    kalman::SpacePoint<Real> hit;
    for (int i = 0; i < 3; ++i) hit.position.elements[i] = n[27 + i];
    for (int e = 0; e < 6; ++e) hit.covariance.elements[e] = n[30 + e];
    const auto measured = kalman::measure_on_cylinder(hit, state.parameters);
    kalman::KalmanGain(state.covariance, measured, MaskOf<Real>(true), kalman::no_limit<Real>())
        .update(state, measured.residual);
    set_state(n, state);
  }
};

struct HelixPropagation {
  static constexpr const char *name = "helix_propagation",
                              *description = "propagation of a track state to a cylinder";
  static constexpr int inputs = 27, outputs = 27;
  static float typical(int i) { return typical_of_track(i); }

  template <class Real>
  static void item(const Numbers<Real>& n) {
    auto state = state_of(n);
    (void)kalman::propagate(state, kalman::UniformField{3.8112},
                            kalman::Cylinder<Real>{Real(16.f)});
    set_state(n, state);
  }
};

struct QuadrupoleMap {
  using Pattern = beam::patterns::Quadrupole;
  static constexpr const char *name = "quadrupole_map",
                              *description = "second-order map of a quadrupole";
  static constexpr int inputs = 6, outputs = 6;
  static float typical(int i) { return 1e-3f * float(i + 1); }
  static const std::vector<float> coefficients;

  template <class Real>
  static void item(const Numbers<Real>& n) {
    beam::Particle<Real> particle;
    for (int i = 0; i < 6; ++i) particle[i] = n[i];
    particle = beam::apply_map<Pattern>(coefficients.data(), particle);
    for (int i = 0; i < 6; ++i) n.set(i, particle[i]);
  }
};

const std::vector<float> QuadrupoleMap::coefficients = [] {
  const auto exact = beam::coefficients_of(beam::quadrupole_map(0.4, 1.2, 2), Pattern::value);
  return std::vector<float>(exact.begin(), exact.end());
}();

struct HistogramDeposit {
  static constexpr const char *name = "histogram_deposit",
                              *description = "binning and counting of numbers";
  static constexpr int inputs = 1, outputs = 0, bins = 256;
  static constexpr perfmodel::Operations scalar{.integer = 1, .load = 2, .store = 1};
  static float typical(int) { return 0.3f; }
  static const histogram::RegularAxis<float> axis;
  static inline unsigned counts[bins];

  template <class Real>
  static void item(const Numbers<Real>& n) {
    const auto bin = axis.bin(n[0]);
    for (int lane = 0; lane < width_of<Real>; ++lane) ++counts[extract(bin, lane)];
  }
};

const histogram::RegularAxis<float> HistogramDeposit::axis(0., 1., bins);

struct SineAndCosine {
  static constexpr const char *name = "sine_and_cosine",
                              *description = "sine and cosine of an angle";
  static constexpr int inputs = 1, outputs = 2;
  static float typical(int) { return 0.7f; }

  template <class Real>
  static void item(const Numbers<Real>& n) {
    const auto both = sincos(n[0]);
    n.set(0, both.sin);
    n.set(1, both.cos);
  }
};

}  // namespace

std::vector<Kernel> library_kernels() {
  return {kernel_of<Product>(),       kernel_of<KalmanUpdate>(),     kernel_of<HelixPropagation>(),
          kernel_of<QuadrupoleMap>(), kernel_of<HistogramDeposit>(), kernel_of<SineAndCosine>()};
}

perfmodel::Application application_of(const Kernel& kernel, double items, bool from_memory) {
  perfmodel::Application application;
  application.name = kernel.name;
  application.source = kernel.description + ", counted by core's counting number type";
  application.items = items;
  application.loops = {perfmodel::Loop{.name = "work item", .operations = kernel.counts}};
  const auto add = [&](const char* name, perfmodel::Direction direction, int numbers) {
    if (from_memory && numbers > 0)
      application.streams.push_back({.name = name,
                                     .path = perfmodel::Path::memory,
                                     .direction = direction,
                                     .bytes_per_item = 4. * numbers});
  };
  add("input", perfmodel::Direction::to_device, kernel.inputs);
  add("output", perfmodel::Direction::from_device, kernel.outputs);
  return application;
}

}  // namespace forecast
