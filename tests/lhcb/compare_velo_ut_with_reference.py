#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares all steps of lhcb_velo_ut with the plain-Python reference on ten simulated LHCb events.

In double precision clusters, UT hits, VELO tracks, windows, UT tracks and their momentum must be the same. One difference is
known: the program looks at all hits of a sector group, the reference first narrows them down by bisection in yEnd, which is
not in order within a group, and with the signed largest distance in x. So a window that differs must be the one that a scan
of all hits of the group gives; then the reference looks for the track in that window. Such windows are listed. For "best",
whose order of pairs the reference does not have, the search is written here, with the reference's fit.

In single precision a track may differ where a cut falls between the precisions: those are listed, and bounded.
"""

import json
import math
import sys
import tempfile
from bisect import bisect_left
from collections import namedtuple
from pathlib import Path
from unittest import mock

from lhcb_reference import SKIPPED, YEARS, find_reference, parse_arguments, run_program, velo_tracks

EVENTS = range(6001, 6011)
WINDOW_CUTS = ("minpt", "minp", "edge", "shift")
PAPER_POINTS = [(sectors, candidates) for sectors in (1, 3, 5) for candidates in (1, 8, 16)]

# Of --parameters: arguments of the reference, and the state of the VELO tracks that it takes.
CUTS = {
    "2019": ("beam", dict(pmin=1500., ptmin=300., edge=True, year=2019)),
    "2020": ("beam", dict(minpt=0., minp=3000., pmin=0., ptmin=0., year=2020)),
    "2023": ("end", dict(cap="hard", year=2023)),
    "paper": ("beam", dict(pmin=1500., ptmin=300., edge=True, year=2019)),
    "best": ("end", dict(pmin=1500., ptmin=300., shift=True, edge=True, year=2019)),
}

Set = namedtuple("Set", "name year sectors candidates")
SETS = [Set("2019", 2019, 5, 6), Set("2020", 2020, 5, 16), Set("2023", 2023, 5, 16),
        *[Set("paper", 2023, *point) for point in PAPER_POINTS], Set("best", 2023, 3, 4)]

# Efficiencies and ghost rate (%) that the reference has with the cuts of "paper".
PAPER_EFFICIENCIES = dict(zip(PAPER_POINTS, (
    (70.09, 59.08, 14.87), (79.91, 71.06, 12.59), (79.91, 71.26, 12.72),
    (82.05, 65.07, 14.85), (95.30, 79.44, 12.46), (95.30, 79.64, 12.58),
    (82.05, 65.07, 14.75), (95.30, 79.44, 12.39), (95.30, 79.64, 12.50))))

# Relative, and absolute in 1/MeV (the larger one above 10 GeV): for tracks of TeV, q/p is a small difference of slopes, and the
# reference's filter to the end of the VELO loses six digits of the covariance at the first hits.
QOP_TOLERANCE = (1e-9, 1e-13)

# In single precision: most tracks of a set that only one precision finds, of about 2700 VELO tracks and 500 to 750 in the
# UT. There is none now.
MOST_OTHER_VELO_TRACKS = 2
MOST_OTHER_UT_TRACKS = 4


def close(a, b, relative, absolute=0.):
    return math.isclose(a, b, rel_tol=relative, abs_tol=absolute)


class Event:
    """An event as the reference decodes it."""

    def __init__(self, number):
        import compass_ref

        self.name = f"6718861_{number}"
        _, self.velo_hits, ut_hits = compass_ref.load(number)
        self.ut = compass_ref.organise(ut_hits)
        self.tracks = {}  # year -> tracks

    def set_order_of_velo_hits(self, ids):
        place = {i: n for n, i in enumerate(ids)}
        self.velo_hits.sort(key=lambda hit: place[hit["id"]])

    def find_velo_tracks(self, year):
        """hits -> {"beam": state, "end": state}"""
        import compass_ref

        x, y, z, module = ([hit[key] for hit in self.velo_hits] for key in ("x", "y", "z", "module"))
        self.tracks[year] = {}
        for hits in velo_tracks(x, y, z, module, year):
            beam = compass_ref.lsq(hits, self.velo_hits)
            end = compass_ref.endvelo(hits, self.velo_hits, beam)
            self.tracks[year][tuple(hits)] = {"beam": beam, "end": end}


class Differences:
    def __init__(self):
        self.lines = []
        self.explained_windows = []
        self.counts = dict.fromkeys(("clusters", "UT hits", "VELO tracks", "windows", "UT tracks"), 0)

    def check(self, same, what):
        if not same:
            self.lines.append(what)
        return same


def compare_clusters(event, found, differences):
    hits = found["velo_hits"]
    expected = {hit["id"]: hit for hit in event.velo_hits}
    differences.counts["clusters"] += len(expected)
    if not differences.check(len(hits["id"]) == len(expected) and set(hits["id"]) == set(expected),
                             f"{event.name}: other clusters"):
        return False
    for axis in "xyz":
        for hit_id, value in zip(hits["id"], hits[axis]):
            differences.check(close(value, expected[hit_id][axis], 1e-12, 1e-12),
                              f"{event.name}: cluster {hit_id:x} has {axis} {value}, not {expected[hit_id][axis]}")
    return True


def compare_ut_hits(event, found, differences):
    """Ids in order, and positions."""
    import compass_ref

    hits, expected = found["ut_hits"], event.ut.h
    differences.counts["UT hits"] += len(expected)
    layer_offsets = [event.ut.off[group] for group in compass_ref.LO]
    if not differences.check(
            hits["id"] == [hit["id"] for hit in expected] and hits["layer_offsets"] == layer_offsets,
            f"{event.name}: other UT hits, or another order"):
        return False
    for ours, theirs in (("x", "x0"), ("z", "z0"), ("y_begin", "yBegin"), ("y_end", "yEnd")):
        for n, value in enumerate(hits[ours]):
            differences.check(close(value, expected[n][theirs], 1e-12, 1e-12),
                              f"{event.name}: UT hit {n} has {ours} {value}, not {expected[n][theirs]}")
    return True


def compare_velo_tracks(event, found, year, differences):
    """Hits in order, and the state at the beam."""
    expected = event.tracks[year]
    tracks = {tuple(track["hits"]): track for track in found["velo_tracks"]}
    differences.counts["VELO tracks"] += len(expected)
    for hits in sorted(tracks.keys() ^ expected.keys()):
        owner = "lhcb_velo_ut" if hits in tracks else "the reference"
        differences.check(False, f"{event.name}: only {owner} has the VELO track {hits}")
    for hits in tracks.keys() & expected.keys():
        ours, theirs = tracks[hits], expected[hits]["beam"]
        same = ours["backward"] == theirs["backward"] and all(
            close(ours[key], theirs[key], 1e-8, 1e-8) for key in ("x", "y", "z", "tx", "ty"))
        differences.check(same, f"{event.name}: the state at the beam of the VELO track {hits} is {ours}, not {theirs}")


def scan_windows(state, ut, sectors, minpt=300., minp=1500., shift=False, edge=False):
    """The windows of a track by looking at all hits of each group: from the first to the last one that is close enough."""
    import compass_ref as ref

    node = min(int(abs(state["ty"]) * 100 + .5), 30)
    slope = math.hypot(state["tx"], state["ty"])
    reach = 1 / (ref.DIST2MOM * max(minpt * min(500., 1 / slope), minp))
    windows = []
    for layer in range(4):
        begin, end, dxdy = ref.LO[layer], ref.LO[layer + 1], ref.DXDY[layer]
        deflection = ref.DEF[4 * node + layer]
        dz = ut.h[min(ut.off[begin], len(ut.h) - 1)]["z0"] - state["z"]
        x, y = state["x"] + state["tx"] * dz, state["y"] + state["ty"] * dz
        own = begin + bisect_left(ref.XS[begin:end], x - dxdy * y if shift else x) - 1

        def is_close(hit):
            to_hit = hit["z0"] - state["z"]
            y_track = state["y"] + state["ty"] * to_hit
            distance = abs(hit["x0"] + y_track * dxdy - (state["x"] + state["tx"] * to_hit))
            tolerance = .5 + .08 * distance / deflection
            return distance <= reach / deflection and hit["yBegin"] - tolerance <= y_track <= hit["yEnd"] + tolerance

        groups = [own + step for step in (0, -1, 1, -2, 2)[:sectors]]
        border = 0 if edge else 1
        near = [[n for n in range(ut.off[g], ut.off[g + 1]) if is_close(ut.h[n])]
                if begin + border <= g < end - border else [] for g in groups]
        windows.append([list(range(hits[0], hits[-1] + 1)) if hits else [] for hits in near])
    return windows


def enough(windows):
    """Whether the windows hold hits in the layers that a track needs."""
    x1, u, v, x2 = (any(layer) for layer in windows)
    return (x1 and v and (u or x2)) or (x2 and u and (v or x1))


def program_windows(entry):
    return [[list(range(first, first + size)) for first, size in layer] for layer in entry["first_and_size"]]


def compare_windows(event, found, parameters, differences):
    """hits of a VELO track -> windows, of the tracks that have enough of them."""
    import compass_ref

    state_name, cuts = CUTS[parameters.name]
    cuts = {key: value for key, value in cuts.items() if key in WINDOW_CUTS}
    ours = {tuple(found["velo_tracks"][entry["velo_track"]]["hits"]): program_windows(entry)
            for entry in found["windows"]}
    agreed = {}
    for hits, states in event.tracks[parameters.year].items():
        state = states[state_name]
        windows = None
        if not states["beam"]["backward"] and compass_ref.accepted(state):
            windows = compass_ref.windows(state, event.ut, parameters.sectors, **cuts)
            windows = windows if enough(windows) else None
            differences.counts["windows"] += windows is not None
            if windows != ours.get(hits):
                by_scan = scan_windows(state, event.ut, parameters.sectors, **cuts)
                windows = by_scan if enough(by_scan) else None
                differences.explained_windows.append(f"{event.name}: VELO track {hits}")
        if differences.check(windows == ours.get(hits),
                             f"{event.name}: other windows of the VELO track {hits}") and windows:
            agreed[hits] = windows
    return agreed


def best_first_tracklet(state, ut, windows, candidates):
    """(hits with their layers, kick) of the best candidate, pairs tried by the distance from the VELO track at the kick."""
    import compass_ref as ref

    layers = [[hit for window in layer for hit in window] for layer in windows]

    def place(layer, hit):
        h = ut.h[hit]
        return h["x0"] + (state["y"] + state["ty"] * (h["z0"] - state["z"])) * ref.DXDY[layer], h["z0"]

    def closest(layer, x, z, slope):
        distance = {hit: abs(place(layer, hit)[0] - x - slope * (place(layer, hit)[1] - z)) for hit in layers[layer]}
        hit = min(distance, key=distance.get, default=None)
        return [(layer, hit)] if distance and distance[hit] < .8 else []

    x_kick = state["x"] + state["tx"] * (ref.ZKINK - state["z"])
    best, most_hits, best_chi2, tried = None, 3, ref.MAXCHI2, 0
    for first, next_to_first, second, next_to_second in ((0, 1, 2, 3), (3, 2, 1, 0)):
        pairs = []
        for a, b in ((a, b) for a in layers[first] for b in layers[second]):
            (x0, z0), (x1, z1) = place(first, a), place(second, b)
            slope = (x1 - x0) / (z1 - z0)
            if abs(slope - state["tx"]) <= .018:
                pairs.append((abs(x0 + slope * (ref.ZKINK - z0) - x_kick), len(pairs), a, b, slope))
        for _, _, a, b, slope in sorted(pairs)[:candidates]:
            if tried >= candidates and best:
                break
            tried += 1
            hits = [(first, a), *closest(next_to_first, *place(first, a), slope),
                    (second, b), *closest(next_to_second, *place(second, b), slope)]
            chi2, kick = ref.pkick(hits, state, ut, 1e-4)[:2]
            if len(hits) >= most_hits and chi2 < best_chi2:
                best, most_hits, best_chi2 = (hits, kick), len(hits), chi2
    return best


def best_first_track(state, ut, windows, candidates, cuts):
    """(sorted hits of the track, q/p), or None."""
    import compass_ref

    tracklet = best_first_tracklet(state, ut, windows, candidates)
    if not tracklet:
        return None
    hits, kick = tracklet
    qop = -kick * math.sqrt(1 + state["ty"]**2) / compass_ref.bdl(state) * 3.3356e-3
    p = 1.3 / abs(qop)
    accepted = p >= cuts["pmin"] and p * math.hypot(state["tx"], state["ty"]) >= cuts["ptmin"]
    return (sorted(hit for _, hit in hits), qop) if accepted else None


def reference_track(state, ut, windows, parameters, cuts):
    """(sorted hits of the track, q/p), or None."""
    import compass_ref

    if parameters.name == "best":
        return best_first_track(state, ut, windows, parameters.candidates, cuts)
    with mock.patch.object(compass_ref, "windows", lambda *_, **__: windows):
        track = compass_ref.track(state, ut, parameters.sectors, parameters.candidates, **cuts)
    return (sorted(hit for _, hit in track[0]), track[1]) if track else None


def compare_ut_tracks(event, found, windows, parameters, differences):
    """Hits and q/p of the tracks in the UT."""
    state_name, cuts = CUTS[parameters.name]
    ours = {tuple(found["velo_tracks"][track["velo_track"]]["hits"]): track for track in found["tracks"]}
    differences.check(ours.keys() <= windows.keys(), f"{event.name}: tracks without windows")
    for hits, of_track in windows.items():
        expected = reference_track(event.tracks[parameters.year][hits][state_name], event.ut, of_track, parameters, cuts)
        track = ours.get(hits)
        differences.counts["UT tracks"] += expected is not None
        if not differences.check((track is None) == (expected is None),
                                 f"{event.name}: track {track}, not {expected}, of the VELO track {hits}") or not track:
            continue
        same = sorted(h for h in track["hits"] if h >= 0) == expected[0] and close(track["qop"], expected[1], *QOP_TOLERANCE)
        differences.check(same, f"{event.name}: track {track}, not {expected}, of the VELO track {hits}")


class Program:
    def __init__(self, program, data, scratch):
        self.program, self.data, self.scratch = program, data, Path(scratch)

    def run(self, parameters, precision):
        """The events, and the results, of one pass."""
        details, report = self.scratch / "details.json", self.scratch / "report.json"
        run_program(self.program, "--input", self.data, "--parameters", parameters.name, "--constants", parameters.year,
                    "--sectors", parameters.sectors, "--candidates", parameters.candidates, "--precision", precision,
                    "--details", details, "--json", report)
        return json.loads(details.read_text())["events"], json.loads(report.read_text())["results"]


def compare_hits(events, program, differences):
    """Puts the reference's hits into the program's order and finds its VELO tracks."""
    found, _ = program.run(SETS[0], "double")
    differences.check([f"{e['run']}_{e['number']}" for e in found] == [e.name for e in events], "other events")
    good = [compare_clusters(event, ours, differences) and compare_ut_hits(event, ours, differences)
            for event, ours in zip(events, found)]
    if not all(good):
        return False
    for event, ours in zip(events, found):
        event.set_order_of_velo_hits(ours["velo_hits"]["id"])
        for year in YEARS:
            event.find_velo_tracks(year)
    return True


def compare_events(events, found, parameters, differences):
    for event, ours in zip(events, found):
        compare_velo_tracks(event, ours, parameters.year, differences)
        windows = compare_windows(event, ours, parameters, differences)
        compare_ut_tracks(event, ours, windows, parameters, differences)
    differences.check(len(differences.explained_windows) <= differences.counts["windows"] // 100,
                      "windows differ in more than one track of a hundred")


def compare_efficiencies(parameters, results, differences):
    """With the numbers that the reference is known to have, within one track."""
    def check(what, found, expected, most):
        differences.check(abs(found - expected) <= most, f"{parameters}: {what} {found}, not {expected}")

    categories = results["categories"]
    if parameters.name == "paper":
        long_, velo_ut, ghosts = PAPER_EFFICIENCIES[parameters.sectors, parameters.candidates]
        for name, percent in (("Long p>3GeV pT>0.5GeV", long_), ("Velo+UT p>5GeV", velo_ut)):
            category = categories[name]
            check(name, category["found"], percent / 100 * category["particles"], 1.1)
        check("ghosts", results["ghosts"], ghosts / 100 * results["tracks_in_acceptance"], 1.1)
    if parameters.name == "2020":
        for name, expected in (("Velo+UT", 604), ("Long", 489)):
            check(name, categories[name]["found"], expected, 0)
        check("tracks", results["tracks_in_acceptance"], 747, 0)
        check("ghosts", results["ghosts"], 108, 0)


def only_in_one(double, single, tracks, describe):
    """A line for each track that only one of the precisions finds."""
    lines = []
    for in_double, in_single in zip(double, single):
        a, b = (set(map(tuple, tracks(event))) for event in (in_double, in_single))
        name = f"{in_double['run']}_{in_double['number']}"
        lines += [f"  {name}: only {'double' if t in a else 'float'} has {describe(t)}" for t in sorted(a ^ b)]
    return lines


def compare_precisions(double, single):
    """Lists VELO tracks and tracks in the UT that only one precision finds, and says whether those are few."""
    velo = only_in_one(double, single, lambda event: [t["hits"] for t in event["velo_tracks"]],
                       lambda t: f"the VELO track {t}")
    ut = only_in_one(double, single, lambda event: [t["velo_ids"] + t["ut_ids"] for t in event["tracks"]],
                     lambda t: "the track " + " ".join(f"{i:x}" for i in t))
    print(f"  float: {len(velo)} other VELO tracks, {len(ut)} other tracks")
    print(*velo, *ut, sep="\n", end="\n" if velo or ut else "")
    return len(velo) <= MOST_OTHER_VELO_TRACKS and len(ut) <= MOST_OTHER_UT_TRACKS


def report(parameters, differences):
    counts = ", ".join(f"{n} {what}" for what, n in differences.counts.items() if n > 0)
    print(f"{' '.join(map(str, parameters))}: {counts}; {len(differences.lines)} differences, "
          f"{len(differences.explained_windows)} VELO tracks with windows that only a scan of all hits gives")
    for line in differences.explained_windows + differences.lines[:20]:
        print(f"  {line}")
    return not differences.lines


def main():
    arguments = parse_arguments(__doc__, "lhcb_velo_ut")
    data = find_reference(arguments.source, "lhcb-raw")
    if not data:
        return SKIPPED
    import compass_ref

    compass_ref.D = f"{data}/"
    events = [Event(number) for number in EVENTS]
    with tempfile.TemporaryDirectory() as scratch:
        program = Program(arguments.program, data, scratch)
        differences = Differences()
        comparable = compare_hits(events, program, differences)
        if not report(("hits",), differences) or not comparable:
            return 1
        good = True
        for parameters in SETS:
            differences = Differences()
            double, results = program.run(parameters, "double")
            compare_events(events, double, parameters, differences)
            compare_efficiencies(parameters, results, differences)
            good = report(parameters, differences) and good
            single, _ = program.run(parameters, "float")
            good = compare_precisions(double, single) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
