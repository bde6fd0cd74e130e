// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

using namespace trackplex;

constexpr const char* text = R"(
  % 0.2 sto lq
  c:   CHARGE, TOTAL=1e-9
  qf:  QUAD, L=lq, K1=1.5
  qd:  QUAD, L=lq, K1=-1.5
  d:   LSCDRIFT, L="1 lq -", BINS=256, SMOOTHING=1, &
       SG_HALFWIDTH=2
  linac: LINE=(c, 5*(qf, d, qd, d))
)";

int main() {
  const KokkosScope kokkos;
  using Space = Kokkos::DefaultExecutionSpace;
  const Space exec;
  Workspace<Space> workspace;

  const beam::BeamLine line = io::parse_elegant_lattice(text, "linac").expand();
  auto bunch = simulation::generate_bunch<double>(exec, {.particles = 100000}, workspace);

  // Moments after each drift, read at the end
  std::vector<int> drifts;
  for (int i = 0; i < int(line.size()); ++i)
    if (line[i].name == "d") drifts.push_back(i);
  const Kokkos::View<beam::MomentSums*, Space::memory_space> rows("Trackplex::Guide::rows",
                                                                  drifts.size());
  beam::LineTracker<double, Space> tracker(exec, line, {}, drifts);
  int row = 0, steps = 0;
  tracker.track(bunch, 1, [&](int /*turn*/, int element, const auto& at) {
    beam::SumMoments<Space>{row++}(exec, at, rows, workspace);
    steps += int(tracker.action<beam::SpaceChargeDrift>(element).steps().size());
  });

  const auto sums = to_host(exec, rows);
  const beam::Moments first(sums(0), bunch.reference), last(sums(row - 1), bunch.reference);
  const auto profile = tracker.action<beam::SpaceChargeDrift>(drifts.back()).profile(exec);
  const double peak = *std::max_element(profile.current.begin(), profile.current.end());
  std::printf("%d steps, peak current %.0f A, momentum spread %.2e to %.2e\n", steps, peak,
              first.momentum_spread(), last.momentum_spread());
}
