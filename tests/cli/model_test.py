"""tenon import of models, and commands that take them."""
import os
import sys
import unittest

from cli_case import CliCase, tenon

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "gallery", "models")


class ModelTest(CliCase):
    def test_models_become_scenes_and_robots_again(self):
        arm, scene = os.path.join(MODELS, "arm.urdf"), self.path("arm.json")
        out = self.ok("import", arm, "-o", scene)
        for words in ("URDF 'imported-arm': 8 bodies, 9 joints, 7 freedoms", "tool_tip into hand",
                      "<transmission>, 1 time"):
            self.assertIn(words, out)
        # out again and in again: not a byte differs
        robot, again = self.path("arm2.urdf"), self.path("arm2.json")
        self.ok("convert", scene, "-o", robot)
        self.ok("import", robot, "-o", again)
        with open(scene, encoding="utf-8") as a, open(again, encoding="utf-8") as b:
            self.assertEqual(a.read(), b.read())
        # every command takes the model itself
        self.assertIn("fine, 8 bodies", self.ok("check", arm))
        run = self.path("arm.tenon")
        self.ok("run", arm, "-o", run, "--seconds", "0.2")
        self.assertIn("forearm", self.ok("info", run, "--bodies"))
        gripper = os.path.join(MODELS, "gripper.xml")
        self.assertIn("4 loops", self.ok("import", gripper, "-o", scene, "--keyframe", "grip",
                                         "--overwrite"))
        self.assertIn("fine, ", self.ok("check", gripper))

    def test_models_of_mujoco_go_out_as_they_came_in(self):
        for name in ("gripper", "humanoid"):
            scene, out, again = self.path(name + ".json"), self.path(name + ".xml"), self.path(name + "2.json")
            self.ok("import", os.path.join(MODELS, name + ".xml"), "-o", scene)
            self.ok("convert", scene, "-o", out)
            self.ok("import", out, "-o", again)
            with open(scene, encoding="utf-8") as a, open(again, encoding="utf-8") as b:
                self.assertEqual(a.read(), b.read(), name)
        # forms become files beside the model, in whichever folder that is
        os.makedirs(self.path("sub"), exist_ok=True)
        gears = self.path(os.path.join("sub", "gears.xml"))
        self.assertIn("gears_meshes/mesh.obj", self.ok("convert", "gallery:gear-train", "-o", gears))
        self.assertIn("fine, ", self.ok("check", gears))
        # velocities and targets are in a key frame, and that is said
        self.assertIn("--keyframe start", self.ok("convert", "gallery:imported-arm", "-o", self.path("arm.xml")))
        self.ok("import", self.path("arm.xml"), "-o", self.path("arm3.json"), "--keyframe", "start")
        self.assertIn("exists", self.fails(1, "convert", "gallery:imported-arm", "-o", self.path("arm.xml")))

    def test_files_of_triangles_fall_onto_a_floor(self):
        corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
        good = self.path("tet.obj", corners + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        self.assertIn("2 bodies", self.ok("import", good, "-o", self.path("tet.json")))
        self.assertIn("1 dynamic", self.ok("run", good, "--seconds", "0.2"))
        inside_out = self.path("inverted.obj", corners + "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n")
        self.assertIn("turned to face outwards", self.ok("import", inside_out, "-o", self.path("b.json")))
        surface = self.path("open.obj", corners + "f 1 3 2\nf 1 2 4\nf 2 3 4\n")
        self.assertIn("not closed", self.ok("import", surface, "-o", self.path("c.json")))
        broken = self.path("nan.obj", "v nan 0 0\n")
        self.assertIn("nan.obj', line 1", self.fails(1, "import", broken, "-o", self.path("d.json")))
        # fifty million triangles: refused by its size, before it is read
        large = self.path("large.stl")
        with open(large, "wb") as file:
            file.truncate(84 + 50 * 50_000_000)
        self.assertIn("too large", self.fails(1, "mesh", large))

    def test_what_files_name_and_is_not_there_is_told(self):
        body = "<body name='b'><freejoint/><geom type='mesh' mesh='m'/></body>"
        model = self.path("m.xml", "<mujoco><asset>\n<mesh name='m' file='none.stl'/></asset><worldbody>" +
                          body + "</worldbody></mujoco>")
        # why it has no mass
        self.assertIn("m.xml:2: the mesh file is not there", self.fails(1, "import", model, "-o", self.path("m.json")))
        drawn = self.path("t.xml", "<mujoco><asset>\n<texture name='t' file='none.png' type='2d'/></asset></mujoco>")
        self.assertIn("t.xml:2: the texture file is not there", self.ok("import", drawn, "-o", self.path("t.json")))

    def test_gltf_scenes_with_bodies_come_in_and_go_out(self):
        door, scene = os.path.join(MODELS, "door.gltf"), self.path("door.json")
        out = self.ok("import", door, "-o", scene)
        self.assertIn("glTF 'door.gltf': 4 bodies, 1 joints, 1 freedoms", out)
        self.ok("run", door, "--seconds", "0.2")
        # out, in, out and in again: not a byte differs
        first, again = self.path("first.json"), self.path("again.json")
        self.ok("convert", scene, "-o", self.path("a.glb"))
        self.ok("import", self.path("a.glb"), "-o", first)
        self.ok("convert", first, "-o", self.path("b.glb"))
        self.ok("import", self.path("b.glb"), "-o", again)
        with open(first, encoding="utf-8") as a, open(again, encoding="utf-8") as b:
            self.assertEqual(a.read(), b.read())
        for name in ("gears", "joint-zoo", "showpiece", "imported-humanoid", "figure-from-bvh", "connections"):
            self.ok("convert", "gallery:" + name, "-o", self.path("a.glb"), "--overwrite")
            self.ok("import", self.path("a.glb"), "-o", first, "--overwrite")
            self.ok("convert", first, "-o", self.path("b.glb"), "--overwrite")
            self.ok("import", self.path("b.glb"), "-o", again, "--overwrite")
            with open(first, encoding="utf-8") as a, open(again, encoding="utf-8") as b:
                self.assertEqual(a.read(), b.read(), name)
        plain = self.path("plain.gltf", '{"asset": {"version": "2.0"}}')
        self.assertIn("no rigid bodies", self.fails(1, "run", plain))

    def test_urdf_that_is_written_can_be_read_or_is_refused(self):
        for name in ("dominoes", "pendulum", "tank", "joint-zoo", "net", "slider-crank"):
            robot = self.path(name + ".urdf")
            result = tenon("convert", "gallery:" + name, "-o", robot)
            if result.returncode == 0:
                self.ok("import", robot, "-o", self.path(name + ".json"))
            else:
                self.assertIn("the scene is no robot that URDF can say", result.stderr)
                self.assertFalse(os.path.exists(robot))

    def test_a_start_beyond_limits_is_warned_of(self):
        arm, scene = os.path.join(MODELS, "arm.urdf"), self.path("arm.json")
        self.assertIn("'elbow' is to start beyond its limits",
                      self.ok("import", arm, "-o", scene, "--start", "elbow=99"))

    def test_models_that_are_wrong_are_refused_with_their_place(self):
        out = self.path("out.json")
        bad = self.path("bad.urdf", "<robot name='r'>\n<link name='a'>\n</robot>")
        self.assertIn("bad.urdf:", self.fails(1, "import", bad, "-o", out))
        twice = self.path("twice.urdf", "<robot name='r'>\n<link name='a'/>\n<link name='a'/>\n</robot>")
        self.assertIn("twice.urdf:3: two links", self.fails(1, "run", twice))
        circle = self.path("circle.xml", "<mujoco>\n<include file='circle.xml'/>\n</mujoco>")
        self.assertIn("includes itself", self.fails(1, "check", circle))
        good = os.path.join(MODELS, "arm.urdf")
        self.assertIn("elbow", self.fails(1, "import", good, "-o", out, "--start", "elbo=1"))
        self.assertIn("name=value", self.fails(1, "import", good, "-o", out, "--start", "elbow"))
        self.fails(2, "import", good, "-o", out, "--base", "flying")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
