// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/call_watch.hpp>
#include <trackplex/pipeline/detail/flow.hpp>
#include <trackplex/pipeline/detail/launching_thread.hpp>
#include <trackplex/pipeline/detail/stop_token.hpp>
#include <trackplex/pipeline/pipeline_options.hpp>
#include <trackplex/pipeline/shared_function.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

namespace trackplex::pipeline::detail {

/// State that the threads of a run share. A reader or writer that was abandoned inside its function
/// keeps the state, and with it the function, alive.
template <class Event, class Result>
struct RunState {
  RunState(const PipelineOptions& o, Reader<Event> read, Writer<Result> write,
           FailureHandler on_each_failure)
      : options(o),
        reader(std::move(read)),
        writer(std::move(write)),
        on_failure(std::move(on_each_failure)),
        flow(o.slots, o.events_per_batch, o.flush_after) {}

  const PipelineOptions options;
  const Reader<Event> reader;
  const Writer<Result> writer;
  const FailureHandler on_failure;

  Flow<Event, Result> flow;
  LaunchingThread launching_thread;

  std::stop_source stop_reader, stop_writer;
  CallWatch reader_watch, writer_watch;
  std::atomic<std::size_t> written{0}, failed{0};
  Lane reader_lane, writer_lane;

  /// Only the first reason to end counts.
  void end(Ending why, std::string error = {}) {
    const std::lock_guard lock(mutex_);
    if (ending_ != Ending::end_of_input) return;
    ending_ = why;
    error_ = std::move(error);
  }
  /// A failure of the pipeline itself, for example if this process runs out of memory.
  void give_up(std::exception_ptr error) {
    {
      const std::lock_guard lock(mutex_);
      if (!fatal_) fatal_ = error;
    }
    give_up();
  }
  void give_up() {
    stop_reader.request_stop();
    stop_writer.request_stop();
    flow.abort();
  }

  /// @throws the error that made the pipeline give up
  void fill_in(Statistics& statistics) const {
    const std::lock_guard lock(mutex_);
    if (fatal_) std::rethrow_exception(fatal_);
    statistics.ending = ending_;
    statistics.error = error_;
  }

 private:
  mutable std::mutex mutex_;
  Ending ending_ = Ending::end_of_input;
  std::string error_;
  std::exception_ptr fatal_;
};

}  // namespace trackplex::pipeline::detail
