// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop_flow.hpp"

#include <fmt/format.h>

namespace forecast {

namespace model = trackplex::perfmodel;

namespace {

/// A loop with what it does itself, then the loops inside it, further to the right.
std::string text_of(const model::Loop& loop, const std::string& indent) {
  const auto& trips = loop.trip_count;
  std::string text = fmt::format(
      "{}{}, x {:.4g}{}: {:.4g} instructions", indent, loop.name.empty() ? "loop" : loop.name,
      model::mean(trips), trips.varies() ? " in the mean" : "", model::own_instructions(loop));
  if (const double flops = loop.operations.flops(); flops > 0.)
    text += fmt::format(", {:.4g} flop", flops);
  text += "\n";
  for (const auto& call : loop.calls)
    text += fmt::format("{}  calls {} x {:.4g}, {:.4g} each\n", indent, call.name, call.times,
                        call.instructions);
  for (const auto& branch : loop.branches)
    text += fmt::format("{}  {}branches: {:.4g} ({})\n", indent,
                        branch.diverging ? "diverging " : "", branch.count, branch.name);
  for (const auto& inner : loop.loops) text += text_of(inner, indent + "    ");
  return text;
}

std::string text_of(const model::Stream& stream) {
  std::string amount;
  if (stream.bytes_per_item > 0.)
    amount = fmt::format("{:.4g} bytes per item", stream.bytes_per_item);
  if (stream.bytes > 0.)
    amount += fmt::format("{}{:.4g} bytes", amount.empty() ? "" : " + ", stream.bytes);
  return fmt::format("  {} ({}, {} the device): {}\n", stream.name,
                     stream.path == model::Path::memory ? "memory" : "link",
                     stream.direction == model::Direction::to_device ? "to" : "from", amount);
}

}  // namespace

std::string loop_flow(const model::Application& application) {
  std::string text = "Loop flow:\n";
  for (const auto& loop : application.loops) text += text_of(loop, "  ");
  if (!application.streams.empty()) text += "Data:\n";
  for (const auto& stream : application.streams) text += text_of(stream);
  return text + "\n";
}

}  // namespace forecast
