#!/usr/bin/env python3
"""Writes a scene in which meshes of a folder fall on a heap: reference_heap.py FOLDER COUNT > heap.json

Files (.obj, .stl) are used where they are; each is scaled to a longest side of 30 cm. Run it with
`tenon run heap.json --threads 2`.
"""

import json
import pathlib
import random
import struct
import sys

SIDE = 0.3  # m
APART = 0.45


def read_vertices(path):
    data = path.read_bytes()
    if path.suffix == ".obj":
        lines = (line.split() for line in data.decode().splitlines())
        return [tuple(map(float, w[1:4])) for w in lines if len(w) > 3 and w[0] == "v"]
    count = struct.unpack_from("<I", data, 80)[0]
    at = (96 + 50 * i + 12 * k for i in range(count) for k in range(3))
    return [struct.unpack_from("<3f", data, offset) for offset in at]


def longest_side(path):
    return max(max(axis) - min(axis) for axis in zip(*read_vertices(path)))


def main():
    folder, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    files = sorted(p for p in folder.iterdir() if p.suffix in (".obj", ".stl"))
    scale = {p: SIDE / longest_side(p) for p in files}
    rng = random.Random(1)
    bodies = [{"name": "floor", "shape": {"type": "plane"}, "material": "wood"}]
    for i in range(count):
        path = files[i % len(files)]
        bodies.append({
            "name": f"{path.stem}_{i}", "material": "plastic",
            "shape": {"type": "mesh", "file": str(path), "scale": scale[path], "origin": "center"},
            "position": [APART * (i % 3 - 1) + rng.uniform(-0.05, 0.05), 0.4 + APART * (i // 9),
                         APART * (i // 3 % 3 - 1) + rng.uniform(-0.05, 0.05)],
            "orientation": {"axis": [rng.uniform(-1, 1), rng.uniform(-1, 1), 1.1],
                            "angle": rng.uniform(0, 3)},
        })
    json.dump({"tenon": 1, "title": f"{count} meshes on a heap",
               "world": {"step": "1/60", "duration": "10 s"}, "bodies": bodies}, sys.stdout, indent=1)


main()
