# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records as Markdown: a section for each machine and revision, in it a table for each program and input."""

from . import records

HEADER = ("work", "backend", "precision", "lanes", "threads", "time", "spread", "speed-up", "same bits")
SCALAR = {"backend": "serial", "lanes": 1, "threads": 1}


def grouped(all_records, key):
    """Lists of records with equal keys, in the order of the first ones."""
    groups = {}
    for record in all_records:
        groups.setdefault(key(record), []).append(record)
    return groups


def time_text(us):
    for limit, unit, factor in ((1., "ns", 1e3), (1e3, "us", 1.), (1e6, "ms", 1e-3)):
        if us < limit:
            return f"{factor * us:.4g} {unit}"
    return f"{1e-6 * us:.4g} s"


def speed_up(record, same_work):
    """Over serial with one lane, of the same work and precision."""
    base = next((other for other in same_work if all(other[key] == value for key, value in SCALAR.items())), None)
    return f"{base['median'] / record['median']:.2f}" if base else ""


def same_bits(record, same_work):
    """As the first of the same work and precision."""
    hashes = [other["hash"] for other in same_work]
    if record["hash"] is None or len(hashes) < 2:
        return ""
    return "yes" if record["hash"] == hashes[0] else "**no**"


def row(record, same_work):
    fixed = ["" if record[key] is None else str(record[key]) for key in ("work", "backend", "precision", "lanes", "threads")]
    return (*fixed, time_text(record["median"]), f"{100. * records.spread_of(record):.1f} %", speed_up(record, same_work),
            same_bits(record, same_work))


def cells(values):
    return "| " + " | ".join(value.replace("|", "\\|") for value in values) + " |"


def program_lines(of_program):
    works = grouped(of_program, records.work_key)
    yield from (f"### {of_program[0]['program']}", "", f"`{' '.join(of_program[-1]['command'])}`", "")
    yield cells(HEADER)
    yield "|" + "---|" * len(HEADER)
    for same_work in works.values():
        for record in same_work:
            yield cells(row(record, same_work))
    yield ""


def machine_lines(of_machine):
    last = of_machine[-1]
    loads = [record["load"] for record in of_machine if record.get("load") is not None]
    yield f"## {last['host']}, revision {last['git']}{', ' + last['label'] if last['label'] else ''}"
    yield from ("", f"{last['cpu']}; {last.get('compiler') or 'unknown compiler'}; {last['date']}; load "
                f"{f'up to {max(loads):.1f}' if loads else 'unknown'}", "")
    newest = list(records.latest(of_machine).values())
    for of_program in grouped(newest, lambda record: (record["program"], record["input"])).values():
        yield from program_lines(of_program)


def document(all_records):
    """The last record counts where something was measured again. Spread: interquartile range over median."""
    lines = ["# Benchmarks", "",
             "Medians; spread is the interquartile range over the median; speed-up over serial with one lane and one thread;",
             "same bits as the first run of the same work and precision.", ""]
    machines = grouped(all_records, lambda record: tuple(record[key] for key in ("host", "cpu", "git", "label")))
    for of_machine in machines.values():
        lines += machine_lines(of_machine)
    return "\n".join(lines).rstrip() + "\n"
