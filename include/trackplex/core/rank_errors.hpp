// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/ranks.hpp>

#include <exception>
#include <string>

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
  void check() const;

 private:
  /// Kind and text of the error, with a zero byte after; empty without one.
  std::string message() const;

  const Ranks* ranks_;
  std::exception_ptr error_;
};

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/rank_errors.impl.hpp>
#endif
