// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/rank_errors.hpp>
#include <trackplex/core/ranks.hpp>

#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace trackplex {

TRACKPLEX_INLINE void RankErrors::check() const {
  if (!ranks_) return;
  const std::string own = message();
  const auto all = ranks_->gather_all(std::as_bytes(std::span(own)));
  if (all.empty()) return;
  const std::string_view text(reinterpret_cast<const char*>(all.data()), all.size());
  const std::string first(text.substr(1, text.find('\0') - 1));
  if (error_ && first == own.substr(1, own.size() - 2)) std::rethrow_exception(error_);
  if (text[0] == 'i') throw InputError({}, first);
  if (text[0] == 'u') throw UsageError(first);
  throw Error(first);
}

TRACKPLEX_INLINE std::string RankErrors::message() const {
  if (!error_) return {};
  const auto text = [](char kind, const char* what) { return kind + std::string(what) + '\0'; };
  try {
    std::rethrow_exception(error_);
  } catch (const InputError& error) {
    return text('i', error.what());
  } catch (const UsageError& error) {
    return text('u', error.what());
  } catch (const std::exception& error) {
    return text('e', error.what());
  }
}

}  // namespace trackplex
