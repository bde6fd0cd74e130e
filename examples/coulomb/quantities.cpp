// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quantities.hpp"

#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

namespace coulomb {

using trackplex::UsageError;
using trackplex::montecarlo::ElementFraction;

namespace {

/// Symbols in the order of atomic numbers, with standard atomic weights, or the mass number of the
/// longest-lived isotope.
constexpr const char* elements =
    "H 1.008 He 4.0026 Li 6.94 Be 9.0122 B 10.81 C 12.011 N 14.007 O 15.999 F 18.998 "
    "Ne 20.18 Na 22.99 Mg 24.305 Al 26.982 Si 28.085 P 30.974 S 32.06 Cl 35.45 Ar 39.95 "
    "K 39.098 Ca 40.078 Sc 44.956 Ti 47.867 V 50.942 Cr 51.996 Mn 54.938 Fe 55.845 "
    "Co 58.933 Ni 58.693 Cu 63.546 Zn 65.38 Ga 69.723 Ge 72.63 As 74.922 Se 78.971 "
    "Br 79.904 Kr 83.798 Rb 85.468 Sr 87.62 Y 88.906 Zr 91.224 Nb 92.906 Mo 95.95 Tc 97 "
    "Ru 101.07 Rh 102.91 Pd 106.42 Ag 107.87 Cd 112.41 In 114.82 Sn 118.71 Sb 121.76 "
    "Te 127.6 I 126.9 Xe 131.29 Cs 132.91 Ba 137.33 La 138.91 Ce 140.12 Pr 140.91 "
    "Nd 144.24 Pm 145 Sm 150.36 Eu 151.96 Gd 157.25 Tb 158.93 Dy 162.5 Ho 164.93 Er 167.26 "
    "Tm 168.93 Yb 173.05 Lu 174.97 Hf 178.49 Ta 180.95 W 183.84 Re 186.21 Os 190.23 "
    "Ir 192.22 Pt 195.08 Au 196.97 Hg 200.59 Tl 204.38 Pb 207.2 Bi 208.98 Po 209 At 210 "
    "Rn 222 Fr 223 Ra 226 Ac 227 Th 232.04 Pa 231.04 U 238.03 ";

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

/// The element of a symbol, with the fraction 1.
ElementFraction element_of(const std::string& symbol) {
  std::istringstream table(elements);
  std::string candidate;
  double weight = 0.;
  for (int z = 1; table >> candidate >> weight; ++z)
    if (candidate == symbol) return {z, weight, 1.};
  throw UsageError("--composition", "there is no element '" + symbol + "'", {},
                   "symbols are known up to U; or give Z:A:FRACTION");
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
    if (fields.size() == 2) element = element_of(fields[0]);
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
