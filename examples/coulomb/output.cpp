// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output.hpp"

#include <trackplex/io/tally_table.hpp>
#include <trackplex/program/build_info.hpp>

#include <fmt/format.h>

namespace coulomb {

namespace io = trackplex::io;

io::Metadata metadata(const Simulation& s) {
  const auto text = [](const auto& value) { return fmt::format("{}", value); };
  return {{"program", "coulomb"},
          {"version", TRACKPLEX_VERSION_STRING},
          {"revision", text(trackplex::program::git_hash())},
          {"precision", s.precision},
          {"material", s.material.name},
          {"b_c [1/mm]", text(s.material.b_c)},
          {"chi_cc^2 [MeV^2/mm]", text(s.material.chi_cc_square)},
          {"kinetic energy [MeV]", text(s.scattering.kinetic_energy)},
          {"A", text(s.scattering.screening)},
          {"mean free path [mm]", text(s.scattering.mean_free_path)},
          {"limit [mean free paths]", text(s.limit)},
          {"source", text(s.source())},
          {"seed", text(s.seed)}};
}

std::string tally_file(const std::string& prefix, const std::string& tally) {
  if (prefix.ends_with(".h5"))
    return fmt::format("{}_{}.h5", prefix.substr(0, prefix.size() - 3), tally);
  return fmt::format("{}_{}.csv", prefix, tally);
}

void write_tallies(const std::string& prefix, const Results& results) {
  for (const auto& tally : results.tallies) {
    if (tally.description.axes.size() != 1) continue;
    io::write_table(
        tally_file(prefix, tally.description.name),
        io::tally_table(tally, results.counts.histories.size(), metadata(results.simulation)));
  }
}

io::Table plane_table(const Results& results) {
  using enum io::ColumnType;
  const auto& tally = results.tallies.back();
  const auto& z = tally.description.axes[0].range;
  const auto& r = tally.description.axes[1].range;
  io::Table table{"plane",
                  {{"z_lo", "", float64},
                   {"z_hi", "", float64},
                   {"r_lo", "", float64},
                   {"r_hi", "", float64},
                   {"density", "", float64},
                   {"counts", "", int64}},
                  metadata(results.simulation)};
  const auto n = results.counts.histories.size();
  std::uint64_t inside = 0;
  for (int i = 0; i < z.bins; ++i)
    for (int j = 0; j < r.bins; ++j) {
      const auto count = tally.at(i + 1, j + 1);
      inside += count;
      const double area = (z.edge(i + 1) - z.edge(i)) * (r.edge(j + 1) - r.edge(j));
      table.add_row(z.edge(i), z.edge(i + 1), r.edge(j), r.edge(j + 1),
                    double(count) / (double(n) * area), count);
    }
  table.metadata.emplace_back("histories", fmt::format("{}", n));
  table.metadata.emplace_back("outside", fmt::format("{}", n - inside));
  return table;
}

}  // namespace coulomb
