// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/ranks.hpp>

#include <exception>
#include <string>

namespace trackplex {

/// Errors that all ranks must throw: a rank that throws alone would leave the others waiting in
/// the next collective call.
class RankErrors {
 public:
  /// Errors of these ranks; null: there is one process, which throws at once.
  explicit RankErrors(const Ranks* ranks) : ranks_(ranks) {}

  /// Calls f and stores the exception that it throws; does nothing if this rank already has an
  /// error.
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

  /// Throws on all ranks if any rank has an error: the error of the first such rank, with the
  /// same message. All ranks call it.
  /// @throws InputError, UsageError, Error
  void check() const;

 private:
  /// Kind and text of the error, followed by a zero byte; empty without an error.
  std::string message() const;

  const Ranks* ranks_;
  std::exception_ptr error_;
};

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/rank_errors.impl.hpp>
#endif
