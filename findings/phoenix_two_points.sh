#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A track of an event file that has two points and parameters (dparams) is not drawn through its
# points by Phoenix (phoenix-event-display 3.0.5 of npm, with three.js 0.170): it is propagated from
# the parameters in a solenoid of 2 T, whatever the experiment. With three points, or without
# parameters, it is drawn as it is. Seen 2026-11-29.
. "$(dirname "$0")/lib.sh"

npm_package --ignore-scripts phoenix-event-display@3.0.5 three@0.170.0 esbuild@0.21.5
cat >"$work/track.mjs" <<'CODE'
import { Box3 } from "three";
import { PhoenixObjects } from "phoenix-event-display/dist/loaders/objects/phoenix-objects.js";
const ends = [[0, 0, 0], [0, 0, 500]];
const pos = process.argv[2] === "2" ? ends : [ends[0], [0, 0, 250], ends[1]];
const track = { pos, color: "0x00ff00" };
if (process.argv[3]) track.dparams = [0, 0, 0.5, 0.3, 1e-4]; // d0, z0, phi, theta, q/p in 1/MeV
const box = new Box3().setFromObject(PhoenixObjects.getTrack(track));
console.log(`x up to ${Math.round(box.max.x / 10) * 10} mm, z up to ${Math.round(box.max.z / 10) * 10} mm`);
CODE
(cd "$work" && npx esbuild track.mjs --bundle --platform=node --format=cjs --outfile=track.cjs --log-level=error)
drawn() { node "$work/track.cjs" "$@" 2>/dev/null | tail -n 1; }
seen "two points" "$(drawn 2)" "x up to 0 mm, z up to 500 mm"
seen "three points and parameters" "$(drawn 3 parameters)" "x up to 0 mm, z up to 500 mm"
seen "two points and parameters" "$(drawn 2 parameters)" "x up to 540 mm, z up to 1910 mm"
finish
