// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/io/madx/detail/madx_values.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Slices of a magnet of a phase advance or an angle, rad.
inline int madx_slices(const MadxOptions& options, double phase) {
  if (options.slices > 0) return options.slices;
  return int(std::clamp(std::ceil(10. * phase), 2., 1000.));
}

/// Element of a line, with the values of its attributes.
class MadxPart {
 public:
  MadxPart(const MadxModel& model, MadxValues& values, const MadxOptions& options, std::string name,
           const MadxPlace& at)
      : model_(model), values_(values), options_(options), name_(std::move(name)), at_(at) {}

  const std::string& name() const { return name_; }
  std::string type() const { return model_.type_of(name_); }
  const MadxOptions& options() const { return options_; }

  double operator()(std::string_view attribute, double otherwise = 0.) const {
    return values_.attribute(name_, attribute, otherwise);
  }
  std::vector<double> list(std::string_view attribute) const {
    return values_.list(name_, attribute);
  }
  std::string text(std::string_view attribute) const {
    const MadxAttribute* found = model_.attribute(name_, attribute);
    return found ? lower_case(found->text) : std::string();
  }
  bool is_given(std::string_view attribute) const { return model_.attribute(name_, attribute); }

  /// Throws InputError at the attribute, or at the element if it has none.
  [[noreturn]] void refuse(std::string_view attribute, const std::string& why,
                           const std::string& hint = {}) const {
    const MadxAttribute* found = model_.attribute(name_, attribute);
    refuse_madx(found ? found->at : at_,
                "'" + name_ + "': " + std::string(attribute) + " cannot be " +
                    (found && !found->text.empty() ? "'" + found->text + "'"
                                                   : shortest((*this)(attribute))),
                why, hint);
  }
  /// Refuses values other than 0 of attributes that are not implemented.
  void refuse_nonzero(std::initializer_list<std::string_view> attributes) const {
    for (const std::string_view attribute : attributes)
      for (const double value : list(attribute))
        if (value != 0.) refuse(attribute, "it is not implemented for " + type());
  }
  /// Throws InputError at the element.
  [[noreturn]] void refuse_element(const std::string& why, const std::string& hint = {}) const {
    refuse_madx(at_, "'" + name_ + "' (" + type() + ") cannot be tracked", why, hint);
  }

  /// Path length of the reference particle.
  double length() const {
    const std::string of = type();
    if (of == "multipole" || of == "marker" || of == "dipedge" || of == "translation" ||
        of == "changeref" || of == "changerefp0" || of == "sixmarker" || of == "srotation" ||
        of == "xrotation" || of == "yrotation")
      return 0.;
    const double length = (*this)("l");
    if (length < 0.) refuse("l", "it must not be negative");
    return of == "rbend" ? values_.arc_length(length, (*this)("angle")) : length;
  }

 private:
  const MadxModel& model_;
  MadxValues& values_;
  const MadxOptions& options_;
  std::string name_;
  MadxPlace at_;
};

}  // namespace trackplex::io::detail
