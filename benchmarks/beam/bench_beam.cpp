// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracking through elements: time per particle and element, for backends, precisions and lanes.
// A million particles, as many passes as the benchmark wants. Goals on one core of a Zen 3 class
// machine (elegant there in brackets): a quadrupole of second order, one kernel each, in double
// precision 2.0 ns (62); 20 quadrupoles and 20 drifts in one kernel 1.0 ns, in single precision
// 0.5 ns; a map with all coefficients 9 ns (62); a drift with space charge, 256 bins and one step,
// 10 ns (63.5); two threads at least 1.7 times as fast. What one kernel for each element can reach
// is the memory's bandwidth: `triad` measures it. Magnets by integration also give the time per
// kick, coherent radiation that per slice. An element of a user is as fast as the library's own.
// Goals of kicks by space charge, 64 x 64 x 64 cells in double precision: 60 ms in three
// dimensions, 20 ms in the projection. Particles with spins need at most 1.8 times as long.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <functional>
#include <string>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/dynamic_aperture.hpp>
#include <trackplex/core/random.hpp>

namespace trackplex::beam {
namespace {

constexpr int n_particles = 1000000;

template <class T>
struct Scatter {
  BunchColumns<T> columns;
  KOKKOS_FUNCTION void operator()(int i) const {
    RandomStream<T> random(1, std::uint64_t(i));
    const T sigma[] = {T(1e-3), T(5e-4), T(8e-4), T(4e-4), T(3e-4), T(5e-3)};
    for (int c = 0; c < n_coordinates; ++c) columns.v[c][i] = sigma[c] * random.normal();
  }
};

template <class T, class Space>
Bunch<T, MemoryOf<Space>> some_bunch(const Space& exec) {
  Bunch<T, MemoryOf<Space>> bunch(exec, n_particles, 200.);
  for_each_item(exec, "Scatter", n_particles, Scatter<T>{bunch.columns()});
  return bunch;
}

BeamLine repeated(int n, const BeamLine& cell) {
  BeamLine line;
  for (int i = 0; i < n; ++i) line.insert(line.end(), cell.begin(), cell.end());
  return line;
}

/// Thin lens of a user: x' -= k x, y' += k y.
struct OwnLens {
  static constexpr const char* family = "lens";
  static constexpr unsigned changes = 1u << xp | 1u << yp;
  double k;
  double length = 0.;
  TransferMap map_to(int order) const { return thin_multipole_map({{0., k}}, order); }
  void add_steps(StepBuilder& to) const { to.add(*this); }
  std::vector<double> coefficients() const { return {k}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    v[xp] = fma(Real(-c[0]), v[x], v[xp]);
    v[yp] = fma(Real(c[0]), v[y], v[yp]);
  }
};

/// Drift of a user, as the library computes it.
struct OwnDrift {
  static constexpr const char* family = "drift";
  static constexpr unsigned changes = steps::ExactDrift::changes;
  double length;
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const { to.add(*this); }
  std::vector<double> coefficients() const { return {length}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real one(1), l(c[0]), u = fma(v[xp], v[xp], v[yp] * v[yp]);
    v[x] = fma(l, v[xp], v[x]);
    v[y] = fma(l, v[yp], v[y]);
    v[s] = fma(l, u / (one + sqrt(one + u)), v[s]);
  }
};

void count(benchmark::State& state, const char* name, double things) {
  state.counters[name] = benchmark::Counter(
      double(n_particles) * things,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Time per particle and element of a line without limits: what is measured is the elements.
/// `parts`: kicks or slices of an element. `spins`: whether the particles have spins.
template <class T, class Space, class Types = ElementTypes<>,
          int Width = default_lane_width<Space, T, KernelKind::beam_tracking>>
void measure(benchmark::State& state, const BeamLine& line, int parts = 0, bool spins = false) {
  const Space exec;
  auto bunch = some_bunch<T>(exec);
  bunch.particle_charge = 1e-12 / n_particles;
  if (spins) bunch.add_spins(exec, 0., 0., 1.);
  LineTracker<T, Space, Types, Width> tracker(exec, line, {0., 0.});
  tracker.track(bunch);
  exec.fence();
  for (auto _ : state) {
    tracker.track(bunch);
    exec.fence();
  }
  count(state, "s_per_particle_element", double(line.size()));
  if (parts > 0) count(state, "s_per_particle_part", parts * double(line.size()));
}

/// Time per particle of a drift with space charge that takes one step.
template <class T, class Space>
void measure_space_charge(benchmark::State& state, int bins) {
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = some_bunch<T>(exec);
  bunch.particle_charge = 1e-12 / n_particles;
  LongitudinalSpaceCharge<T, Space> drift(exec, {.length = 1e-6, .bins = bins});
  int steps = drift(exec, bunch, workspace);
  for (auto _ : state) {
    steps += drift(exec, bunch, workspace);
    exec.fence();
  }
  if (steps != int(state.iterations()) + 1) state.SkipWithError("a drift took several steps");
  count(state, "s_per_particle", 1.);
}

template <class T, class Space>
void measure_moments(benchmark::State& state) {
  const Space exec;
  Workspace<Space> workspace;
  const auto bunch = some_bunch<T>(exec);
  for (auto _ : state) benchmark::DoNotOptimize(moments_of(exec, bunch, workspace));
  count(state, "s_per_particle", 1.);
}

/// The dynamic aperture, with tunes: 1,000 starts for 1,000 turns of ten cells with sextupoles.
template <class T, class Space>
void measure_aperture(benchmark::State& state) {
  const BeamLine ring = repeated(10, {{"qf", Quadrupole{0.2, 1.5}},
                                      {"sf", Sextupole{0.1, 5.}},
                                      {"d", Drift{0.8}},
                                      {"qd", Quadrupole{0.2, -1.5}},
                                      {"sd", Sextupole{0.1, -9.}},
                                      {"d", Drift{0.8}}});
  constexpr ApertureGrid grid{.columns = 40, .rows = 25, .x_max = 0.03, .y_max = 0.03};
  constexpr int turns = 1000;
  const Space exec;
  ApertureScan<T, Space> scan(exec, ring, 200., {}, periodic_twiss(map_of(ring, 1, 200.)));
  for (auto _ : state) benchmark::DoNotOptimize(scan(grid, turns, [](int) {}));
  state.counters["s_per_particle_turn"] =
      benchmark::Counter(double(grid.size()) * turns * double(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// a = b + 3 c of so many numbers that no cache holds them.
template <class Space>
void measure_triad(benchmark::State& state) {
  constexpr int n = 1 << 25;
  const Space exec;
  Kokkos::View<double*, typename Space::memory_space> a("a", n), b("b", n), c("c", n);
  for (auto _ : state) {
    for_each_item(
        exec, "Triad", n, KOKKOS_LAMBDA(int i) { a(i) = b(i) + 3. * c(i); });
    exec.fence();
  }
  state.SetBytesProcessed(std::int64_t(state.iterations()) * n * 3 * sizeof(double));
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(std::move(run)))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

/// Sector bend by its closed map, without edges.
CanonicalBend closed_bend() {
  CanonicalBend bend{.length = 0.5, .angle = 0.2, .closed = true};
  bend.entrance_effects = bend.exit_effects = EdgeEffects::none;
  return bend;
}

/// Lines by their names.
std::vector<std::pair<std::string, BeamLine>> lines() {
  const SectorBend magnet{.length = 0.5, .angle = 0.2};
  const auto dense = misaligned(sector_bend_map(magnet, 2), {1e-4, -1e-4, 0.2});
  const BeamLine cell{{"qf", Quadrupole{0.2, 1.5}},
                      {"d", Drift{0.8}},
                      {"qd", Quadrupole{0.2, -1.5}},
                      {"d", Drift{0.8}}};
  return {{"drift", {{"d", Drift{0.8}}}},
          {"exact_drift", {{"d", ExactDrift{0.8}}}},
          {"quadrupole", {{"q", Quadrupole{0.2, 1e-3}}}},
          {"bend", {{"b", Bend{magnet}}}},
          {"dense", {{"m", MapElement(0.5, dense)}}},
          {"20_quadrupoles_20_drifts", repeated(10, cell)},
          {"20_dense", repeated(20, {{"m", MapElement(0.5, dense)}})},
          {"thick_quadrupole", {{"k", CanonicalQuadrupole{0.2, 1e-3}}}},
          {"chromatic_drift", {{"d", ExpandedDrift{0.8}}}},
          {"chromatic_quadrupole", {{"q", ChromaticQuadrupole{0.2, 1e-3}}}},
          {"closed_bend", {{"b", closed_bend()}}},
          {"quadrupole_order_3", {{"q", Quadrupole{0.2, 1e-3, 3}}}},
          {"dense_order_3",
           {{"m", MapElement(0.2, misaligned(quadrupole_map(0.2, 1e-3, 3), {1e-5, 1e-5, 0.1}))}}}};
}

/// Elements of many kicks or slices, or that act on the whole bunch, with the number of parts.
struct Divided {
  std::string name;
  Element element;
  int parts;
};

std::vector<Divided> divided() {
  WakeTable wakes;
  for (int i = 0; i < 1001; ++i) {
    wakes.time.push_back(1e-13 * i);
    wakes.longitudinal.push_back(3e13 * (1. - i / 1000.));
  }
  const CanonicalBend bend{.length = 0.5, .angle = 0.2};
  return {{"thick_quadrupole_kicks", {"k", CanonicalQuadrupole{0.2, 1e-3}}, 4 * 3},
          {"canonical_bend_kicks", {"c", bend}, 4 * 3},
          {"cavity",
           {"rf", RfCavity{.length = 1.,
                           .voltage = 1e5,
                           .phase = 1.,
                           .frequency = 2.856e9,
                           .change_momentum = true}},
           1},
          {"wake", {"w", Wake{.table = std::make_shared<const WakeTable>(wakes)}}, 1},
          {"csr_bend_slices", {"csr", CsrBend{.magnet = bend, .bins = 512}}, 4},
          {"space_charge_kick", {"sc", SpaceChargeKick{.effective_length = 1e-6}}, 1},
          {"projected_space_charge_kick",
           {"sc", SpaceChargeKick{.effective_length = 1e-6, .model = SpaceChargeModel::projected}},
           1}};
}

/// Lines through which particles with spins are tracked.
std::vector<std::pair<std::string, BeamLine>> lines_for_spins() {
  return {{"exact_drift", {{"d", ExactDrift{0.8}}}},
          {"chromatic_quadrupole", {{"q", ChromaticQuadrupole{0.2, 1e-3}}}},
          {"thick_quadrupole", {{"k", CanonicalQuadrupole{0.2, 1e-3}}}},
          {"closed_bend", {{"b", closed_bend()}}}};
}

/// A user's elements beside those of the library.
template <class T, class Space>
void add_own(const std::string& begin) {
  using Own = ElementTypes<OwnLens, OwnDrift>;
  const auto lens = [](double k) { return MapElement(0., thin_multipole_map({{0., k}}, 1)); };
  const BeamLine own_lenses{{"f", OwnLens{1e-3}}, {"d", OwnLens{-1e-3}}};
  const BeamLine lenses{{"f", lens(1e-3)}, {"d", lens(-1e-3)}};
  add(begin + "20_own_lenses",
      [=](auto& state) { measure<T, Space, Own>(state, repeated(10, own_lenses)); });
  add(begin + "20_lenses", [=](auto& state) { measure<T, Space>(state, repeated(10, lenses)); });
  for (const int n : {1, 20}) {
    const std::string drifts = std::to_string(n) + (n == 1 ? "_own_drift" : "_own_drifts");
    add(begin + drifts, [n](auto& state) {
      measure<T, Space, Own>(state, repeated(n, {{"d", OwnDrift{0.1}}}));
    });
    add(begin + std::to_string(n) + (n == 1 ? "_exact_drift" : "_exact_drifts"), [n](auto& state) {
      measure<T, Space>(state, repeated(n, {{"d", ExactDrift{0.1}}}));
    });
  }
}

/// Steps of the shortest kernels: enough for lines of maps, and quick to compile.
using MapsOnly = decltype(detail::list_of(std::declval<detail::ShortSteps>()));

template <class Space>
void add_space() {
  const std::string space = std::string("beam/") + bench::backend_name<Space>() + "/";
  for (const auto& entry : lines()) {
    const auto& name = entry.first;
    const auto& line = entry.second;
    add(space + "double/" + name, [line](auto& state) { measure<double, Space>(state, line); });
    add(space + "float/" + name, [line](auto& state) { measure<float, Space>(state, line); });
  }
  for (const auto& [name, element, parts] : divided()) {
    const BeamLine line{element};
    const int n = parts;
    add(space + "double/" + name,
        [line, n](auto& state) { measure<double, Space>(state, line, n); });
    add(space + "float/" + name, [line, n](auto& state) { measure<float, Space>(state, line, n); });
  }
  for (const auto& entry : lines_for_spins()) {
    const auto& line = entry.second;
    const std::string name = "spins/" + entry.first;
    add(space + "double/" + name,
        [line](auto& state) { measure<double, Space>(state, line, 0, true); });
    add(space + "float/" + name,
        [line](auto& state) { measure<float, Space>(state, line, 0, true); });
  }
  add_own<double, Space>(space + "double/");
  for (const int bins : {64, 256, 1024, 4096}) {
    const std::string name = "space_charge_bins:" + std::to_string(bins);
    add(space + "double/" + name,
        [bins](auto& state) { measure_space_charge<double, Space>(state, bins); });
    add(space + "float/" + name,
        [bins](auto& state) { measure_space_charge<float, Space>(state, bins); });
  }
  add(space + "double/moments", [](auto& state) { measure_moments<double, Space>(state); });
  add(space + "float/moments", [](auto& state) { measure_moments<float, Space>(state); });
  add(space + "double/aperture", [](auto& state) { measure_aperture<double, Space>(state); });
  add(space + "triad", [](auto& state) { measure_triad<Space>(state); });
  if constexpr (is_host_space<Space>) {
    const BeamLine cells = lines()[5].second;
    add(space + "double/lanes:1/20_quadrupoles_20_drifts",
        [cells](auto& state) { measure<double, Space, MapsOnly, 1>(state, cells); });
    add(space + "double/lanes:4/20_quadrupoles_20_drifts",
        [cells](auto& state) { measure<double, Space, MapsOnly, 4>(state, cells); });
    add(space + "double/lanes:16/20_quadrupoles_20_drifts",
        [cells](auto& state) { measure<double, Space, MapsOnly, 16>(state, cells); });
  }
}

const bool registered = [] {
  bench::for_each_backend([&]<class Space>(std::type_identity<Space>) { add_space<Space>(); });
  return true;
}();

}  // namespace
}  // namespace trackplex::beam
