# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LHCb: raw banks to tracks through VELO and UT, compared with the truth."""

import numpy as np

from trackplex import lhcb

detector = lhcb.ideal_detector()  # or lhcb.read_detector(folder)
events = lhcb.generate_raw_events(detector, 5)  # or lhcb.read_mdf(path)
find_tracks = lhcb.VeloUtFinder(detector)

n_tracks, ratios = 0, []
for (event, truth), result in zip(events, find_tracks([event for event, truth in events])):
    owner = {hit: particle for particle in range(len(truth)) for hit in truth.velo_ids(particle)}
    n_tracks += len(result.ut_tracks)
    for track in result.ut_tracks:
        owners = [owner.get(result.velo_ids[hit], -1) for hit in result.track(track["velo_track"])]
        particle = max(set(owners), key=owners.count)
        if particle >= 0:
            ratios.append(abs(1 / track["qop"]) / truth.p[particle])
spread = np.median(np.abs(np.array(ratios) - 1))
print(f"{len(events)} events, {n_tracks} tracks with momentum, p within {100 * spread:.0f} % of the truth")
