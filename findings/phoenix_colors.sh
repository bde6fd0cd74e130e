#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Phoenix (phoenix-event-display 3.0.5 of npm, with three.js 0.170) reads the same colour of an event
# file differently for each kind of object: tracks, points and boxes need 0xRRGGBB, vertices #RRGGBB.
# No text is green for both; others become black or white without a word. Seen 2026-11-29.
. "$(dirname "$0")/lib.sh"

npm_package --ignore-scripts phoenix-event-display@3.0.5 three@0.170.0 esbuild@0.21.5
cat >"$work/colors.mjs" <<'CODE'
import { PhoenixObjects } from "phoenix-event-display/dist/loaders/objects/phoenix-objects.js";
const color = process.argv[2];
const objects = {
  track: PhoenixObjects.getTrack({ pos: [[0, 0, 0], [10, 0, 10], [20, 1, 20]], color }),
  point: PhoenixObjects.getHits([{ type: "Point", pos: [1, 2, 3], color }]),
  box: PhoenixObjects.getHits([{ type: "Box", pos: [1, 2, 3, 4, 5, 6], color }]),
  vertex: PhoenixObjects.getVertex({ x: 1, y: 2, z: 3, color }),
};
const drawn = [];
for (const [kind, object] of Object.entries(objects)) {
  let found;
  object.traverse((part) => (found ??= part.material?.color?.getHexString()));
  drawn.push(`${kind} ${found}`);
}
console.log(drawn.join(" "));
CODE
(cd "$work" && npx esbuild colors.mjs --bundle --platform=node --format=cjs --outfile=colors.cjs --log-level=error)
drawn() { node "$work/colors.cjs" "$1" 2>/dev/null | tail -n 1; }
seen "0x00ff00" "$(drawn 0x00ff00)" "track 00ff00 point 00ff00 box 00ff00 vertex ffffff"
seen "#00ff00" "$(drawn '#00ff00')" "track 000000 point 000000 box 000000 vertex 00ff00"
seen "00ff00" "$(drawn 00ff00)" "track 00ff00 point 000000 box 000000 vertex ffffff"
finish
