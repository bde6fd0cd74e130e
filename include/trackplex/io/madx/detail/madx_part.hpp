// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/io/madx/detail/madx_values.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::io::detail {

/// Element of a line, with the values of its attributes.
class MadxPart {
 public:
  /// `element` is the element if its name means another one, else null; `length` that which it had
  /// at USE.
  MadxPart(const MadxModel& model, MadxValues& values, const MadxOptions& options, std::string name,
           const MadxPlace& at, const MadxElement* element = nullptr,
           std::optional<double> length = std::nullopt)
      : model_(model),
        values_(values),
        options_(options),
        name_(std::move(name)),
        element_(element ? element : model.element(name_)),
        at_(element_ ? element_->at : at),
        length_(length) {}

  const std::string& name() const { return name_; }
  std::string type() const { return element_ ? element_->type : name_; }
  /// All attributes; null if there are none.
  const MadxAttributes* attributes() const {
    return element_ ? &element_->attributes : model_.attributes(name_);
  }
  const MadxOptions& options() const { return options_; }

  double operator()(std::string_view attribute, double otherwise = 0.) const {
    const MadxAttribute* found = find(attribute);
    return found ? values_(found->first()) : otherwise;
  }
  std::vector<double> list(std::string_view attribute) const {
    const MadxAttribute* found = find(attribute);
    return found ? values_.list(*found) : std::vector<double>{};
  }
  std::string text(std::string_view attribute) const {
    const MadxAttribute* found = find(attribute);
    return found ? lower_case(found->text) : std::string();
  }
  bool is_given(std::string_view attribute) const { return find(attribute); }
  /// The expression of an attribute; 0 if it has none.
  MadxExpression expression(std::string_view attribute) const {
    const MadxAttribute* found = find(attribute);
    return found ? found->first() : MadxExpression{};
  }

  /// Throws InputError at the attribute, or at the element if it has none.
  [[noreturn]] void refuse(std::string_view attribute, const std::string& why,
                           const std::string& hint = {}) const {
    const MadxAttribute* found = find(attribute);
    refuse_madx(found ? found->at : at_,
                "'" + name_ + "': " + std::string(attribute) + " cannot be " +
                    (found && !found->text.empty() ? "'" + found->text + "'"
                                                   : shortest((*this)(attribute))),
                why, hint);
  }
  /// Refuses values other than 0 of attributes that are not implemented for the type.
  void refuse_unsupported() const {
    for (const std::string& attribute : MadxType::words(madx_type(type())->zero))
      for (const double value : list(attribute))
        if (value != 0.) refuse(attribute, "it is not implemented for " + type());
  }
  /// Throws InputError at the element.
  [[noreturn]] void refuse_element(const std::string& why, const std::string& hint = {}) const {
    refuse_madx(at_, "'" + name_ + "' (" + type() + ") cannot be tracked", why, hint);
  }

  /// Path length of the reference particle.
  double length() const {
    if (length_) return *length_;
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
  const MadxAttribute* find(std::string_view attribute) const {
    const MadxAttributes* all = attributes();
    if (!all) return nullptr;
    const auto found = all->find(attribute);
    return found == all->end() ? nullptr : &found->second;
  }

  const MadxModel& model_;
  MadxValues& values_;
  const MadxOptions& options_;
  std::string name_;
  const MadxElement* element_;
  MadxPlace at_;
  std::optional<double> length_;
};

}  // namespace trackplex::io::detail
