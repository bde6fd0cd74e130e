// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantities.hpp"

#include "elements.hpp"

#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

namespace coulomb {

using trackplex::UsageError;
using trackplex::montecarlo::ElementFraction;

namespace {

/// A number and what follows it.
struct NumberWithUnit {
  double value = 0.;
  std::string unit;
};

std::optional<NumberWithUnit> split(std::string_view text) {
  NumberWithUnit result;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, result.value);
  if (error != std::errc() || !std::isfinite(result.value)) return std::nullopt;
  const auto unit = std::string_view(rest, std::size_t(end - rest));
  result.unit = unit.substr(std::min(unit.find_first_not_of(' '), unit.size()));
  return result;
}

const std::map<std::string, double> energies{
    {"", 1.}, {"eV", 1e-6}, {"keV", 1e-3}, {"MeV", 1.}, {"GeV", 1e3}};
const std::map<std::string, double> lengths{
    {"nm", 1e-6}, {"um", 1e-3}, {"mm", 1.}, {"cm", 10.}, {"m", 1000.}};

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& suggestion) {
  throw UsageError(option, "'" + text + "' is not understood", {}, suggestion);
}

/// A value in its range.
double checked(const std::string& option, const std::string& text, double value, double low,
               double high, const std::string& unit) {
  if (!(value >= low && value <= high))
    throw UsageError(option, text + " is out of range",
                     fmt::format("{:g} to {:g} {}", low, high, unit));
  return value;
}

/// The element of a symbol, with the fraction 1.
std::optional<ElementFraction> element_of(const std::string& symbol) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (symbol == elements[i].symbol) return ElementFraction{int(i) + 1, elements[i].weight, 1.};
  return std::nullopt;
}

}  // namespace

double energy_of(const std::string& text) {
  const auto number = split(text);
  if (!number || !energies.contains(number->unit) || !(number->value > 0.))
    refuse("--energy", text, "give a kinetic energy above 0: 0.128 (MeV), 128keV, 1.5MeV");
  return checked("--energy", text, number->value * energies.at(number->unit), 1e-9, 1e9, "MeV");
}

TrackLength track_length_of(const std::string& text) {
  const auto number = split(text);
  if (!number || !(number->value > 0.) || !(number->unit.empty() || lengths.contains(number->unit)))
    refuse("--limit", text, "give a length above 0: 33.5 (mean free paths), 0.0137mm, 2um");
  const bool in_mm = !number->unit.empty();
  const double value = number->value * (in_mm ? lengths.at(number->unit) : 1.);
  return {checked("--limit", text, value, 1e-12, 1e12, in_mm ? "mm" : "mean free paths"), in_mm};
}

double source_radius_of(const std::string& text) {
  if (text == "pencil") return 0.;
  const bool disk = text.starts_with("disk:");
  const auto number = disk ? split(std::string_view(text).substr(5)) : std::nullopt;
  if (!number || !(number->value > 0.) || !(number->unit.empty() || lengths.contains(number->unit)))
    refuse("--source", text, "give pencil, or disk:R with the radius in mm");
  const double value = number->value * (number->unit.empty() ? 1. : lengths.at(number->unit));
  return checked("--source", text, value, 1e-12, 1e12, "mm");
}

std::vector<ElementFraction> composition_of(const std::string& text) {
  const std::string suggestion =
      "give H:0.112,O:0.888, or Z:A:FRACTION, as 1:1.008:0.112,8:15.999:0.888";
  std::vector<ElementFraction> result;
  for (const auto& part : parts_of(text, ',')) {
    const auto fields = parts_of(part, ':');
    std::optional<ElementFraction> element;
    if (fields.size() == 2) {
      element = element_of(fields[0]);
      if (!element)
        throw UsageError("--composition", "there is no element '" + fields[0] + "'", {},
                         "symbols are known up to U; or " + suggestion);
    } else if (fields.size() == 3) {
      const auto z = split(fields[0]), a = split(fields[1]);
      const bool good = z && a && z->unit.empty() && a->unit.empty() && z->value >= 1. &&
                        z->value <= 200. && z->value == std::floor(z->value) && a->value > 0.;
      if (good) element = ElementFraction{int(z->value), a->value, 1.};
    }
    const auto fraction = split(fields.back());
    if (!element || !fraction || !fraction->unit.empty() || !(fraction->value > 0.))
      refuse("--composition", text, suggestion);
    element->fraction = fraction->value;
    result.push_back(*element);
  }
  return result;
}

}  // namespace coulomb
