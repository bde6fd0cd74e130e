// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/event_runs.hpp>
#include <common/pipeline_report.hpp>
#include <common/sequence_file.hpp>
#include <trackplex/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace trackplex::program {

EventRunsBase::EventRunsBase(Program& program, const PipelineRunOptions& options)
    : program_(program), options_(options) {
  options_.check();
  refuse_if(has_ranks() && !options_.fingerprints.empty(), "--fingerprints", "is for one rank");
  if (!options_.sequence.empty())
    selection_ = {read_sequence_file(options_.sequence), options_.sequence};
}

void EventRunsBase::refuse_no_events() const {
  throw InputError({}, "no event can be reconstructed", fmt::format("{} are damaged", bad_events_));
}

void EventRunsBase::finish() {
  if (!options_.fingerprints.empty())
    fingerprints_.write(options_.fingerprints, program_.name(), program_.input,
                        options_.fingerprint_batch());
}

std::unique_ptr<pipeline::Journal> EventRunsBase::open_journal() const {
  if (options_.journal.empty() || has_taken_) return nullptr;
  auto identity = program_.identity();
  for (const auto& step : selection_.steps) identity += "step " + step + "\n";
  auto journal = std::make_unique<pipeline::Journal>(options_.journal, std::move(identity));
  if (journal->dropped_bytes() > 0)
    program_.warn("{}: dropped the last {} bytes, of an event that was cut off", options_.journal,
                  journal->dropped_bytes());
  return journal;
}

void EventRunsBase::add_run(RunReport& report, const std::string& work,
                            const StreamReport& stream) {
  auto json = pipeline_json(stream.statistics, stream.failures);
  if (!stream.ranks.empty() && !options_.journal.empty()) json["resumed_events"] = stream.resumed;
  for (const auto& rank : stream.ranks)
    json["ranks"].push_back({{"events", rank.events}, {"seconds", rank.seconds}});
  report.rate[rate_name(work)] = 0.;
  if (!stream.event_us.empty()) {
    const auto us = spread_of(stream.event_us);
    report.rate[rate_name(work)] = 1e6 / us.median;
    report.time_us.emplace_back(work.empty() ? "total" : work, us);
  }
  program_.text += "\n" + label(report, work) + ", " + pipeline_text(json);
  (work.empty() ? report.pipeline : report.pipeline[work]) = std::move(json);
  const auto status = status_of(stream);
  if (!has_taken_) {
    bad_events_ =
        std::size_t(std::ranges::count(stream.failures, "read", &pipeline::Failure::stage));
    program_.status = status;
  } else if (program_.status == success) {
    program_.status = status;
  }
  if (stop_.stop_requested()) program_.stop();
}

ExitStatus EventRunsBase::status_of(const StreamReport& stream) const {
  using pipeline::Ending;
  const auto& failures = stream.failures;
  const auto& statistics = stream.statistics;
  if (!failures.empty())
    program_.warn("{} events failed, the others continued\n{}", failures.size(),
                  failures_text(failures));
  if (statistics.ending == Ending::stop_requested)
    program_.warn("stopped by a signal after {} events", statistics.events_written);
  if (statistics.broken())
    program_.warn("the pipeline ended early ({}): {}", ending_name(statistics.ending),
                  statistics.error);
  if (statistics.ending == Ending::reader_failed) return bad_input;
  if (statistics.ending != Ending::end_of_input) return failure;
  const auto is_of_input = [](const pipeline::Failure& f) { return f.stage == "read"; };
  if (!std::ranges::all_of(failures, is_of_input)) return failure;
  return failures.empty() || skip_bad_events ? success : bad_input;
}

std::string EventRunsBase::label(const RunReport& report, const std::string& work) {
  return report.name() + (work.empty() ? "" : ", " + work);
}

std::string EventRunsBase::rate_name(const std::string& work) {
  return work.empty() ? "events_per_s" : work + "_events_per_s";
}

}  // namespace trackplex::program
