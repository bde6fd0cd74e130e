// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <trackplex/io/tally_csv.hpp>
#include <trackplex/program/build_info.hpp>

#include <fmt/format.h>

#include <iterator>

namespace coulomb {

std::string metadata(const Simulation& s) {
  return fmt::format(
      "coulomb (Trackplex {}, revision {}); material={}; b_c={} /mm; chi_cc^2={} MeV^2/mm; "
      "Ekin={} MeV; A={}; mean free path={} mm; limit={} elastic mfp; source={}; seed={}; "
      "precision={}",
      TRACKPLEX_VERSION_STRING, trackplex::program::git_hash(), s.material.name, s.material.b_c,
      s.material.chi_cc_square, s.scattering.kinetic_energy, s.scattering.screening,
      s.scattering.mean_free_path, s.limit, s.source(), s.seed, s.precision);
}

std::string tally_file(const std::string& prefix, const std::string& tally) {
  return fmt::format("{}_{}.csv", prefix, tally);
}

void write_tallies(const std::string& prefix, const Results& results) {
  for (const auto& tally : results.tallies) {
    if (tally.description.axes.size() != 1) continue;
    trackplex::io::write_tally_csv(tally_file(prefix, tally.description.name), tally,
                                   results.counts.histories.size(), metadata(results.simulation));
  }
}

std::string plane_csv(const Results& results) {
  const auto& tally = results.tallies.back();
  const auto& z = tally.description.axes[0].range;
  const auto& r = tally.description.axes[1].range;
  const double histories = double(results.counts.histories.size());
  std::uint64_t inside = 0;
  std::string rows;
  for (int i = 0; i < z.bins; ++i)
    for (int j = 0; j < r.bins; ++j) {
      const auto count = tally.at(i + 1, j + 1);
      inside += count;
      const double area = (z.edge(i + 1) - z.edge(i)) * (r.edge(j + 1) - r.edge(j));
      fmt::format_to(std::back_inserter(rows), "{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{}\n",
                     z.edge(i), z.edge(i + 1), r.edge(j), r.edge(j + 1),
                     double(count) / (histories * area), count);
    }
  return fmt::format("# {}; histories={}; outside={}\nz_lo,z_hi,r_lo,r_hi,density,counts\n{}",
                     metadata(results.simulation), results.counts.histories.size(),
                     results.counts.histories.size() - inside, rows);
}

}  // namespace coulomb
