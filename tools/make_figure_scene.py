#!/usr/bin/env python3
"""Writes gallery/figure-from-bvh.json: the walk of make_walk_bvh.py, released at the top of stairs.

    python3 tools/make_figure_scene.py build/release/bin/tenon

`tenon import` makes the figure and its key frames; the stage is added here.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TENON = sys.argv[1]
RISE, RUN, STEPS, WIDTH = 0.17, 0.30, 6, 2.4
EDGE = 2.25  # z of the edge of the landing


def box(name, size, position, **more):
    return {"name": name, "shape": {"type": "box", "size": size}, "position": position, **more}


def make_stage():
    bottom = -RISE * (STEPS + 1)
    still = {"motion": "static", "material": "stone"}
    bodies = [box("landing", [WIDTH, -bottom, EDGE + 1], [0, bottom / 2, (EDGE - 1) / 2], **still)]
    for i in range(1, STEPS + 1):
        height = -bottom - i * RISE
        bodies.append(box(f"step_{i}", [WIDTH, height, RUN],
                          [0, bottom + height / 2, EDGE + (i - 0.5) * RUN], **still))
    foot = EDGE + STEPS * RUN
    for i, (x, z, s) in enumerate([(-0.5, 0.5, 0.3), (0.0, 0.62, 0.26), (0.45, 0.45, 0.32),
                                   (-0.25, 1.0, 0.24), (0.3, 1.05, 0.28)]):
        bodies.append(box(f"crate_{i + 1}", [s, s, s], [x, bottom + s / 2, foot + z],
                          material="wood", density=200))
    bodies.append({"name": "ground", "shape": {"type": "plane"}, "position": [0, bottom, 0],
                   "material": "stone"})
    return bodies


def main():
    with tempfile.TemporaryDirectory() as folder:
        figure, scene = Path(folder) / "figure.json", Path(folder) / "scene.json"
        subprocess.run([TENON, "import", ROOT / "gallery/figures/walk.bvh", "-o", figure, "--floor",
                        "--release", "2", "--fps", "15"], check=True)
        document = json.loads(figure.read_text())
        document["title"] = "A figure from a motion file"
        document["description"] = (
            "A figure of 23 bodies follows a walk (figures/walk.bvh, made of sines by "
            "tools/make_walk_bvh.py) in key frames in which all joints fit; after 2 s, at the top "
            "of the stairs, it is released with the velocity it has and falls by itself.")
        document["tags"] = ["figure", "bvh", "release", "joint", "limits", "contact"]
        document["world"]["duration"] = 7
        document["bodies"] = [b for b in document["bodies"] if b["name"] != "floor"] + make_stage()
        document["cameras"] = [{"name": "side", "position": [5.0, 1.3, 4.4],
                                "look_at": [0, 0, 2.6]}]
        scene.write_text(json.dumps(document))
        subprocess.run([TENON, "convert", scene, "-o", ROOT / "gallery/figure-from-bvh.json",
                        "--overwrite"], check=True)


main()
