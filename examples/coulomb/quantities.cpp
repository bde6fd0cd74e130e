// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantities.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/montecarlo/chemical_elements.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

namespace coulomb {

using montecarlo::ElementFraction;

namespace {

using Units = std::map<std::string, double, std::less<>>;
const Units energies{{"", 1.}, {"eV", 1e-6}, {"keV", 1e-3}, {"MeV", 1.}, {"GeV", 1e3}};
const Units lengths{{"nm", 1e-6}, {"um", 1e-3}, {"", 1.}, {"mm", 1.}, {"cm", 10.}, {"m", 1000.}};
const Units none{{"", 1.}};

/// A number above 0 with a unit.
std::optional<double> number_of(std::string_view text, const Units& units) {
  double value = 0.;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::string_view unit(rest, std::size_t(end - rest));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const auto at = units.find(unit);
  const bool good = error == std::errc() && at != units.end() && value > 0. && std::isfinite(value);
  return good ? std::optional(value * at->second) : std::nullopt;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& suggestion) {
  throw UsageError(option, "'" + text + "' is not understood", {}, suggestion);
}

/// The same, of an option that says it in `text`.
double quantity_of(const std::string& option, const std::string& text, std::string_view number,
                   const Units& units, double low, double high, const std::string& suggestion) {
  const auto value = number_of(number, units);
  if (!value) refuse(option, text, suggestion);
  if (!(*value >= low && *value <= high))
    throw UsageError(option, text + " is out of range", fmt::format("{:g} to {:g}", low, high));
  return *value;
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

}  // namespace

double energy_of(const std::string& text) {
  return quantity_of("--energy", text, text, energies, 1e-9, 1e9,
                     "give a kinetic energy above 0: 0.128 (MeV), 128keV, 1.5MeV");
}

double track_length_of(const std::string& text, double mean_free_path_mm) {
  const bool is_length = !number_of(text, none);
  const double value = quantity_of("--limit", text, text, is_length ? lengths : none, 1e-12, 1e12,
                                   "give a length above 0: 33.5 (mean free paths), 0.0137mm, 2um");
  return is_length ? value / mean_free_path_mm : value;
}

double source_radius_of(const std::string& text) {
  const std::string suggestion = "give pencil, or disk:R with the radius in mm";
  if (text == "pencil") return 0.;
  if (!text.starts_with("disk:")) refuse("--source", text, suggestion);
  return quantity_of("--source", text, std::string_view(text).substr(5), lengths, 1e-12, 1e12,
                     suggestion);
}

std::vector<ElementFraction> composition_of(const std::string& text) {
  std::vector<ElementFraction> result;
  for (const auto& part : parts_of(text, ',')) {
    const auto fields = parts_of(part, ':');
    const auto fraction = number_of(fields.back(), none);
    bool good = fraction && (fields.size() == 2 || fields.size() == 3);
    ElementFraction element;
    if (fields.size() == 2) {
      const auto known = montecarlo::element_of(fields[0]);
      if (!known)
        throw UsageError("--composition", "there is no element '" + fields[0] + "'", {},
                         "symbols are known up to U; or give Z:A:FRACTION");
      element = *known;
    }
    if (good && fields.size() == 3) {
      const auto z = number_of(fields[0], none), a = number_of(fields[1], none);
      good = z && a && *z >= 1. && *z <= 200. && *z == std::floor(*z);
      if (good) element = {int(*z), *a, 1.};
    }
    if (!good)
      refuse("--composition", text,
             "give H:0.112,O:0.888, or Z:A:FRACTION, as 1:1.008:0.112,8:15.999:0.888");
    element.fraction = *fraction;
    result.push_back(element);
  }
  return result;
}

}  // namespace coulomb
