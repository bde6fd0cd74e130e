// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace trackplex {

TRACKPLEX_INLINE std::string Error::message(std::string_view where, std::string_view problem,
                                            std::string_view why, std::string_view suggestion) {
  std::string text;
  if (!where.empty()) text.append(where).append(": ");
  text.append(problem);
  if (!why.empty()) text.append(" (").append(why).append(")");
  if (!suggestion.empty()) text.append("; ").append(suggestion);
  return text;
}

TRACKPLEX_INLINE std::string InputPlace::to_string() const {
  std::string text = file;
  if (!field.empty()) text.append(text.empty() ? "" : ": ").append(field);
  if (index) text.append("[").append(std::to_string(*index)).append("]");
  if (offset) text.append(text.empty() ? "byte " : ", byte ").append(std::to_string(*offset));
  return text;
}

TRACKPLEX_INLINE InputError::InputError(InputPlace place, std::string_view problem,
                                        std::string_view why, std::string_view suggestion)
    : Error(place.to_string(), problem, why, suggestion), place_(std::move(place)) {}

TRACKPLEX_INLINE CapacityError::CapacityError(std::string_view where, std::string_view what,
                                              std::size_t needed, std::size_t capacity,
                                              std::string_view suggestion)
    : Error(where, std::to_string(needed).append(" ").append(what).append(" do not fit"),
            "capacity " + std::to_string(capacity), suggestion),
      needed_(needed),
      capacity_(capacity) {}

}  // namespace trackplex
