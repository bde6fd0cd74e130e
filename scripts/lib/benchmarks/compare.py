# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares records of two revisions, machines or labels."""

from dataclasses import dataclass

from . import BenchError, records


@dataclass
class Change:
    old: dict
    new: dict
    threshold: float

    @property
    def ratio(self):
        return self.new["median"] / self.old["median"]

    @property
    def spread(self):
        return max(records.spread_of(self.old), records.spread_of(self.new))

    @property
    def quartiles_overlap(self):
        return (self.old["lower_quartile"] <= self.new["upper_quartile"] and
                self.new["lower_quartile"] <= self.old["upper_quartile"])

    @property
    def speed(self):
        """A change counts if it is larger than the threshold and the interquartile ranges do not overlap."""
        if self.quartiles_overlap or abs(self.ratio - 1.) <= self.threshold:
            return "same"
        return "slower" if self.ratio > 1. else "faster"

    @property
    def other_results(self):
        return None not in (self.old["hash"], self.new["hash"]) and self.old["hash"] != self.new["hash"]

    @property
    def verdict(self):
        return f"{self.speed}, other results" if self.other_results else self.speed


def changes_between(old, new, threshold):
    """Of what both have; and how many records only one has."""
    old, new = records.latest(old), records.latest(new)
    both = [key for key in old if key in new]
    if not both:
        raise BenchError(3, "nothing was measured in both (program, input, work, backend, precision, lanes and threads must be "
                         "the same)")
    return [Change(old[key], new[key], threshold) for key in both], len(old) - len(both), len(new) - len(both)


def warnings(changes):
    for what in ("cpu", "host"):
        old, new = ({str(getattr(change, side)[what]) for change in changes} for side in ("old", "new"))
        if old != new:
            yield f"other {what}: {', '.join(sorted(old))} and {', '.join(sorted(new))}; times do not compare"


def name_of(record):
    words = [record["backend"], record["precision"]]
    words += [f"{record[key]} {key if record[key] != 1 else key[:-1]}" for key in ("lanes", "threads") if record[key] is not None]
    return f"{record['program']} {record['work']} ({', '.join(word for word in words if word)})"


def table(changes):
    """Lines with equal columns; times in microseconds."""
    rows = [("work", "old [us]", "new [us]", "ratio", "spread", "verdict")]
    rows += [(name_of(change.new), f"{change.old['median']:.4g}", f"{change.new['median']:.4g}", f"{change.ratio:.3f}",
              f"{100. * change.spread:.1f} %", change.verdict) for change in changes]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:5], widths[1:5])), row[5]]
        yield "  ".join(cells)


def summary(changes, only_old, only_new):
    counts = [f"{sum(change.speed == speed for change in changes)} {speed}" for speed in ("faster", "slower", "same")]
    counts += [f"{others} with other results"] if (others := sum(change.other_results for change in changes)) else []
    counts += [f"{only_old} only in old"] if only_old else []
    counts += [f"{only_new} only in new"] if only_new else []
    return ", ".join(counts)


def is_worse(changes):
    return any(change.speed == "slower" or change.other_results for change in changes)
