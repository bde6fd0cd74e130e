# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plot that reports have without saying so: speed-up of each step over lanes and over threads."""

from reports import count, runs_of, work_of

NAME = "speed_up"


def groups(runs, key):
    """Runs that differ in this key alone, in its order: lists of at least two."""
    fixed = [name for name in ("backend", "precision", "lanes", "threads") if name != key]
    found = {}
    for run in runs:
        if isinstance(run.get(key), int):
            same = found.setdefault((work_of(run), *(run.get(name) for name in fixed)), {})
            same.setdefault(run[key], run)
    return [[same[value] for value in sorted(same)] for same in found.values() if len(same) > 1]


def title_of(run, key):
    words = [work_of(run), run.get("backend"), run.get("precision")]
    words.append(count(run.get("threads"), "thread") if key == "lanes" else count(run.get("lanes"), "lane"))
    return ", ".join(str(word) for word in words if word)


def step_series(runs, key, step):
    """Over the median of the first run; errors are the quartiles of each run's own times."""
    base = runs[0]["time_us"][step]
    speed_ups, errors = [], []
    for run in runs:
        median, spread = run["time_us"][step], run["time_spread_us"].get(step, {})
        slow, fast = (spread.get(name) or median for name in ("upper_quartile", "lower_quartile"))
        speed_ups.append(base / median)
        errors.append([max(base / median - base / slow, 0.), max(base / fast - base / median, 0.)])
    return {"label": step.replace("_", " "), "style": "line", "x": [run[key] for run in runs], "y": speed_ups, "error": errors}


def panel_of(runs, key):
    steps = [step for step in runs[0]["time_us"] if all(run["time_us"].get(step) for run in runs)]
    values = [run[key] for run in runs]
    ideal = {"label": "ideal", "style": "line", "x": values, "y": [value / values[0] for value in values], "dashed": True}
    series = [*(step_series(runs, key, step) for step in steps), ideal]
    medians = [median for one in series for median in one["y"]]
    return {"title": title_of(runs[0], key), "x": {"label": key, "log": True, "range": [values[0] / 1.1, values[-1] * 1.1]},
            "y": {"label": f"speed-up over {count(values[0], key[:-1])}", "log": True,
                  "range": [0.8 * min(medians), 1.2 * max(medians)]},
            "series": series}


def speed_up_plot(program, reports):
    """Panels for lanes and for threads, from the runs of all these reports; None if they differ in neither."""
    runs = [run for report in reports for run in runs_of(report)]
    panels = [panel_of(same, key) for key in ("lanes", "threads") for same in groups(runs, key)]
    if not panels:
        return None
    return {"name": NAME, "title": f"{program}: speed-up of its steps", "columns": min(len(panels), 2), "panels": panels}
