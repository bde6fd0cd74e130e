// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/p_kick_fit.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

/// The fits of UT hits, plainly: rows of a design matrix, normal equations, Gauss elimination.
namespace trackplex::test {

using Long = long double;

/// One measurement: value = sum of coefficients times parameters, with a weight.
template <int N>
struct Row {
  std::array<Long, N> coefficient;
  Long value, weight;

  Long residual(const std::array<Long, N>& parameter) const {
    Long rest = value;
    for (int i = 0; i < N; ++i) rest -= coefficient[i] * parameter[i];
    return rest;
  }
};

/// The parameters with the smallest weighted sum of squares; nothing if they are not determined.
template <int N>
std::optional<std::array<Long, N>> least_squares(const std::vector<Row<N>>& rows) {
  std::array<std::array<Long, N + 1>, N> m{};
  for (const auto& row : rows)
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) m[i][j] += row.weight * row.coefficient[i] * row.coefficient[j];
      m[i][N] += row.weight * row.coefficient[i] * row.value;
    }
  for (int i = 0; i < N; ++i) {
    int pivot = i;
    for (int j = i + 1; j < N; ++j)
      if (std::abs(m[j][i]) > std::abs(m[pivot][i])) pivot = j;
    std::swap(m[i], m[pivot]);
    if (m[i][i] == 0) return {};
    for (int j = 0; j < N; ++j) {
      if (j == i) continue;
      const Long factor = m[j][i] / m[i][i];
      for (int k = i; k <= N; ++k) m[j][k] -= factor * m[i][k];
    }
  }
  std::array<Long, N> parameter;
  for (int i = 0; i < N; ++i) parameter[i] = m[i][N] / m[i][i];
  return parameter;
}

/// A UT hit on a track, mm.
struct FitHit {
  int layer;
  Long x, z, weight;
};

struct FitState {
  Long x, y, z, tx, ty;
};

struct ReferenceKick {
  Long x, slope, kick, chi2;
};

/// Cosine of the stereo angle as published.
inline Long ut_fit_cosine(int layer) { return std::cos(Long(lhcb::ut_dxdy[layer])); }

/// The first fit. Published equations: they weight a hit with its cosine on the left side only,
/// which is least squares of x/cosine, with weights that have the cosine.
inline ReferenceKick reference_p_kick(const FitState& velo, const std::vector<FitHit>& hits,
                                      Long sigma) {
  const Long to_kink = lhcb::ut_z_kink - velo.z, lever = lhcb::ut_z_kink - Long(lhcb::ut_z_middle);
  std::vector<Row<2>> rows = {
      {{1, lever / 1000}, velo.x + velo.tx * to_kink, 1 / (sigma * to_kink * sigma * to_kink)}};
  for (const auto& hit : hits) {
    const Long c = ut_fit_cosine(hit.layer);
    rows.push_back({{1, (hit.z - Long(lhcb::ut_z_middle)) / 1000}, hit.x / c, hit.weight * c});
  }
  const auto fit = least_squares(rows).value();
  ReferenceKick result{fit[0], fit[1] / 1000, 0, 0};
  const Long slope = (result.x + result.slope * lever - velo.x) / to_kink;
  result.chi2 = (velo.tx - slope) / sigma * ((velo.tx - slope) / sigma);
  for (const auto& hit : hits) {
    const Long residual = result.x + result.slope * (hit.z - Long(lhcb::ut_z_middle)) - hit.x;
    result.chi2 += residual * residual * hit.weight;
  }
  result.chi2 /= Long(hits.size() - 1);
  result.kick = slope * std::sqrt(1 + slope * slope) -
                result.slope * std::sqrt(1 + result.slope * result.slope);
  return result;
}

struct ReferenceKickWithY : ReferenceKick {
  Long y;
};

/// z of the kink and the weight of the VELO track's point there.
inline std::pair<Long, Long> reference_kink(const FitState& velo, Long first_kick,
                                            Long qop_per_kick) {
  const Long ty2 = velo.ty * velo.ty;
  const Long per_p = std::max(std::abs(first_kick * qop_per_kick), Long(1e-9)) * std::sqrt(1 + ty2);
  const Long sigma1 = 0.14L + 1e4L * per_p, sigma2 = 0.12L + 3e3L * per_p;
  return {2010 + 2240 * ty2 + 71330 * ty2 * ty2, 1 / (sigma1 * sigma1 + sigma2 * sigma2)};
}

/// The second fit; nothing where the hits do not determine it.
inline std::optional<ReferenceKickWithY> reference_p_kick_with_y(const FitState& velo,
                                                                 const std::vector<FitHit>& hits,
                                                                 Long first_kick,
                                                                 Long qop_per_kick) {
  const auto [z_kink, weight] = reference_kink(velo, first_kick, qop_per_kick);
  const Long ty2 = velo.ty * velo.ty, middle = lhcb::ut_z_middle;
  const Long x_kink = velo.x + velo.tx * (z_kink - velo.z);
  std::vector<Row<3>> rows = {{{1, (z_kink - middle) / 1000, 0}, x_kink, weight}};
  for (const auto& hit : hits)
    rows.push_back(
        {{1, (hit.z - middle) / 1000, -Long(lhcb::ut_dxdy[hit.layer]) * ut_fit_cosine(hit.layer)},
         hit.x,
         hit.weight});
  const auto fit = least_squares(rows);
  if (!fit) return {};
  const Long x = (*fit)[0], slope = (*fit)[1] / 1000, y = (*fit)[2];
  Long chi2 = weight * y * y / (1 + ty2);
  for (const auto& row : rows) {
    const Long residual = row.residual(*fit);
    chi2 += row.weight * residual * residual / (1 + slope * slope);
  }
  const Long at_kink = (x + slope * (z_kink - middle) + x_kink) / 2;
  const Long before = (at_kink - velo.x) / (z_kink - velo.z);
  ReferenceKickWithY result;
  result.x = x;
  result.slope = slope;
  result.kick =
      before * std::sqrt(1 + before * before + ty2) - slope * std::sqrt(1 + slope * slope + ty2);
  result.chi2 = chi2;
  result.y = velo.y + velo.ty * (middle - velo.z) + y;
  return result;
}

}  // namespace trackplex::test
