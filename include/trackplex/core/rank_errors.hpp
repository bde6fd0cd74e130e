// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/ranks.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace trackplex {

/// Errors of ranks that all of them are to throw: a rank that throws alone would leave the others
/// waiting in the next call that all make together.
class RankErrors {
 public:
  /// Of these ranks; null: there is one process, which throws at once.
  explicit RankErrors(const Ranks* ranks) : ranks_(ranks) {}

  /// Calls f, and keeps what it throws; does nothing if there is an error on this rank already.
  template <class F>
  void run(const F& f) {
    if (!ranks_) return f();
    if (error_) return;
    try {
      f();
    } catch (...) {
      error_ = std::current_exception();
    }
  }

  /// Throws on all ranks if there is an error on one: that of the first such rank, with the same
  /// message. All ranks call it.
  /// @throws InputError, UsageError, Error
  void check() const {
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

 private:
  /// Kind and text of the error, with a zero byte behind; empty without one.
  std::string message() const {
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

  const Ranks* ranks_;
  std::exception_ptr error_;
};

}  // namespace trackplex
