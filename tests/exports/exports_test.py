"""Files for other programs, read back by others. Usage: exports_test.py PATH_OF_TENON MODULES

MODULES is the folder with node_modules that tools/setup_node has filled.
"""
import csv
import json
import math
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

from gltf_file import GltfFile, angle_between, leaves_chord, mean_spin, mix, slerp
from png_file import read_png

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
        """{body: [(t, position, quaternion xyzw, velocity, angular velocity)]}"""
        self.export(scene, "--poses", self.folder / "poses.csv")
        tracks = {}
        with open(self.folder / "poses.csv", newline="") as file:
            for row in csv.DictReader(file):
                p = [float(row[k]) for k in "xyz"]
                q = [float(row[k]) for k in ("qx", "qy", "qz", "qw")]
                v, w = ([float(row[k + axis]) for axis in "xyz"] for k in "vw")
                tracks.setdefault(row["body"], []).append((float(row["t"]), p, q, v, w))
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
                    (t0, p0, q0, v0, w0), (t1, p1, q1, v1, w1) = track[k], track[k + 1]
                    time = t0 + s * (t1 - t0)
                    position = gltf.value(node, "translation", time)
                    rotation = gltf.value(node, "rotation", time)
                    away = leaves_chord(t1 - t0, v0, v1, [(b - a) / (t1 - t0) for a, b in zip(p0, p1)]) if s > 0 else 0
                    self.assertLess(math.dist(position, mix(p0, p1, s)), tolerance + away, f"{scene} {body} {time}")
                    turned = leaves_chord(t1 - t0, w0, w1, mean_spin(q0, q1, t1 - t0)) if s > 0 else 0
                    self.assertLess(angle_between(rotation, slerp(q0, q1, s)), tolerance + turned,
                                    f"{scene} {body} {time}")

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

    def test_an_obj_file_has_every_body_where_it_is_at_that_time(self):
        self.export("in-flight", "--obj", self.folder / "run.obj", "--at", "0.75")
        objects, materials, normals = {}, set(), 0
        total, faces = 0, 0
        for line in (self.folder / "run.obj").read_text().splitlines():
            word, *rest = line.split()
            if word == "mtllib":
                self.assertEqual(rest, ["run.mtl"])
            elif word == "o":
                points = objects.setdefault(rest[0], [])
            elif word == "usemtl":
                materials.add(rest[0])
            elif word == "v":
                points.append([float(v) for v in rest])
                total += 1
            elif word == "vn":
                normals += 1
                self.assertAlmostEqual(sum(float(v) ** 2 for v in rest), 1, places=6)
            elif word == "f":
                faces += 1
                corners = [corner.split("//") for corner in rest]
                self.assertEqual(len(corners), 3)
                for point, normal in corners:
                    self.assertEqual(point, normal)
                    self.assertTrue(1 <= int(point) <= total)
        self.assertEqual(total, normals)
        self.assertGreater(faces, 1000)
        described = set(re.findall(r"^newmtl (\S+)", (self.folder / "run.mtl").read_text(), re.M))
        self.assertEqual(described, materials)
        # boxes and balls: the middle of their corners is the origin of the body
        for body, track in self.poses("in-flight").items():
            if not re.fullmatch(r"box_\d+", body):
                continue
            _, place, *_ = min(track, key=lambda entry: abs(entry[0] - 0.75))
            for axis in range(3):
                middle = sum(p[axis] for p in objects[body]) / len(objects[body])
                self.assertAlmostEqual(middle, place[axis], delta=1e-6, msg=body)

    def test_all_tables_go_into_one_folder(self):
        out = self.export("bridge", "--all-csv", self.folder / "tables", "--to", "0.2")
        names = sorted(p.name for p in (self.folder / "tables").iterdir())
        # no contacts were recorded
        self.assertEqual(names, ["diagnostics.csv", "events.csv", "joints.csv", "poses.csv"])
        self.assertIn("poses.csv: 3471 lines", out)  # 267 bodies, 13 frames
        self.export("bridge", "--poses", self.folder / "alone.csv", "--to", "0.2")
        self.assertEqual((self.folder / "alone.csv").read_text(),
                         (self.folder / "tables/poses.csv").read_text())

    def test_a_report_tells_what_the_run_measured(self):
        tenon("run", "gallery:bridge", "--seconds", 1, "-o", self.folder / "r.tenon", "--report",
              self.folder / "r.json")
        result = tenon("report", self.folder / "r.tenon", "-o", self.folder / "r.html", "--stills", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        page, measured = (self.folder / "r.html").read_text(), json.loads((self.folder / "r.json").read_text())
        text = re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", "", page, flags=re.S))

        def said(pattern):
            found = re.search(pattern, text)
            self.assertTrue(found, pattern)
            return float(found.group(1))
        # four digits are printed
        for pattern, value in [
            (r"joint gap\s+(\S+) mm at", 1000 * measured["joint_gap_m"]["max"]),
            (r"angular error of joints\s+(\S+) rad", measured["joint_angle_rad"]["max"]),
            (r"overlap of bodies\s+(\S+) mm", 1000 * measured["penetration_m"]["max"]),
            (r"contact points\s+(\S+) at", measured["contacts_max"]),
        ]:
            self.assertAlmostEqual(said(pattern) / value, 1, delta=1e-3, msg=pattern)
        # times of phases are those of the run, stored in whole nanoseconds
        times = dict(re.findall(r"<tr><th>(\w+)</th><td>([\d.]+)</td><td class", page))
        for phase, ms in measured["phases_ms"].items():
            self.assertAlmostEqual(float(times.get(phase, 0)), ms, delta=1e-3)
        self.assertIn("tenon run gallery:bridge --set world.duration=1 -o r.tenon", text)
        self.assertEqual(len(re.findall(r"data:image/png;base64", page)), 2)
        self.assertEqual(re.findall(r"<(?:script|link|iframe)|url\(|@import", page), [])
        # and what it says about making it again is true
        again = tenon("run", "gallery:bridge", "--set", "world.duration=1", "-o", self.folder / "again.tenon")
        self.assertEqual(again.returncode, 0)
        self.assertEqual(tenon("compare", self.folder / "r.tenon", self.folder / "again.tenon").returncode, 0)
        for hint in measured["health"]:
            if hint.startswith('"'):
                self.assertIn(hint.split(" (")[0].replace('"', "&quot;"), page)

    def test_reports_and_plots_refuse_what_cannot_be(self):
        run = self.folder / "in-flight.tenon"
        for arguments, words in [
            (("plot", run, "-o", self.folder / "x.pdf"), "NAME.svg, NAME.png or NAME.html"),
            (("plot", run, "-o", run), "does not say in which format"),
            (("plot", run, "--what", "enrgy", "-o", self.folder / "x.svg"), "did you mean 'energy'"),
            (("plot", run, "--what", "energy", "--from", 90, "-o", self.folder / "x.svg"), "0 to 2 s"),
            (("plot", self.folder / "no.tenon", "-o", self.folder / "x.svg"), "no.tenon"),
            (("report", run, "-o", run), "overwrite the recording"),
            (("report", run, "-o", self.folder / "none/x.html"), "none"),
            (("report", run, "-o", self.folder / "x.html", "--camera", "nope"), "auto"),
            (("export", run, "--gltf", run), "overwrite the recording"),
            (("export", run, "--gltf", self.folder / "x.gltf"), "ends in .glb"),
            (("export", run, "--obj", self.folder / "x.obj", "--at", 77), "0 to 2 s"),
            (("export", run, "--html", self.folder / "x.html", "--from", 77), "0 to 2 s"),
            (("export", run, "--all-csv", run), "this is a file"),
        ]:
            result = tenon(*arguments)
            self.assertEqual(result.returncode, 1, (arguments, result.stdout))
            self.assertIn(words, result.stderr)
        self.assertEqual([p.name for p in self.folder.glob("x.*")], [])

    def test_plots_are_pictures_of_the_asked_size(self):
        run = self.folder / "double-pendulum.tenon"
        for name in ("p.svg", "p.png", "p.html"):
            result = tenon("plot", run, "--what", "energy,body:rod_*.speed,joint:pin_0.angle", "--width", 700,
                           "--scale", 1, "-o", self.folder / name)
            self.assertEqual(result.returncode, 0, result.stderr)
        width, height, rows = read_png((self.folder / "p.png").read_bytes())
        self.assertEqual(width, 700)
        # curves of the first two series are there in their colours
        pixels = {p for row in rows for p in row}
        for ink in ((0, 114, 178), (213, 94, 0)):
            self.assertIn(ink, pixels)
        svg = xml.etree.ElementTree.fromstring((self.folder / "p.svg").read_text())
        titles = [t.text for t in svg.iter("{http://www.w3.org/2000/svg}title")]
        for name in ("kinetic", "rod_0.speed", "rod_1.speed", "pin_0.angle"):
            self.assertIn(name, titles)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
