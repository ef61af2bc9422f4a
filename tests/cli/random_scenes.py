"""Scenes by chance: chains, trees, loops and loose bodies of all shapes, sizes, masses and materials, with joints of
several kinds, limits, motors and springs, thrown onto a floor or into nothing, some hit by a moved body."""
import math
import random


def make_shape(r, size):
    kind = r.choice(["box", "sphere", "capsule", "cylinder", "compound", "hull"])
    if kind == "box":
        return {"type": "box", "size": [size * r.uniform(0.3, 1.5) for _ in range(3)]}
    if kind == "sphere":
        return {"type": "sphere", "radius": size * r.uniform(0.3, 0.7)}
    if kind == "capsule":
        return {"type": "capsule", "radius": size * r.uniform(0.15, 0.4), "length": size * r.uniform(0.3, 1.5)}
    if kind == "cylinder":
        return {"type": "cylinder", "radius": size * r.uniform(0.2, 0.6), "height": size * r.uniform(0.2, 1.5)}
    if kind == "hull":
        return {"type": "hull", "points": [[size * r.uniform(-0.6, 0.6) for _ in range(3)]
                                           for _ in range(r.randint(6, 14))]}
    return {"type": "compound", "parts": [{"shape": {"type": "box", "size": [size, 0.3 * size, 0.3 * size]}},
                                          {"shape": {"type": "sphere", "radius": 0.3 * size},
                                           "position": [0.5 * size, 0, 0]}]}


def make_turn(r):
    q = [r.gauss(0, 1) for _ in range(4)]
    n = math.sqrt(sum(x * x for x in q))
    return [x / n for x in q]


def make_places(r, kind, count, size, first):
    """Where the bodies of a group are, and which of them are joined."""
    if kind == "loop":
        radius = size * max(count, 3) / 5
        places = [[first[0] + radius * math.cos(2 * math.pi * i / max(count, 3)),
                   first[1] + radius * (1 + math.sin(2 * math.pi * i / max(count, 3))), first[2]]
                  for i in range(count)]
        return places, [(i, (i + 1) % count) for i in range(count)] if count >= 3 else []
    if kind == "tree":
        places, pairs = [first], []
        for i in range(1, count):
            d = [r.gauss(0, 1) for _ in range(3)]
            length = math.sqrt(sum(x * x for x in d))
            q = places[r.randrange(i)]
            places.append([q[k] + 1.3 * size * d[k] / length for k in range(3)])
            nearest = min(range(i), key=lambda j: sum((places[i][k] - places[j][k]) ** 2 for k in range(3)))
            pairs.append((nearest, i))
        return places, pairs
    places = [[first[0] + 1.3 * size * i, first[1], first[2]] for i in range(count)]
    return places, [(i, i + 1) for i in range(count - 1)] if kind == "chain" else []


def make_joint(r, name, kind, size, ends, at):
    types = ["point", "point", "hinge", "slider", "universal", "rigid", "cylindrical"]
    joint = {"name": name, "type": "point" if kind == "loop" else r.choice(types),
             "parent": ends[0], "child": ends[1], "at": at}
    limited = kind == "tree" and r.random() < 0.5
    if joint["type"] not in ("point", "rigid") or limited:
        joint["axis"] = [r.gauss(0, 1) for _ in range(3)]
    if joint["type"] == "point" and limited:
        joint["swing"] = r.uniform(0.3, 1.2)
        joint["limits"] = {"rx": [-r.uniform(0.1, 1), r.uniform(0.1, 1)]}
    if joint["type"] in ("slider", "cylindrical"):
        joint["limits"] = {"x": [-0.5 * size, 0.5 * size]}
    if joint["type"] == "hinge" and r.random() < 0.4:
        joint["limits"] = {"rx": [-r.uniform(0.1, 1.5), r.uniform(0.1, 1.5)]}
    if joint["type"] == "hinge" and r.random() < 0.25:
        joint["motor"] = {"rx": {"velocity": r.gauss(0, 10), "max": r.choice([1, 10, 100]) * 1000 * size ** 4}}
    return joint


def make_group(r, number, height, materials, scene, floor):
    kind, size, count = r.choice(["chain", "tree", "loop", "loose"]), r.choice([0.05, 0.2, 0.5, 1]), r.randint(2, 8)
    first = [r.uniform(-1, 1), height + 1.5 * size, r.uniform(-1, 1)]
    places, pairs = make_places(r, kind, count, size, first)
    lowest = min(p[1] for p in places)
    if floor and lowest < size:
        places = [[p[0], p[1] + size - lowest, p[2]] for p in places]
    velocity = [r.gauss(0, r.choice([0, 1, 5, 30])) for _ in range(3)] if r.random() < 0.5 else None
    names = [f"g{number}b{i}" for i in range(count)]
    for i, name in enumerate(names):
        body = {"name": name, "shape": make_shape(r, size), "material": r.choice(materials), "position": places[i],
                "orientation": make_turn(r)}
        if velocity:
            body["velocity"] = velocity
        if r.random() < 0.1:
            body["angular_velocity"] = [r.gauss(0, 20) for _ in range(3)]
        if kind == "chain" and i == count - 1:
            body["mass"] = r.choice([1, 10, 1000]) * 500 * size ** 3
        scene["bodies"].append(body)
    for k, (i, j) in enumerate(pairs):
        at = [(places[i][n] + places[j][n]) / 2 for n in range(3)]
        scene["joints"].append(make_joint(r, f"g{number}j{k}", kind, size, (names[i], names[j]), at))
    if r.random() < 0.3:
        scene["joints"].append({"name": f"g{number}w", "type": "point", "child": names[0], "at": places[0]})
    if r.random() < 0.2 and count > 2:
        scene["connections"].append({"name": f"g{number}s", "type": "spring", "a": names[0], "b": names[-1],
                                     "stiffness": r.choice([10, 1000, 1e5]), "damping": r.choice([0, 1, 10])})
    return max(p[1] for p in places) + size


def make_scene(seed):
    r = random.Random(seed)
    scene = {"tenon": 1, "title": f"scene {seed}", "materials": {}, "bodies": [], "joints": [], "connections": [],
             "world": {"step": r.choice(["1/60", "1/60", "1/24", "1/30", "1/120", "1/240"]), "duration": "2 s"}}
    falls = r.random() < 0.9
    if not falls:
        scene["world"]["gravity"] = [0, 0, 0]
    materials = ["a", "b", "c"]
    for name in materials:
        mu = r.choice([0, 0.2, 0.5, 1, 5])
        scene["materials"][name] = {"restitution": r.choice([0, 0, 0.2, 0.5, 0.8, 1]),
                                    "static_friction": mu * r.uniform(1, 1.3), "sliding_friction": mu}
    floor = falls and r.random() < 0.9
    if floor:
        scene["bodies"].append({"name": "floor", "shape": {"type": "plane"}, "material": "a"})
    height = 1
    for number in range(r.randint(1, 5)):
        height = make_group(r, number, height, materials, scene, floor)
    if floor and r.random() < 0.2:
        scene["bodies"].append({"name": "bat", "shape": {"type": "box", "size": [0.2, 1, 2]}, "motion": "kinematic",
                                "position": [-3, 0.6, 0], "velocity": [r.choice([1, 5, 20]), 0, 0], "material": "b"})
    return scene
