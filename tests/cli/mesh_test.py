"""Meshes as a user meets them: tenon mesh, files beside scenes, recordings without them, the cache."""
import os
import sys
import unittest

from cli_case import CliCase

TETRAHEDRON = """v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1
f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"""
SCENE = """{ "tenon": 1, "world": {"duration": 0.1}, "bodies": [
  { "name": "a", "position": [0, 3, 0], "shape": {"type": "mesh", "file": "parts/t.obj", "cell": 0.1} },
  { "name": "b", "position": [3, 3, 0], "shape": {"type": "mesh", "file": "parts/t.obj", "cell": 0.1} } ] }"""


class MeshTest(CliCase):
    def scene(self):
        os.mkdir(self.path("parts"))
        self.path("parts/t.obj", TETRAHEDRON)
        return self.path("scene.json", SCENE)

    def test_a_good_mesh_is_described(self):
        text = self.ok("mesh", self.path("t.obj", TETRAHEDRON), "--units", "cm")
        for line in ("triangles          4", "Euler number       2", "closed             yes",
                     "volume             1.66666666667e-07 m^3", "as a body          yes"):
            self.assertIn(line, text)

    def test_mistakes_of_files_are_told_with_all_others(self):
        turned = self.path("turned.obj", TETRAHEDRON.replace("1 3 2", "1 2 3").replace(
            "1 2 4", "1 4 2").replace("1 4 3", "1 3 4").replace("2 3 4", "2 4 3"))
        scene = self.path("bad.json", """{"tenon": 1, "bodies": [
          {"name": "b", "shape": {"type": "mesh", "file": "nosuch.obj"}},
          {"name": "c", "shape": {"type": "mesh", "file": "%s"}},
          {"name": "e", "shape": {"type": "sphere", "radius": -1}}]}""" % turned)
        for command in ("check", "run"):
            text = self.fails(1, command, scene)
            for part in ("radius must be above 0", 'body "b": mesh file \'nosuch.obj\': cannot open',
                         "inside out"):
                self.assertIn(part, text)
        self.assertIn("3 mistakes", self.fails(1, "check", scene))

    def test_urdf_has_the_mass_of_mesh_files(self):
        self.path("t.obj", TETRAHEDRON)
        os.mkdir(self.path("out"))
        scene = """{"tenon": 1, "bodies": [{"name": "a", "mass": 2, "position": [0, 1, 0],
          "shape": {"type": "mesh", "file": "t.obj"}}]}"""
        robot = self.path("out/t.urdf")
        self.ok("convert", self.path("t.json", scene), "-o", robot)
        with open(robot, encoding="utf-8") as file:
            text = file.read()
        # a corner of a unit cube: 3/80 of its mass about an axis through its centre, times two
        self.assertIn('<mass value="2"/>', text)
        self.assertIn('ixx="0.15"', text.replace("0.15000000000000002", "0.15").replace(
            "0.14999999999999997", "0.15"))
        self.ok("check", robot)
        lost = self.path("lost.json", scene.replace("t.obj", "none.obj"))
        text = self.fails(1, "convert", lost, "-o", self.path("out/lost.urdf"))
        for part in ("lost.json:1:", "mass of body 'a'", "none.obj", "center_of_mass"):
            self.assertIn(part, text)

    def test_what_is_wrong_is_named_with_places(self):
        path = self.path("t.obj", TETRAHEDRON.replace("f 2 3 4\n", "f 1 2 2\n"))
        text = self.fails(1, "mesh", path)
        self.assertIn("closed             no", text)
        self.assertIn("vertices 1 - 2, at 0.5, 0.5, 0", text)
        self.assertIn("a vertex twice     1  (triangles 3)", text)
        self.assertIn("static only", self.fails(1, "mesh", path, "--repair", "drop"))
        turned = self.path("u.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                           "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n")
        self.assertIn("inside out", self.fails(1, "mesh", turned))
        self.ok("mesh", turned, "--repair", "flip")
        self.assertIn("t.obj', line 1", self.fails(1, "mesh", self.path("t.obj", "v 1 2 x\n")))
        self.assertIn("No such file", self.fails(1, "mesh", self.path("none.obj")))
        self.assertIn("m, cm, mm, in, ft", self.fails(2, "mesh", turned, "--units", "ell"))

    def test_polygons_that_cannot_be_cut_and_unlike_orientations_are_told(self):
        crossed = self.path("c.obj", TETRAHEDRON + "v 1 1 0\nf 1 5 2 3\n")
        self.assertIn("remark             a polygon passes through itself and cannot be cut into "
                      "triangles that fill it: line 10", self.fails(1, "mesh", crossed))
        unlike = self.path("u.obj", TETRAHEDRON.replace("f 2 3 4", "f 2 4 3"))
        self.assertIn("static only: neighbours do not agree which side is outside",
                      self.fails(1, "mesh", unlike))

    def test_a_recording_needs_no_mesh_files(self):
        run = self.path("run.tenon")
        self.ok("run", self.scene(), "-o", run)
        os.remove(self.path("parts/t.obj"))
        self.assertIn("175 ", self.ok("info", run, "--bodies"))
        self.ok("export", run, "--svg", self.path("run.svg"), "--gltf", self.path("run.glb"))
        self.ok("resume", run, "-o", self.path("more.tenon"), "--seconds", "0.1")
        self.ok("info", self.path("more.tenon"), "--bodies")

    def test_a_missing_file_is_an_error_of_its_body(self):
        scene = self.scene()
        os.remove(self.path("parts/t.obj"))
        text = self.fails(1, "check", scene)
        self.assertIn("scene.json:2:", text)
        self.assertIn("mesh file 'parts/t.obj': cannot open", text)

    def test_meshes_are_cached_and_damage_is_mended(self):
        cache = self.path("cache")
        environment = dict(os.environ, TENON_CACHE=cache)
        scene = self.scene()
        self.ok("run", scene, env=environment)
        files = os.listdir(os.path.join(cache, "meshes"))
        self.assertEqual(len(files), 1)  # both bodies have the same mesh
        kept = os.path.join(cache, "meshes", files[0])
        with open(kept, "rb") as file:
            before = file.read()
        for damaged in (b"", before[:1000], before[:-1] + b"x"):
            with open(kept, "wb") as file:
                file.write(damaged)
            self.ok("run", scene, env=environment)
            with open(kept, "rb") as file:
                self.assertEqual(file.read(), before)
        # a folder that cannot be made is no reason not to run
        self.ok("run", scene, env=dict(os.environ, TENON_CACHE=self.path("file", "x") + "/under"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
