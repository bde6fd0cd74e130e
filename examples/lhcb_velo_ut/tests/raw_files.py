# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bank files and MDF files, as far as the tests need them"""

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


def field_map(file, tesla=-1.1):
    """Writes a map of a dipole magnet that bends as much as generated hits, nearly."""
    rows = ["x[cm],y[cm],z[cm],Bx[T],By[T],Bz[T]"]
    for z in range(0, 1001, 20):
        by = tesla * min(1, max(0, (240 - abs(z - 520)) / 100))
        rows += [f"{x},{y},{z},0,{by},0" for x in (-400, 400) for y in (-300, 300)]
    file.write_text("\n".join(rows) + "\n")


def kalman_files(folder):
    """Gives a folder parameters of the fit of long tracks: the kicks of generated hits, nearly."""
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
