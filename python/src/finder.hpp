// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "arrays.hpp"
#include "session.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// Chains of algorithms that are called with lists of events, and their results.

namespace trackplex::python {

/// Result of an event, with the session whose memory it has.
template <class Result>
struct Kept {
  SessionPointer session = Session::get();
  Result result{};
};

/// Returns a view of a list of a result, to read only; `base` owns it.
template <class T>
py::array view_of_span(std::span<const T> values, py::handle base) {
  static const T none{};
  return read_only(view_of(values.empty() ? &none : values.data(), values.size(), base));
}

/// A chain of algorithms with the session whose memory it has.
/// @tparam Detector what the chain refers to, kept alive
template <class Chain, class Detector>
class Finder {
 public:
  using Event = std::remove_const_t<typename Chain::Event>;
  using Result = typename Chain::Result;

  template <class Make>
  explicit Finder(const Make& make, std::shared_ptr<Detector> detector = {})
      : detector_(std::move(detector)) {
    const KernelScope scope;
    chain_ = std::unique_ptr<Chain>(new Chain(make(executor_of())));
  }

  std::vector<std::shared_ptr<Kept<Result>>> operator()(
      const std::vector<std::shared_ptr<Event>>& events) {
    const std::vector<std::shared_ptr<const Event>> inputs(events.begin(), events.end());
    if (std::find(inputs.begin(), inputs.end(), nullptr) != inputs.end())
      throw py::type_error("events contain None");
    std::vector<Result> results;
    std::vector<std::shared_ptr<Kept<Result>>> kept;
    if (inputs.empty()) return kept;
    const KernelScope scope;
    chain_->stage(inputs);
    chain_->run();
    chain_->collect(results);
    for (auto& result : results) {
      kept.push_back(std::make_shared<Kept<Result>>());
      kept.back()->result = std::move(result);
    }
    return kept;
  }

 private:
  SessionPointer session_ = Session::get();
  std::shared_ptr<Detector> detector_;
  std::unique_ptr<Chain> chain_;
};

}  // namespace trackplex::python
