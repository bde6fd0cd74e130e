// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/trace.hpp>
#include <trackplex/program/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::program {

namespace detail {

/// Colours of what spans are called: the stages of the pipeline have theirs, others take the next
/// one of a list.
class SpanColors {
 public:
  std::string_view operator()(const std::string& name) {
    for (const auto& [known, color] : colors_)
      if (known == name) return color;
    const auto color = palette[next_++ % palette.size()];
    colors_.emplace_back(name, color);
    return color;
  }

 private:
  static constexpr std::array<std::string_view, 8> palette{
      "#4b6fa8", "#c0504d", "#7f9f3f", "#8064a2", "#3f9fb5", "#d98b3a", "#8c6d4f", "#b5679b"};
  std::vector<std::pair<std::string, std::string_view>> colors_{
      {"read", "#9ecae1"},    {"stage", "#6baed6"}, {"run", "#e6550d"},
      {"collect", "#74c476"}, {"write", "#31a354"}, {"wait", "#ececec"}};
  std::size_t next_ = 0;
};

/// Spans inside a stretch of time, and where they are drawn.
class TracePicture {
 public:
  TracePicture(std::vector<std::string> lanes, std::vector<Span> spans, double begin_us,
               double end_us)
      : lanes_(std::move(lanes)), spans_(std::move(spans)) {
    std::erase_if(spans_,
                  [&](const auto& s) { return s.end_us < begin_us || s.begin_us > end_us; });
    for (const auto& span : spans_)
      if (std::ranges::find(names_, span.name) == names_.end()) names_.push_back(span.name);
    legend_rows_ = (names_.size() + legend_columns - 1) / legend_columns;
    begin_us_ = begin_us;
    end_us_ = end_us;
  }

  std::string draw(const std::string& title) {
    const double height = lane_height * double(std::max<std::size_t>(lanes_.size(), 1));
    const double top = 60. + 24. * double(legend_rows_);
    SvgCanvas canvas(left + width + 40., top + height + 70.);
    canvas.text({left, 30.}, title, {.size = 16., .bold = true});
    draw_legend(canvas);
    const Axes axes({left, top}, width, height, {0., (end_us_ - begin_us_) / 1000., ""},
                    {0., 1., ""});
    draw_time(canvas, axes);
    axes.clip(canvas);
    for (const auto& span : spans_) draw_span(canvas, axes, span, top);
    canvas.end_clip();
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
      canvas.text({left - 10., top + lane_height * (double(lane) + 0.5) + 5.}, lanes_[lane],
                  {.anchor = "end"});
    canvas.rectangle({left, top}, width, height, {.stroke = "#444444"});
    return canvas.document();
  }

 private:
  static constexpr double left = 190., width = 1180., lane_height = 34.;
  static constexpr std::size_t legend_columns = 6;

  void draw_legend(SvgCanvas& canvas) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const double x = left + width / double(legend_columns) * double(i % legend_columns);
      const double y = 42. + 24. * double(i / legend_columns);
      canvas.rectangle({x, y}, 16., 14., {.stroke = "#444444", .fill = colors_(names_[i])});
      canvas.text({x + 22., y + 12.}, names_[i]);
    }
  }

  static void draw_time(SvgCanvas& canvas, const Axes& axes) {
    for (const double tick : tick_positions(axes.horizontal())) {
      const auto low = axes(tick, 0.);
      canvas.line(low, axes(tick, 1.), {.stroke = "#e4e4e4"});
      canvas.text({low.x, low.y + 20.}, fmt::format("{:.6g}", tick), {.anchor = "middle"});
    }
    const auto middle = axes(0.5 * axes.horizontal().high, 0.);
    canvas.text({middle.x, middle.y + 46.}, "time [ms]", {.size = 16., .anchor = "middle"});
  }

  void draw_span(SvgCanvas& canvas, const Axes& axes, const Span& span, double top) {
    const double x = axes((span.begin_us - begin_us_) / 1000., 0.).x;
    const double length = axes((span.end_us - begin_us_) / 1000., 0.).x - x;
    const bool waits = span.name == "wait";
    const double margin = waits ? 12. : 4.;
    const double y = top + lane_height * span.lane + margin;
    canvas.rectangle({x, y}, length, lane_height - 2. * margin,
                     {.stroke = waits || length < 2. ? "none" : "#444444",
                      .stroke_width = 0.5,
                      .fill = colors_(span.name)});
    if (span.batch < 0) return;
    const auto number = std::to_string(span.batch);
    if (length > 8. * double(number.size()) + 2.)
      canvas.text({x + length / 2., y + lane_height / 2. - margin + 4.}, number,
                  {.size = 12., .anchor = "middle"});
  }

  std::vector<std::string> lanes_;
  std::vector<Span> spans_;
  std::vector<std::string> names_;
  std::size_t legend_rows_ = 0;
  double begin_us_ = 0., end_us_ = 0.;
  SpanColors colors_;
};

}  // namespace detail

/// The lanes of a trace against time, as SVG: a bar for each span, in the colour of what it is,
/// with the number of its batch where there is room. Shows the time from the first span to the end
/// of the first batches, `max_batches` of them at most.
inline std::string trace_picture(const Trace& trace, const std::string& program,
                                 std::int64_t max_batches = 24) {
  auto spans = trace.spans();
  double begin = std::numeric_limits<double>::max(), end = 0., shown = 0.;
  bool all = true;
  for (const auto& span : spans) {
    begin = std::min(begin, span.begin_us);
    end = std::max(end, span.end_us);
    all = all && span.batch < max_batches;
    if (span.batch >= 0 && span.batch < max_batches) shown = std::max(shown, span.end_us);
  }
  if (spans.empty()) begin = 0.;
  if (all) shown = end;
  const double whole = end - begin;
  auto title = fmt::format("{}: batches against time", program);
  if (shown < end)
    title += fmt::format(", the first {:.3g} of {:.3g} ms", (shown - begin) / 1000., whole / 1000.);
  return detail::TracePicture(trace.lanes(), std::move(spans), begin, std::max(shown, begin + 1.))
      .draw(title);
}

}  // namespace trackplex::program
