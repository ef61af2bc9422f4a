"""The first cameras of gallery scenes keep what moves in the picture. Usage: cameras_test.py TENON

Bodies and cameras are read back from the glTF of a whole run and projected here, by the definition of
its perspective camera: x / (-z) within tan(yfov / 2) times the aspect ratio.
"""
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from gltf_file import GltfFile

TENON = sys.argv[1]
ASPECT, TIMES = 16 / 9, 25
# Scenes in which things go far; what may be out of the picture on average and at the worst instant.
# A film of a car leaves the pendulum at its start behind, one of a gale what it blows away first.
SCENES = {
    "aero/man": (0.02, 0.1), "aero/vehicle-on-ice": (0.12, 0.15), "aero/uneven-floor": (0.0, 0.0),
    "aero/random-gravity-stack": (0.05, 0.25), "windy-day": (0.1, 0.2), "forces": (0.1, 0.25),
    "in-flight": (0.05, 0.2), "cradle": (0.0, 0.0), "slider-crank": (0.0, 0.0),
}


def turned_back(q, v):
    """v in the frame of the unit quaternion q = (x, y, z, w)."""
    x, y, z, w = -q[0], -q[1], -q[2], q[3]
    cx = (y * v[2] - z * v[1] + w * v[0], z * v[0] - x * v[2] + w * v[1], x * v[1] - y * v[0] + w * v[2])
    return [v[0] + 2 * (y * cx[2] - z * cx[1]), v[1] + 2 * (z * cx[0] - x * cx[2]),
            v[2] + 2 * (x * cx[1] - y * cx[0])]


class CamerasTest(unittest.TestCase):
    def out_of_picture(self, gltf):
        """Share of moving bodies outside of the first camera's picture, at some times."""
        nodes = gltf.json["nodes"]
        cameras = [i for i, node in enumerate(nodes) if "camera" in node]
        channels = gltf.json["animations"][0]["channels"]
        moving = sorted({c["target"]["node"] for c in channels if c["target"]["path"] == "translation"}
                        - set(cameras))
        self.assertTrue(moving)
        camera = cameras[0]
        slope = math.tan(gltf.json["cameras"][nodes[camera]["camera"]]["perspective"]["yfov"] / 2)
        sampler = gltf.json["animations"][0]["samplers"][channels[0]["sampler"]]
        end = gltf.accessor(sampler["input"])[-1][0]
        shares = []
        for k in range(TIMES):
            t = end * k / (TIMES - 1)
            eye, turn = gltf.value(camera, "translation", t), gltf.value(camera, "rotation", t)
            out = 0
            for node in moving:
                p = gltf.value(node, "translation", t)
                x, y, z = turned_back(turn, [a - b for a, b in zip(p, eye)])
                out += z >= 0 or abs(x) > -z * slope * ASPECT or abs(y) > -z * slope
            shares.append(out / len(moving))
        return shares

    def test_what_moves_stays_in_the_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            for scene, (mean, worst) in SCENES.items():
                run, glb = Path(folder) / "run.tenon", Path(folder) / "run.glb"
                for command in (("run", f"gallery:{scene}", "-o", run),
                                ("export", run, "--gltf", glb, "--every", 10)):
                    made = subprocess.run([TENON, *map(str, command)], capture_output=True, text=True, timeout=300)
                    self.assertEqual(made.returncode, 0, made.stderr)
                shares = self.out_of_picture(GltfFile(glb))
                print(f"{scene}: out of the picture {sum(shares) / TIMES:.3f} on average, {max(shares):.2f} at worst")
                self.assertLessEqual(sum(shares) / TIMES, mean, scene)
                self.assertLessEqual(max(shares), worst, scene)
                run.unlink()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
