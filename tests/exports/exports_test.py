"""Files for other programs, read back by others. Usage: exports_test.py PATH_OF_TENON MODULES

MODULES is the folder with node_modules that tools/setup_node has filled.
"""
import csv
import json
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from gltf_file import GltfFile, mix, slerp

TENON, MODULES = sys.argv[1], Path(sys.argv[2])
HERE = Path(__file__).parent
# joints and a ground, springs and ropes, glass and compounds, a camera of its own
SCENES = {"bridge": 1, "connections": 2, "in-flight": 2, "double-pendulum": 3}


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class ExportsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        for scene, seconds in SCENES.items():
            made = tenon("run", f"gallery:{scene}", "--seconds", seconds, "-o",
                         cls.folder / f"{scene}.tenon")
            assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def export(self, scene, *options):
        result = tenon("export", self.folder / f"{scene}.tenon", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def poses(self, scene):
        """{body: [(t, position, quaternion xyzw)]}"""
        self.export(scene, "--poses", self.folder / "poses.csv")
        tracks = {}
        with open(self.folder / "poses.csv", newline="") as file:
            for row in csv.DictReader(file):
                p = [float(row[k]) for k in "xyz"]
                q = [float(row[k]) for k in ("qx", "qy", "qz", "qw")]
                tracks.setdefault(row["body"], []).append((float(row["t"]), p, q))
        return tracks

    @unittest.skipUnless(shutil.which("node") and (MODULES / "node_modules/gltf-validator").is_dir(),
                         "gltf-validator is missing: tools/setup_node installs it, with npm")
    def test_the_validator_of_khronos_finds_nothing_in_gltf_files(self):
        files = []
        for scene in SCENES:
            files.append(self.folder / f"{scene}.glb")
            self.export(scene, "--gltf", files[-1])
        run = subprocess.run(["node", HERE / "validate_gltf.mjs", MODULES, *files],
                             capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        reports = json.loads(run.stdout)
        self.assertEqual(len(reports), len(files))
        for report in reports:
            self.assertEqual((report["errors"], report["warnings"]), (0, 0), report)

    def test_the_animation_of_gltf_files_is_the_motion_of_the_recording(self):
        # floats of 24 bits hold 10 m to 1e-6 m
        tolerance = 1e-4
        generator = random.Random(4)
        for scene in SCENES:
            self.export(scene, "--gltf", self.folder / "run.glb")
            gltf = GltfFile(self.folder / "run.glb")
            for body, track in self.poses(scene).items():
                # bodies without a shape are not drawn
                if not any(node.get("name") == body for node in gltf.json["nodes"]):
                    continue
                node = gltf.node(body)
                for _ in range(20 if scene != "bridge" else 2):
                    k = generator.randrange(len(track) - 1)
                    s = generator.choice([0, generator.random()])
                    (t0, p0, q0), (t1, p1, q1) = track[k], track[k + 1]
                    time = t0 + s * (t1 - t0)
                    position = gltf.value(node, "translation", time)
                    rotation = gltf.value(node, "rotation", time)
                    for a, b in zip(position, mix(p0, p1, s)):
                        self.assertAlmostEqual(a, b, delta=tolerance, msg=f"{scene} {body} {time}")
                    alike = abs(sum(a * b for a, b in zip(rotation, slerp(q0, q1, s))))
                    self.assertGreater(alike, 1 - tolerance**2, f"{scene} {body} {time}")

    def test_quaternions_of_neighbouring_keys_have_the_same_sign(self):
        self.export("in-flight", "--gltf", self.folder / "run.glb")
        gltf = GltfFile(self.folder / "run.glb")
        rotations = [a["samplers"][c["sampler"]] for a in gltf.json["animations"]
                     for c in a["channels"] if c["target"]["path"] == "rotation"]
        self.assertGreater(len(rotations), 5)
        for sampler in rotations:
            keys = gltf.accessor(sampler["output"])
            for a, b in zip(keys, keys[1:]):
                self.assertGreater(sum(x * y for x, y in zip(a, b)), 0)

    def test_equal_shapes_are_stored_once(self):
        self.export("bridge", "--gltf", self.folder / "run.glb")
        gltf = GltfFile(self.folder / "run.glb")
        meshes = [n["mesh"] for n in gltf.json["nodes"] if "mesh" in n]
        self.assertGreater(len(meshes), 200)
        self.assertLess(len(gltf.json["meshes"]), 0.6 * len(meshes))
        places = {m["primitives"][0]["attributes"]["POSITION"] for m in gltf.json["meshes"]}
        contents = {tuple(gltf.accessor(place)) for place in places}
        self.assertEqual(len(contents), len(places))

    def test_glass_metals_lights_and_cameras_are_in_gltf_files(self):
        self.export("in-flight", "--gltf", self.folder / "run.glb")
        gltf = GltfFile(self.folder / "run.glb").json
        self.assertIn("KHR_lights_punctual", gltf["extensionsUsed"])
        self.assertEqual([c["name"] for c in gltf["cameras"]][-1], "auto")
        metals = [m["pbrMetallicRoughness"]["metallicFactor"] for m in gltf["materials"]]
        self.assertGreater(max(metals), 0.5)
        clear = [m for m in gltf["materials"] if "extensions" in m]
        for material in clear:
            self.assertGreater(
                material["extensions"]["KHR_materials_transmission"]["transmissionFactor"], 0)
            self.assertGreater(material["extensions"]["KHR_materials_ior"]["ior"], 1)

    def test_a_span_of_time_and_every_nth_frame_are_kept(self):
        self.export("in-flight", "--gltf", self.folder / "run.glb", "--from", "0.5", "--to", "1",
                    "--every", "3")
        gltf = GltfFile(self.folder / "run.glb")
        sampler = gltf.json["animations"][0]["samplers"][0]
        times = [t for (t,) in gltf.accessor(sampler["input"])]
        self.assertAlmostEqual(times[0], 0.5, places=6)
        self.assertAlmostEqual(times[-1], 1, places=6)
        self.assertLess(len(times), 0.25 * 240)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
