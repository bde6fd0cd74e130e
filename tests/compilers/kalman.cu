// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Generation, fits and smoothers of tracks, updates and coordinates, for TRACKPLEX_SPACE: device
/// code of scalars, or host code of lanes.

#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/kalman/fit_tracks.hpp>
#include <trackplex/kalman/module_measurements.hpp>
#include <trackplex/kalman/two_filter.hpp>
#include <trackplex/simulation/cylinder_events.hpp>

namespace trackplex {
namespace {

/// Field for planes of any orientation.
struct FieldOfPlanes {};
template <class Model, class Real>
KOKKOS_FUNCTION auto transport(const kalman::Parameters<Real>& start, const Real& charge,
                               const FieldOfPlanes&, const geometry::Surface<Real>& surface,
                               int steps) {
  const kalman::Plane<Real> plane{surface.normal(0), surface.normal(1), surface.normal(2),
                                  surface.offset};
  return kalman::transport(start, charge, kalman::UniformField{3.8}, plane, steps);
}

/// What the launchers do not call.
template <class Real, class States>
struct OneOfEach {
  States states;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    auto state = states.load(tile);
    const kalman::UniformField field{3.8};
    const kalman::Plane<Real> plane{Real(1), Real(0), Real(0), Real(2)};
    auto reached = kalman::propagate(state, field, kalman::ZPlane<Real>{Real(3)}, 2);
    reached = kalman::propagate(state, field, plane) && reached;
    kalman::SpacePoint<Real> hit{{Real(1), Real(2), Real(3)}, {}};
    hit.covariance = {Real(1), Real(0), Real(1), Real(0), Real(0), Real(1)};
    kalman::update_joseph(state, kalman::measure_in_space(hit, state.parameters), reached);
    kalman::update(state, kalman::measure_on_disk(hit, state.parameters));
    const auto strip = kalman::measure_along(Real(1), Real(0), Real(1), Real(1), state.parameters);
    kalman::update(state, strip, kalman::chi2(state, strip) < Real(9));
    kalman::combine(state, states.load(tile), plane);
    const auto cartesian = kalman::to_cartesian(state.parameters);
    state.parameters = kalman::from_cartesian(cartesian.coordinates).coordinates;
    const auto curvilinear = kalman::to_curvilinear(state.parameters, state.charge, Real(0));
    state.parameters =
        kalman::from_curvilinear(
            curvilinear.coordinates,
            Vector<Real, 3>{state.parameters(0), state.parameters(1), state.parameters(2)},
            state.charge)
            .coordinates;
    states.store(tile, state);
  }
};

template <class T, class Space>
void use(const Space& exec, int n) {
  constexpr int width = default_lane_width<Space, T>;
  simulation::CylinderTrackParams params;
  params.material = true;
  const kalman::UniformField field{3.8};
  simulation::CylinderTracks<T, MemoryOf<Space>> tracks;
  simulation::generate_cylinder_tracks<width>(exec, params, n, field, tracks);
  kalman::TrackStates<T, MemoryOf<Space>> states;
  simulation::start_near<width>(exec, tracks.start, {1., 1., 1., 1., 1., 1.}, 1, states);
  kalman::FitResults<T, MemoryOf<Space>> results;
  kalman::SmoothedTracks<T, MemoryOf<Space>> smoothed;
  const auto hits = tracks.hits.view();
  kalman::fit_tracks<width>(exec, states, field, hits, {}, results);
  kalman::SmootherSteps<T, MemoryOf<Space>> steps{10, {}};
  kalman::smooth_tracks<width>(exec, states, field, kalman::HitsInMaterial{hits, params.layer}, 10,
                               {}, results, smoothed, steps);
  kalman::ModuleMeasurements<T, MemoryOf<Space>> modules;
  modules.allocate(exec, 10, n, true);
  kalman::SmootherSteps<T, MemoryOf<Space>, 2, kalman::FitForm::square_root> roots{10, {}};
  kalman::square_root_fit_tracks<width>(exec, states, field, hits, {}, results);
  kalman::smooth_tracks<width>(exec, states, FieldOfPlanes{}, modules.view(), 10, {}, results,
                               smoothed, roots);
  const auto view = states.view();
  using Real = LanesOf<T, width>;
  for_each_tile<Real>(exec, "OneOfEach", n, OneOfEach<Real, std::decay_t<decltype(view)>>{view});
}

[[maybe_unused]] void use_all() {
  use<float>(TRACKPLEX_SPACE(), 100);
  use<double>(TRACKPLEX_SPACE(), 100);
  simulation::generate_cylinder_events(TRACKPLEX_SPACE(), {}, 0, 1);
}

}  // namespace
}  // namespace trackplex
