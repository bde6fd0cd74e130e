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
