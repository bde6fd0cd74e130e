# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces in the event format of Chrome's tracing, which programs write with --trace FILE.json, as plots."""

from .schema import SchemaError, is_number

MAX_BATCHES = 24
STAGES = ("read", "stage", "run", "collect", "write")  # of the pipeline, in this order in the legend


def complete_events(trace):
    events = [event for event in trace["traceEvents"] if isinstance(event, dict) and event.get("ph") == "X"]
    for i, event in enumerate(events):
        if not all(is_number(event.get(key)) for key in ("ts", "dur", "tid")) or not isinstance(event.get("name"), str):
            raise SchemaError(f"complete event {i}", "needs the numbers ts, dur and tid, and a name")
    return events


def metadata(trace, kind, key):
    """What events of a kind say of each thread."""
    return {event.get("tid"): event["args"][key] for event in trace["traceEvents"]
            if isinstance(event, dict) and event.get("ph") == "M" and event.get("name") == kind and key in event.get("args", {})}


def batch_of(event):
    return event.get("args", {}).get("batch")


def shown_time(events):
    """Where the trace begins and ends, and the end of the first batches, in us."""
    begin = min(event["ts"] for event in events)
    ends = [(event["ts"] + event["dur"], batch_of(event)) for event in events]
    first = [end for end, batch in ends if batch is not None and batch < MAX_BATCHES]
    last = max(end for end, _ in ends)
    cut = first and any(batch is not None and batch >= MAX_BATCHES for _, batch in ends)
    return begin, last, max(first) if cut else last


def program_of(trace):
    return next(iter(metadata(trace, "process_name", "name").values()), "program")


def trace_plot(trace):
    """A lane for each thread; bars in colours by name, with the numbers of the batches."""
    events = complete_events(trace)
    if not events:
        raise SchemaError("traceEvents", 'has no complete events ("ph": "X")')
    begin, end, shown = shown_time(events)
    names, order = metadata(trace, "thread_name", "name"), metadata(trace, "thread_sort_index", "sort_index")
    threads = sorted(names.keys() | {event["tid"] for event in events}, key=lambda thread: (order.get(thread, thread), thread))
    lanes = {thread: lane for lane, thread in enumerate(threads)}
    title = f"{program_of(trace)}: batches against time"
    if shown < end:
        title += f", the first {MAX_BATCHES} ({(shown - begin) / 1000.:.3g} of {(end - begin) / 1000.:.3g} ms)"
    drawn = sorted((event for event in events if event["ts"] <= shown), key=lambda event: STAGES.index(event["name"])
                   if event["name"] in STAGES else len(STAGES))
    spans = {"style": "spans",
             "lane": [lanes[event["tid"]] for event in drawn],
             "name": [event["name"] for event in drawn],
             "begin": [(event["ts"] - begin) / 1000. for event in drawn],
             "end": [(event["ts"] + event["dur"] - begin) / 1000. for event in drawn],
             "number": [batch_of(event) for event in drawn]}
    return {"name": "trace", "title": title,
            "panels": [{"x": {"label": "time [ms]", "range": [0., max(shown - begin, 1.) / 1000.]},
                        "y": {"names": [str(names.get(thread, f"thread {thread}")) for thread in threads]},
                        "series": [spans]}]}
