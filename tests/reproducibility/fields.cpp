// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of tracks, and of their Jacobians, in fields that are not uniform: maps on grids of both
// kinds and a dipole, to cylinders, disks and planes; and of states that a beam spot constrains.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/kalman/beam_spot.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <type_traits>

#include "golden_hashes.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

constexpr int n = 301, numbers = 6 + 36;

/// Transports a track with the number of each lane; writes its parameters and Jacobian, or 0 where
/// it does not reach its surface.
template <class Real, class Model, class Field>
struct TransportTracks {
  using T = ScalarOf<Real>;
  Field field;
  T* to;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real number = convert<Real>(lane_index<IntegerOf<Real>>()) + Real(T(tile.first));
    const Real a = number * Real(T(1. / n)), b = a * a;
    const bool forward = std::is_same_v<Model, kalman::ForwardTrack>;
    const kalman::Parameters<Real> start =
        forward ? kalman::Parameters<Real>{{a, Real(T(1)) - a, Real(T(-60)), Real(T(0.2)) * a,
                                            Real(T(0.05)) - Real(T(0.1)) * b, a - Real(T(0.4))}}
                : kalman::Parameters<Real>{
                      {a, -b, a + b, Real(T(0.1)) + a, Real(T(6)) * b, Real(T(0.7)) + a}};
    const Real kind = number - Real(T(3)) * floor(number * Real(T(1. / 3.)) + Real(T(1e-3)));
    auto surface = geometry::Surface<Real>::plane({{Real(T(30)), Real(T(0)), Real(T(50)) + a}},
                                                  {{Real(T(0.6)), Real(T(0)), Real(T(0.8))}});
    surface = select(kind > Real(T(0.5)), geometry::Surface<Real>::disk(Real(T(40)) + a), surface);
    if (!forward)
      surface =
          select(kind > Real(T(1.5)), geometry::Surface<Real>::cylinder(Real(T(45)) + a), surface);
    const auto moved = kalman::transport<Model>(start, Real(T(1)), field, surface);
    const auto jacobian = as<Matrix<Real, 6, 6>>(moved.jacobian);
    for (int i = 0; i < 6; ++i)
      tile.store(to + i * n, trackplex::select(moved.reached, moved.parameters(i), Real(0)));
    for (int e = 0; e < 36; ++e)
      tile.store(to + (6 + e) * n, trackplex::select(moved.reached, jacobian.elements[e], Real(0)));
  }

  static KOKKOS_FUNCTION geometry::Surface<Real> select(const MaskOf<Real>& mask,
                                                        const geometry::Surface<Real>& a,
                                                        const geometry::Surface<Real>& b) {
    auto result = b;
    result.curvature = trackplex::select(mask, a.curvature, b.curvature);
    for (int i = 0; i < 3; ++i)
      result.normal(i) = trackplex::select(mask, a.normal(i), b.normal(i));
    result.offset = trackplex::select(mask, a.offset, b.offset);
    return result;
  }
};

/// Constrains a track with the number of each lane to the beam; writes its parameters and
/// covariance.
template <class Real, class Field>
struct ConstrainTracks {
  using T = ScalarOf<Real>;
  Field field;
  T* to;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real number = convert<Real>(lane_index<IntegerOf<Real>>()) + Real(T(tile.first));
    const Real a = number * Real(T(1. / n));
    kalman::TrackState<Real> state;
    state.parameters = {{Real(T(3)), a - Real(T(0.5)), Real(T(20)) * a, Real(T(0.3)) + a,
                         Real(T(0.1)) + a * a, Real(T(0.4)) + Real(T(2)) * a}};
    state.charge = Real(T(1));
    for (Real& element : state.covariance.elements) element = Real(T(0));
    for (int i = 0; i < 6; ++i) state.covariance(i, i) = Real(T(i < 3 ? 1e-3 : 1e-4));
    (void)kalman::constrain_to_beam(state, field, {0.01, -0.02, 1., 0.01, 5.}, Real(T(400)));
    for (int i = 0; i < 6; ++i) tile.store(to + i * n, state.parameters(i));
    for (int e = 0; e < 21; ++e) tile.store(to + (6 + e) * n, state.covariance.elements[e]);
  }
};

/// Adds what a kernel writes for each track.
template <class Real, class Kernel, class Space, class Field>
void add_results(Fingerprint& hash, const Field& field) {
  using T = ScalarOf<Real>;
  const Space exec;
  const Kokkos::View<T*, MemoryOf<Space>> to("Trackplex::Test::results", numbers * n);
  for_each_tile<Real>(exec, "Trackplex::Test::tracks", n, Kernel{field, to.data()});
  exec.fence();
  const auto host = host_copy(to);
  for (std::size_t i = 0; i < host.size(); ++i) hash.add(host(i));
}

template <class T, int Width, class Space>
std::string fields_hash() {
  using Real = LanesOf<T, Width>;
  using Memory = MemoryOf<Space>;
  const geometry::DipoleField dipole{1.5, -30., 30., 20.};
  const geometry::FieldMap<T, Memory> box(
      Space(),
      geometry::sample_field({-100., 100., 21}, {-25., 25., 11}, {-80., 80., 41},
                             [&](double x, double y, double z) { return dipole(x, y, z); }));
  const geometry::AxisymmetricFieldMap<T, Memory> round(
      Space(), geometry::sample_axisymmetric_field({0., 100., 21}, {-100., 100., 51},
                                                   geometry::FiniteSolenoid{2., 120., 100.}));
  Fingerprint hash;
  const auto add_tracks = [&]<class Model, class Field>(Model, const Field& field) {
    add_results<Real, TransportTracks<Real, Model, Field>, Space>(hash, field);
  };
  add_tracks(kalman::ForwardTrack(), box);
  add_tracks(kalman::CentralTrack(), round);
  add_tracks(kalman::ForwardTrack(), dipole.rounded_to<T>());
  return hash.hex();
}

template <class T, int Width, class Space>
std::string beam_spot_hash() {
  using Real = LanesOf<T, Width>;
  const auto field = kalman::field_for<T>(kalman::UniformField{3.8});
  Fingerprint hash;
  add_results<Real, ConstrainTracks<Real, std::remove_const_t<decltype(field)>>, Space>(hash,
                                                                                        field);
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Tracks in field maps are the same everywhere", "[reproducibility]",
                        EnabledSpaces) {
  constexpr int width = default_lane_width<TestType, double>;
  CHECK(fields_hash<float, width, TestType>() == tracks_in_fields_golden.single_precision);
  CHECK(fields_hash<double, width, TestType>() == tracks_in_fields_golden.double_precision);
  // Another width on one space only: it takes long to compile.
  if constexpr (std::is_same_v<TestType, HostExecutor>)
    CHECK(fields_hash<float, 1, TestType>() == tracks_in_fields_golden.single_precision);
}

TEMPLATE_LIST_TEST_CASE("Tracks constrained to a beam spot are the same everywhere",
                        "[reproducibility]", EnabledSpaces) {
  constexpr int width = default_lane_width<TestType, double>;
  CHECK(beam_spot_hash<float, width, TestType>() == beam_spot_golden.single_precision);
  CHECK(beam_spot_hash<double, width, TestType>() == beam_spot_golden.double_precision);
}

}  // namespace trackplex::test
