// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/elegant/detail/elegant_values.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace trackplex::io::detail {

struct ElementRule {
  std::string_view keyword;
  std::string_view long_name;  ///< MAD's spelling, which elegant takes, too; may be empty
  std::vector<ParameterRule> parameters;
  beam::ElementKind (*make)(const ElementValues&);
  bool is_passive = false;  ///< without effect: any parameters
};

/// Value of a parameter; 0 if the type does not have it.
inline double value_or_zero(const ElementValues& v, std::string_view name) {
  return v.rule_of(name) ? v(name) : 0.;
}

/// Order of a Taylor map: 0 is the default of all elements; `most` is where elegant cuts.
inline int order_of(const ElementValues& v, int most) {
  const int order = v.integer("ORDER");
  v.require(order >= 0 && order <= 3, "ORDER", "orders are 1 to 3, and 0 for that of all");
  return std::min(order == 0 ? v.default_order() : order, most);
}

inline beam::Misalignment misalignment_of(const ElementValues& v) {
  return {v("DX"), v("DY"), v("TILT")};
}

/// Positive limits count.
inline double limit_of(const ElementValues& v, std::string_view name) {
  return std::max(0., v(name));
}

/// Displacement along the axis, too.
inline beam::Misalignment placement_of(const ElementValues& v) {
  return {v("DX"), v("DY"), v("TILT"), v("DZ")};
}

/// Angle of a magnet that is rotated while the axis is not, with the sign of its file.
inline double error_tilt_of(const ElementValues& v) {
  const double sign = v("ETILT_SIGN");
  v.require(sign == 1. || sign == -1., "ETILT_SIGN", "it is 1 or -1");
  return sign * v("ETILT");
}

/// The parameters that wakes and impedances share.
template <class Wake>
void set_wake(Wake& wake, const ElementValues& v) {
  wake.factor = v("FACTOR");
  wake.interpolate = v.flag("INTERPOLATE");
  wake.smoothing = v.flag("SMOOTHING");
  wake.smoothing_half_width = v.integer("SG_HALFWIDTH");
  wake.smoothing_order = v.integer("SG_ORDER");
  wake.allow_long_beam = value_or_zero(v, "ALLOW_LONG_BEAM") != 0.;
  wake.charge = v("CHARGE");
}

}  // namespace trackplex::io::detail
