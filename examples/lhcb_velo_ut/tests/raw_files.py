# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bank files and MDF files, as far as the tests need them"""

import math
import random
import struct

ODIN, VP, UT, VP_CLUSTERS = 16, 63, 66, 73
HEADER_BYTES = 48  # of an event in an MDF file


def read_banks(file):
    """(source, payload) of each bank of a bank file."""
    data = file.read_bytes()
    (n,) = struct.unpack_from("<I", data)
    offsets = struct.unpack_from(f"<{n + 1}I", data, 4)
    body = data[4 * (n + 2):]
    banks = [body[offsets[b]:offsets[b + 1]] for b in range(n)]
    return [(struct.unpack_from("<I", bank)[0], bank[4:]) for bank in banks]


def mdf_checksum(data):
    """Jenkins' one-at-a-time hash over signed bytes."""
    value = 0
    for byte in struct.unpack(f"{len(data)}b", data):
        value = (value + byte) & 0xFFFFFFFF
        value = (value + (value << 10)) & 0xFFFFFFFF
        value ^= value >> 6
    value = (value + (value << 3)) & 0xFFFFFFFF
    value ^= value >> 11
    return (value + (value << 15)) & 0xFFFFFFFF


def mdf_bank(kind, version, source, payload):
    header = struct.pack("<HHBBH", 0xCBCB, 8 + len(payload), kind, version, source)
    return header + payload + bytes(-len(payload) % 4)


def mdf_event(run, number, banks):
    """An event of banks (kind, version, source, payload)."""
    odin = struct.pack("<10I", run, 0, 0, number >> 32, number & 0xFFFFFFFF, 0, 0, 0, 0, 0)
    body = b"".join(mdf_bank(*bank) for bank in ((ODIN, 6, 0, odin), *banks))
    checked = struct.pack("<4B7I", 0, 0x37, 1, 0, *(4 * [0xFFFFFFFF]), run, 0, 0) + body
    size = 16 + len(checked)
    return struct.pack("<4I", size, size, size, mdf_checksum(checked)) + checked


def mdf_event_of_files(folder, name):
    """The event of a folder of bank files, named RUN_NUMBER."""
    run, number = map(int, name.split("_"))
    banks = [(kind, version, source, payload)
             for kind, version, detector in ((VP, 2, "VP"), (UT, 3, "UT"))
             for source, payload in read_banks(folder / "banks" / detector / f"{name}.bin")]
    return mdf_event(run, number, banks)


def with_ids(truth, velo=lambda i: i, ut=lambda i: i):
    """A file of particles in the form of 2020 with other identifiers of hits."""
    data = bytearray(truth)
    (n,) = struct.unpack_from("<I", data)
    at = 4
    for _ in range(n):
        at += 72
        for change in (velo, ut, lambda i: i):
            (hits,) = struct.unpack_from("<I", data, at)
            ids = struct.unpack_from(f"<{hits}I", data, at + 4)
            struct.pack_into(f"<{hits}I", data, at + 4, *map(change, ids))
            at += 4 + 4 * hits
    return bytes(data)


def with_long_tracks(truth, tracks):
    """A file of particles in which those with the VELO hits of long tracks (lists of ids of VELO and SciFi) are long."""
    (n,) = struct.unpack_from("<I", truth)
    data, at = bytearray(truth[:4]), 4
    for _ in range(n):
        head, lists = bytearray(truth[at:at + 72]), []
        at += 72
        for _ in range(3):
            (hits,) = struct.unpack_from("<I", truth, at)
            lists.append(struct.unpack_from(f"<{hits}I", truth, at + 4))
            at += 4 + 4 * hits
        for velo, scifi in tracks:
            if len(set(velo) & set(lists[0])) >= 0.9 * len(velo):
                head[36] = head[40] = 1  # long, and in the SciFi
                lists[2] = scifi
        data += head
        for ids in lists:
            data += struct.pack(f"<{len(ids) + 1}I", len(ids), *ids)
    return bytes(data)


SCIFI_Z = (7826, 7896, 7966, 8036, 8508, 8578, 8648, 8718, 9193, 9263, 9333, 9403)
SCIFI_DXDY = 3 * (0, 0.0874892, -0.0874892, 0)
SCIFI_DZDY = 0.003601


def scifi_geometry():
    """A file scifi_geometry.bin of regular mats, 131 mm wide."""
    n_mats = 1536
    columns = [[0.0] * n_mats for _ in range(13)]
    modules = [5 if q < 32 else 6 for q in range(48)]
    for q, n_modules in enumerate(modules):
        upper, left, slope = q % 4 >= 2, q % 2 == 0, SCIFI_DXDY[q // 4]
        cosine = 1 / math.hypot(1, slope)
        for m in range(4 * n_modules):
            sign = 1 if left == upper else -1  # of the channels
            y = 2424 if upper else -2424
            x = (-1 if left else 1) * (66 + 132.5 * m) + slope * y
            z = SCIFI_Z[q // 4] + SCIFI_DZDY * y
            mat = (x, y, z, sign * cosine, -sign * slope * cosine, 0, -65.16, 0.125, 0.22, 32.7, slope, SCIFI_DZDY,
                   -2423 if upper else 2423)
            for column, value in zip(columns, mat):
                column[32 * q + m] = value
    first = [(32 * q + ((0, 4, 8, 12, 16) if q < 32 else (0, 4, 9, 14, 19))[b] + 512) << 9 for q in range(48)
             for b in range(5)]
    numbers = [3, 4, 12, 4, 48, *modules, 4, 1024, 240, *first, n_mats]
    return struct.pack(f"<{len(numbers)}I", *numbers) + b"".join(struct.pack(f"<{n_mats}f", *c) for c in columns)


def bank_file(banks):
    """A bank file of (source, payload)."""
    bodies = [struct.pack("<I", source) + payload for source, payload in banks]
    offsets = [sum(map(len, bodies[:b])) for b in range(len(bodies) + 1)]
    return struct.pack(f"<{len(offsets) + 1}I", len(bodies), *offsets) + b"".join(bodies)


def scifi_word(zone, x):
    """Bank and word of the channel of scifi_geometry() at x, at y = 0 along the fibre; or None."""
    layer, upper, left = zone // 2, zone % 2 == 1, x < 0
    quarter, slope = 4 * layer + 2 * upper + (not left), SCIFI_DXDY[layer]
    m = int((abs(x) + 0.25) / 132.5)
    if m >= (20 if layer < 8 else 24):
        return None
    along = (x - (-1 if left else 1) * (66 + 132.5 * m)) * (1 if left == upper else -1) / math.hypot(1, slope) + 65.16
    sipm = min(max(int(along / 32.7), 0), 3)
    rest = along - 32.7 * sipm
    cell = min(max(round((rest - (0.22 if rest > 16.1 else 0)) / 0.25 - 0.5), 0), 127)
    first = (0, 4, 8, 12, 16) if layer < 8 else (0, 4, 9, 14, 19)
    fifth = max(b for b in range(5) if first[b] <= m)
    return 5 * quarter + fifth, (4 * (m - first[fifth]) + sipm) << 9 | cell << 2


def scifi_banks(seed, tracks, noise=20):
    """A bank file of the SciFi with the hits of fast tracks (x and y at z = 0, tx, ty, q/p) and noise in each zone."""
    draw = random.Random(seed)
    words = [set() for _ in range(240)]

    def add(zone, x):
        found = scifi_word(zone, x)
        if found and found[1] > 0:  # 0 would be padding
            words[found[0]].add(found[1])

    for x, y, tx, ty, qop in tracks:
        magnet, middle, slope = 5212.38, 8520, tx + 1250 * qop
        chord = x + tx * magnet - 0.82 + slope * (19.39 + slope * (16.69 - 375.5 * slope))

        def bow(z):
            return 0.0287 * qop * (z - middle) ** 2 * (1 - 2.7e-4 * (z - middle))

        begin, end = SCIFI_Z[0], SCIFI_Z[8]
        for layer, z in enumerate(SCIFI_Z):
            straight = bow(begin) + (bow(end) - bow(begin)) * (z - begin) / (end - begin)
            at_y = y + ty * z
            add(2 * layer + (y + ty * begin > 0),
                chord + slope * (z - magnet) + bow(z) - straight - SCIFI_DXDY[layer] * at_y)
    for zone in range(24):
        for _ in range(noise):
            add(zone, draw.uniform(-2500, 2500))
    banks = []
    for source, of_bank in enumerate(words):
        of_bank = sorted(of_bank) + [0] * (len(of_bank) % 2)
        banks.append((source, struct.pack(f"<{len(of_bank) + 2}H", 0, 0, *of_bank)))
    return bank_file(banks)


def fast_tracks(table, names):
    """The tracks above 8 GeV of a table of tracks as scifi_banks() takes them, by the names of the events."""
    tracks = {name: [] for name in names}
    for event, qop, x, y, z, tx, ty in zip(*(table[key] for key in ("event", "qop", "x", "y", "z", "tx", "ty"))):
        if abs(qop) < 1 / 8000:
            tracks[names[event]].append((x - z * tx, y - z * ty, tx, ty, qop))
    return tracks


def add_scifi(folder, tracks_of_events):
    """Gives events of a folder of bank files, and their geometry, a SciFi with the hits of their tracks and noise."""
    (folder / "geometry" / "scifi_geometry.bin").write_bytes(scifi_geometry())
    (folder / "banks" / "FTCluster").mkdir()
    for seed, (name, tracks) in enumerate(tracks_of_events.items()):
        (folder / "banks" / "FTCluster" / f"{name}.bin").write_bytes(scifi_banks(seed, tracks))


def kalman_files(folder):
    """Gives a folder parameters of the fit of long tracks: the kicks of scifi_banks() and of generated UT hits, nearly."""
    folder.mkdir()

    def write(name, sets):
        text = "".join(f"{name}_{number}_1: {' '.join(map(str, values))}\n" for number, values in enumerate(sets))
        (folder / f"params_{name}.txt").write_text(text)

    def numbers(n, **values):
        return [values.get(f"p{i}", 0) for i in range(n)]

    write("predictV", 2 * [numbers(8, p1=0.01, p2=1.5, p6=0.7, p7=0.8)])
    write("predictVUT", [numbers(22, p3=5, p5=0.5, p6=4, p8=-3.53, p15=5, p16=1.78, p20=4, p4=0.9, p21=0.9)])
    inside = numbers(18, p0=0.5, p2=2, p3=0.5, p4=2, p12=3, p15=3, p14=0.8, p17=0.8)
    write("predictUT", 3 * [inside])
    write("predictUTTF", [numbers(20, p12=30, p13=900, p14=0.8, p15=30, p16=900, p17=0.8)])
    write("predictTFT", [numbers(9, p8=0.5)])
    write("predictT", 22 * [inside])
    write("UTLayer", [(2327.5, 2372.5, 2597.5, 2642.5)])
    z = [station + layer for station in (7826, 8508, 9193) for layer in (0, 70, 140, 210)]
    write("TLayer", [z, 12 * [277.7]])
    kick = 1200 / 1500  # of dx/dz, at q/p = 1/(1500 MeV)
    cell = [0.0] * 80
    cell[0], cell[9] = kick * (7826 - 5212), 1000 * kick
    header = "2642.5 7826 1500 29.5 35 -310 140 0.3 0.25 2500 0.005\n3 3 1 1 7 9 5 7\n"
    (folder / "small.tab").write_text(header + 9 * (" ".join(map(str, cell)) + "\n"))
