// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/rank_errors.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>

namespace trackplex::beam {

TRACKPLEX_INLINE ParticleTable::ParticleTable(int n, double p0) : reference{p0, 0.} {
  for (auto& column : v) column.resize(n);
  ids.resize(n);
  std::iota(ids.begin(), ids.end(), 0);
  losses.resize(n);
}

TRACKPLEX_INLINE void ParticleTable::set_spins(double x, double y, double z) {
  if (!(std::abs(x * x + y * y + z * z - 1.) < 2e-6))
    throw UsageError("spin", "it is not a unit vector",
                     "(" + shortest(x) + ", " + shortest(y) + ", " + shortest(z) + ")");
  has_spins = true;
  const double components[] = {x, y, z};
  for (int c = 0; c < n_spin_components; ++c) spin[c].assign(ids.size(), components[c]);
}

TRACKPLEX_INLINE int ParticleTable::n_lost() const {
  return int(std::count_if(losses.begin(), losses.end(),
                           [](const Loss& loss) { return loss.element != Loss::none; }));
}

TRACKPLEX_INLINE void check_columns(const ParticleTable& table) {
  bool equal = table.losses.size() == table.ids.size();
  for (const auto& column : table.v) equal = equal && column.size() == table.ids.size();
  for (const auto& column : table.spin)
    equal = equal && column.size() == (table.has_spins ? table.ids.size() : 0);
  if (!equal) throw UsageError("ParticleTable", "its columns have different lengths");
  if (table.ids.size() > std::size_t(std::numeric_limits<int>::max()))
    throw UsageError("ParticleTable", "it has more particles than a bunch can have",
                     std::to_string(table.ids.size()));
}

}  // namespace trackplex::beam
