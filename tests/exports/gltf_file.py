"""Reads .glb files by the letter of the specification, for tests: accessors, nodes, animation."""
import json
import math
import struct

COMPONENTS = {5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class GltfFile:
    def __init__(self, path):
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<III", data)
        assert magic == 0x46546C67 and version == 2 and length == len(data), "no glTF 2 file"
        size, kind = struct.unpack_from("<II", data, 12)
        assert kind == 0x4E4F534A
        self.json = json.loads(data[20:20 + size])
        self.bytes = data[28 + size:]
        self.sampled = {}

    def accessor(self, place):
        if place not in self.sampled:
            a = self.json["accessors"][place]
            view = self.json["bufferViews"][a["bufferView"]]
            letter, _ = COMPONENTS[a["componentType"]]
            width = WIDTHS[a["type"]]
            flat = struct.unpack_from(f"<{a['count'] * width}{letter}", self.bytes, view["byteOffset"])
            self.sampled[place] = [flat[i:i + width] for i in range(0, len(flat), width)]
        return self.sampled[place]

    def node(self, name):
        found = [i for i, n in enumerate(self.json["nodes"]) if n.get("name") == name]
        assert len(found) == 1, f"{len(found)} nodes called {name}"
        return found[0]

    def value(self, node, path, time):
        """A property of a node at a time: its channel, or the node's own value."""
        standard = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}[path]
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                if channel["target"] == {"node": node, "path": path}:
                    sampler = animation["samplers"][channel["sampler"]]
                    assert sampler["interpolation"] == "LINEAR"
                    return self.interpolate(sampler, path, time)
        return self.json["nodes"][node].get(path, standard)

    def interpolate(self, sampler, path, time):
        times = [t for (t,) in self.accessor(sampler["input"])]
        values = self.accessor(sampler["output"])
        if time <= times[0]:
            return values[0]
        if time >= times[-1]:
            return values[-1]
        k = max(i for i, t in enumerate(times) if t <= time)
        s = (time - times[k]) / (times[k + 1] - times[k])
        return (slerp if path == "rotation" else mix)(values[k], values[k + 1], s)


def mix(a, b, s):
    return [x + s * (y - x) for x, y in zip(a, b)]


def slerp(a, b, s):
    c = sum(x * y for x, y in zip(a, b))
    if c < 0:
        b, c = [-y for y in b], -c
    if c > 0.9999:
        q = mix(a, b, s)
    else:
        angle = math.acos(c)
        q = [(math.sin((1 - s) * angle) * x + math.sin(s * angle) * y) / math.sin(angle)
             for x, y in zip(a, b)]
    size = math.sqrt(sum(x * x for x in q))
    return [x / size for x in q]


def relative(a, b):
    """The quaternion (xyzw) that leads from a to b, b conj(a), of which w is not negative."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    q = [aw * bx - bw * ax - (by * az - bz * ay), aw * by - bw * ay - (bz * ax - bx * az),
         aw * bz - bw * az - (bx * ay - by * ax), aw * bw + ax * bx + ay * by + az * bz]
    return q if q[3] >= 0 else [-x for x in q]


def angle_between(a, b):
    x, y, z, w = relative(a, b)
    return 2 * math.atan2(math.hypot(x, y, z), w)


def mean_spin(a, b, seconds):
    """rad/s: the constant angular velocity that leads from a to b."""
    *axis, w = relative(a, b)
    size = math.hypot(*axis)
    return [(2 * math.atan2(size, w) / size if size > 0 else 2) / seconds * x for x in axis]


def leaves_chord(seconds, begin, end, mean):
    """How far a cubic with these rates at its ends is from the straight way at most: its parts
    s (1 - s)^2 and s^2 (1 - s) are 4/27 at most."""
    return 4 / 27 * seconds * (math.dist(begin, mean) + math.dist(end, mean))
