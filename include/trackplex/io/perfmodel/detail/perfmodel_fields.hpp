// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The fields of devices, applications and chains in JSON files. Units are in the keys: Hz, bytes,
/// bits, s.

#include <trackplex/io/perfmodel/detail/json_fields.hpp>
#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/core_scaling.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace trackplex::io::detail {

/// T or const T.
template <class X, class T>
concept Either = std::same_as<std::remove_const_t<X>, T>;

inline constexpr NumberRange required_number{above_zero, std::numeric_limits<double>::max(), true};
inline constexpr NumberRange positive{above_zero};
inline constexpr NumberRange share{0., 1.};
inline constexpr NumberRange positive_share{above_zero, 1.};
inline constexpr NumberRange required_share{above_zero, 1., true};

}  // namespace trackplex::io::detail

// Here, so that the reader and the writer find them by the type of the struct.
namespace trackplex::perfmodel {

template <class Fields>
void describe(Fields& f, io::detail::Either<MemoryShape> auto& m) {
  f.number("width_bits", m.width);
  f.number("depth", m.depth);
  f.number("ports", m.ports, io::detail::positive);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<EfficiencyCurve::Point> auto& p) {
  f.number("bytes", p.bytes, io::detail::required_number);
  f.number("efficiency", p.efficiency, io::detail::required_share);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Channel> auto& c) {
  f.number("bandwidth_bytes_per_s", c.bandwidth);
  f.number("encoding", c.encoding, io::detail::positive_share);
  f.list("efficiency", c.efficiency.points);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Throughput> auto& t) {
  f.number("fp32_flop", t.fp32);
  f.number("fp64_flop", t.fp64);
  f.number("division", t.division);
  f.number("special", t.special);
  f.number("integer", t.integer);
  f.number("logic", t.logic);
  f.number("load", t.load);
  f.number("store", t.store);
  f.number("instructions", t.instructions);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<FpgaArea> auto& a) {
  f.number("dsp", a.dsp);
  f.number("memory_bits", a.memory_bits);
  f.object("block", a.block);
  f.number("usable_dsp", a.usable_dsp, io::detail::share);
  f.number("usable_memory", a.usable_memory, io::detail::share);
  f.number("dsp_per_add", a.dsp_per_add);
  f.number("dsp_per_multiply", a.dsp_per_multiply);
  f.number("dsp_per_fma", a.dsp_per_fma);
  f.number("dsp_per_special", a.dsp_per_special);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Device> auto& d) {
  f.text("name", d.name, true);
  f.choice("kind", d.kind,
           {{"cpu", DeviceKind::cpu}, {"gpu", DeviceKind::gpu}, {"fpga", DeviceKind::fpga}}, true);
  f.text("source", d.source);
  f.number("clock_hz", d.clock, io::detail::required_number);
  f.number("cores", d.cores, io::detail::required_number);
  f.integer("group", d.group, 1, 1024);
  f.object("peak_per_s", d.peak);
  f.object("memory", d.memory);
  f.number("core_bandwidth_bytes_per_s", d.core_bandwidth);
  f.number("core_cache_bytes", d.core_cache);
  f.number("shared_cache_bytes", d.shared_cache);
  f.object("link", d.link);
  f.number("start_s", d.start);
  f.number("price", d.price);
  f.object("fpga", d.fpga);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Operations> auto& o) {
  f.number("add", o.add);
  f.number("multiply", o.multiply);
  f.number("fma", o.fma);
  f.number("divide", o.divide);
  f.number("sqrt", o.sqrt);
  f.number("special", o.special);
  f.number("logic", o.logic);
  f.number("integer", o.integer);
  f.number("load", o.load);
  f.number("store", o.store);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<TripCount> auto& t) {
  f.number("fixed", t.fixed);
  f.number("poisson", t.poisson);
  f.numbers("histogram", t.histogram);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Call> auto& c) {
  f.text("name", c.name);
  f.number("instructions", c.instructions, io::detail::required_number);
  f.number("times", c.times);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Branch> auto& b) {
  f.text("name", b.name);
  f.number("count", b.count);
  f.number("depth", b.depth);
  f.flag("diverging", b.diverging);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Loop> auto& l) {
  f.text("name", l.name);
  f.number_or_object("trip_count", l.trip_count, &TripCount::fixed);
  f.number("instructions", l.instructions);
  f.object("operations", l.operations);
  f.list("calls", l.calls);
  f.list("branches", l.branches);
  f.list("loops", l.loops);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Stream> auto& s) {
  f.text("name", s.name);
  f.choice("path", s.path, {{"memory", Path::memory}, {"link", Path::link}}, true);
  f.choice("direction", s.direction,
           {{"to_device", Direction::to_device}, {"from_device", Direction::from_device}}, true);
  f.number("bytes_per_item", s.bytes_per_item);
  f.number("bytes", s.bytes);
  f.number("transfer_bytes", s.transfer_bytes);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Divergence> auto& d) {
  using Rule = Divergence::Rule;
  f.choice("rule", d.rule,
           {{"trip_counts", Rule::trip_counts},
            {"given", Rule::given},
            {"nested_branches", Rule::nested_branches},
            {"branch_count", Rule::branch_count}},
           true);
  f.number("efficiency", d.efficiency, io::detail::positive_share);
  f.integer("items_per_lane", d.items_per_lane, 1, 1000);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<DesignMemory> auto& m) {
  f.text("name", m.name);
  f.object("shape", m.shape);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<FpgaDesign> auto& d) {
  f.number("dsp", d.dsp);
  f.number("memory_bits", d.memory_bits);
  f.list("memories", d.memories);
  f.number("instances", d.instances);
  f.number("iterations", d.iterations);
  f.number("host_s_per_item", d.host_per_item);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<Application> auto& a) {
  f.text("name", a.name, true);
  f.text("source", a.source);
  f.number("items", a.items, io::detail::required_number);
  f.flag("embarrassingly_parallel", a.embarrassingly_parallel);
  f.number("branch_miss_rate", a.branch_miss_rate, io::detail::share);
  f.number("cache_miss_rate", a.cache_miss_rate, io::detail::share);
  f.number("latency_s", a.latency);
  f.flag("jitter_allowed", a.jitter_allowed);
  f.flag("double_precision", a.double_precision);
  f.number("overlap", a.overlap, io::detail::share);
  f.object("divergence", a.divergence);
  f.list("loops", a.loops, true);
  f.list("streams", a.streams);
  f.object("fpga", a.fpga);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<TrafficCurve::Point> auto& p) {
  f.number("cache_bytes", p.cache, io::detail::required_number);
  f.number("bytes_per_item", p.bytes_per_item);
}

template <class Fields>
void describe(Fields& f, io::detail::Either<ChainProfile> auto& c) {
  f.text("name", c.name, true);
  f.text("item", c.item);
  f.number("s_per_item", c.time, io::detail::required_number);
  f.number("clock_hz", c.clock);
  f.list("traffic", c.traffic.points);
  f.number("memory_bytes", c.memory);
}

}  // namespace trackplex::perfmodel
