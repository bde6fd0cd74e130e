// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace trackplex::io {

/// Form of a list of simulated particles, named after the year of the programs that wrote it.
enum class McForm {
  full_2020,   ///< with origin, mothers and charge
  short_2019,  ///< without these
  early_2018,  ///< as short_2019, without phi and the number of vertices
  mdf_v2,  ///< as full_2020, with the mother's PDG code and a flag of signal: banks of an MDF file
  mdf_v1,  ///< as mdf_v2, without the flag
};

inline constexpr std::array mc_forms = {McForm::full_2020, McForm::short_2019, McForm::early_2018,
                                        McForm::mdf_v2, McForm::mdf_v1};

constexpr std::string_view mc_form_name(McForm form) {
  constexpr std::array<std::string_view, mc_forms.size()> names = {
      "full_2020", "short_2019", "early_2018", "mdf_v2", "mdf_v1"};
  return names[std::size_t(form)];
}

}  // namespace trackplex::io
