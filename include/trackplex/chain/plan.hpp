// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Plan of a chain: the steps at which each product is made, last read and released, and at which
/// the chain waits for its instance.

namespace trackplex::chain {

/// Description of an algorithm for a plan. Products are given by their indices.
struct StepDescription {
  std::string name;             ///< name of the algorithm
  std::vector<int> reads,       ///< products that it reads
      makes;                    ///< products that it makes
  bool on_host = false;         ///< runs on the host, after all steps before it have finished
  bool aliases_inputs = false;  ///< its products may share arrays with its inputs
  int passes = 1;               ///< max number of times in the order; see InPasses
};

/// Description of a product for a plan.
struct ProductDescription {
  std::string name;           ///< its member `name`, else the name of its type
  bool is_input = false;      ///< exists before the first step; no step makes it
  bool read_by_host = false;  ///< its readers need its contents on the host when they allocate
};

/// Step of a plan.
struct PlannedStep {
  int step = 0;               ///< index of its description
  int pass = 0;               ///< number of times that the step occurs before in the order
  bool waits = false;         ///< the chain waits for the instance before it allocates
  std::vector<int> releases;  ///< products whose memory is free as soon as the step is enqueued
};

/// Order of the steps of a chain: [0, first_device) are host steps that stage the batch,
/// [first_device, end_device) are device steps and host steps between them, the others are host
/// steps that collect the results.
struct Plan {
  std::vector<PlannedStep> steps;  ///< in the order in which they run
  std::size_t first_device = 0;    ///< index of the first device step
  std::size_t end_device = 0;      ///< index after the last device step

  /// Whether a step occurs several times.
  bool has_passes() const {
    return std::any_of(steps.begin(), steps.end(), [](const auto& step) { return step.pass > 0; });
  }
};

namespace detail {

inline std::string names_of_makers(const std::vector<StepDescription>& steps, int product) {
  std::string names;
  for (const auto& step : steps)
    if (std::find(step.makes.begin(), step.makes.end(), product) != step.makes.end())
      names += (names.empty() ? "" : ", ") + step.name;
  return names;
}

/// Number of times that the step at a place occurs before it.
inline int pass_at(const std::vector<int>& order, std::size_t place) {
  const auto at = order.begin() + std::ptrdiff_t(place);
  return int(std::count(order.begin(), at, *at));
}

/// Checks that each product is made before it is read, and by one step only, which may make it
/// again in its next pass.
/// @throws UsageError if it is not
inline void check_order(const std::vector<StepDescription>& steps,
                        const std::vector<ProductDescription>& products,
                        const std::vector<int>& order) {
  std::vector<int> maker(products.size(), -1);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto& step = steps[std::size_t(order[place])];
    for (const int product : step.reads)
      if (maker[std::size_t(product)] < 0 && !products[std::size_t(product)].is_input)
        throw UsageError("chain",
                         step.name + " reads " + products[std::size_t(product)].name +
                             ", which no step before it makes",
                         {}, "it is made by: " + names_of_makers(steps, product));
    if (step.passes > 1 && pass_at(order, place) >= step.passes)
      throw UsageError("chain", step.name + " occurs more often than there are passes",
                       std::to_string(step.passes) + " passes");
    for (const int product : step.makes) {
      const auto& [name, is_input, read_by_host] = products[std::size_t(product)];
      int& made_by = maker[std::size_t(product)];
      if (is_input || (made_by >= 0 && (made_by != order[place] || step.passes == 1)))
        throw UsageError(
            "chain", step.name + " makes " + name + ", which is there already",
            is_input ? "it is an input" : "made by " + steps[std::size_t(made_by)].name);
      made_by = order[place];
    }
  }
}

/// For each place in the order, the products whose memory is free after it: those that no step
/// reads before they are made again, if they are. What no step reads stays: results, also when a
/// later pass adds to them.
inline std::vector<std::vector<int>> releases(const std::vector<StepDescription>& steps,
                                              std::size_t products, const std::vector<int>& order) {
  std::vector<std::vector<int>> free(order.size() + 1);
  std::vector<std::size_t> last(products, order.size());  // need of the products after a place
  std::vector<bool> is_read(products, false);
  for (std::size_t place = order.size(); place-- > 0;) {
    const auto& step = steps[std::size_t(order[place])];
    std::size_t last_of_inputs = place;
    for (const int product : step.makes) {
      const auto p = std::size_t(product);
      if (step.aliases_inputs) last_of_inputs = std::max(last_of_inputs, last[p]);
      free[last[p]].push_back(product);
      is_read[p] = false;
    }
    for (const int product : step.reads) {
      const auto p = std::size_t(product);
      last[p] = is_read[p] ? std::max(last[p], last_of_inputs) : last_of_inputs;
      is_read[p] = true;
    }
  }
  for (auto& list : free) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return free;
}

}  // namespace detail

/// Plans a chain with steps in this order, a list of indices into `steps`.
/// @throws UsageError if a product is read before it is made, or made twice, or a step occurs more
/// often than it has passes
inline Plan make_plan(const std::vector<StepDescription>& steps,
                      const std::vector<ProductDescription>& products,
                      const std::vector<int>& order) {
  detail::check_order(steps, products, order);
  auto releases = detail::releases(steps, products.size(), order);
  Plan plan;
  const auto on_host = [&](int step) { return steps[std::size_t(step)].on_host; };
  plan.first_device =
      std::size_t(std::find_if_not(order.begin(), order.end(), on_host) - order.begin());
  plan.end_device = order.size();
  while (plan.end_device > plan.first_device && on_host(order[plan.end_device - 1]))
    --plan.end_device;

  bool enqueued = false;  // work that the host has not waited for
  for (std::size_t place = 0; place < order.size(); ++place) {
    PlannedStep planned;
    planned.step = order[place];
    planned.pass = detail::pass_at(order, place);
    const auto& step = steps[std::size_t(planned.step)];
    const bool host_looks = std::any_of(step.reads.begin(), step.reads.end(), [&](int product) {
      return products[std::size_t(product)].read_by_host;
    });
    planned.waits = enqueued && (step.on_host || host_looks);
    enqueued = !step.on_host || (enqueued && !planned.waits);
    planned.releases = std::move(releases[place]);
    plan.steps.push_back(std::move(planned));
  }
  return plan;
}

}  // namespace trackplex::chain
