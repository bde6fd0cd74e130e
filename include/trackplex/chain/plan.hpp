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
};

namespace detail {

inline std::string names_of_makers(const std::vector<StepDescription>& steps, int product) {
  std::string names;
  for (const auto& step : steps)
    if (std::find(step.makes.begin(), step.makes.end(), product) != step.makes.end())
      names += (names.empty() ? "" : ", ") + step.name;
  return names;
}

/// For each product, the index in the order of the step that makes it; -1 for inputs and for
/// products that no step makes.
/// @throws UsageError if a product is read before it is made, or made twice
inline std::vector<int> places_of_making(const std::vector<StepDescription>& steps,
                                         const std::vector<ProductDescription>& products,
                                         const std::vector<int>& order) {
  std::vector<int> made(products.size(), -1);
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto& step = steps[std::size_t(order[place])];
    for (const int product : step.reads)
      if (made[std::size_t(product)] < 0 && !products[std::size_t(product)].is_input)
        throw UsageError("chain",
                         step.name + " reads " + products[std::size_t(product)].name +
                             ", which no step before it makes",
                         {}, "it is made by: " + names_of_makers(steps, product));
    for (const int product : step.makes) {
      if (made[std::size_t(product)] >= 0 || products[std::size_t(product)].is_input)
        throw UsageError(
            "chain",
            step.name + " makes " + products[std::size_t(product)].name +
                ", which is there already",
            products[std::size_t(product)].is_input
                ? "it is an input"
                : "made by " +
                      steps[std::size_t(order[std::size_t(made[std::size_t(product)])])].name);
      made[std::size_t(product)] = int(place);
    }
  }
  return made;
}

/// For each product, the index in the order of the last step that needs its memory; for results,
/// which no step reads, the number of steps: the end of the batch.
inline std::vector<std::size_t> last_uses(const std::vector<StepDescription>& steps,
                                          std::size_t products, const std::vector<int>& order) {
  constexpr auto unread = std::size_t(-1);
  std::vector<std::size_t> last(products, unread);
  for (std::size_t place = 0; place < order.size(); ++place)
    for (const int product : steps[std::size_t(order[place])].reads)
      last[std::size_t(product)] = place;
  std::replace(last.begin(), last.end(), unread, order.size());
  for (std::size_t place = order.size(); place-- > 0;) {
    const auto& step = steps[std::size_t(order[place])];
    if (!step.aliases_inputs) continue;
    for (const int input : step.reads)
      for (const int output : step.makes)
        last[std::size_t(input)] = std::max(last[std::size_t(input)], last[std::size_t(output)]);
  }
  return last;
}

}  // namespace detail

/// Plans a chain with steps in this order, a list of indices into `steps`.
/// @throws UsageError if a product is read before it is made, or made twice
inline Plan make_plan(const std::vector<StepDescription>& steps,
                      const std::vector<ProductDescription>& products,
                      const std::vector<int>& order) {
  const auto made = detail::places_of_making(steps, products, order);
  const auto last = detail::last_uses(steps, products.size(), order);
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
    const auto& step = steps[std::size_t(planned.step)];
    const bool host_looks = std::any_of(step.reads.begin(), step.reads.end(), [&](int product) {
      return products[std::size_t(product)].read_by_host;
    });
    planned.waits = enqueued && (step.on_host || host_looks);
    enqueued = !step.on_host || (enqueued && !planned.waits);
    for (std::size_t p = 0; p < products.size(); ++p)
      if (made[p] >= 0 && last[p] == place) planned.releases.push_back(int(p));
    plan.steps.push_back(std::move(planned));
  }
  return plan;
}

}  // namespace trackplex::chain
