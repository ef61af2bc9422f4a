#include "tenon/scene/aero/to_document.h"

#include <algorithm>
#include <cmath>

#include "tenon/scene/aero/volume.h"
#include "tenon/scene/aero/world_words.h"

namespace tenon::scene::aero {
namespace {

// A centre of gravity this close to the origin, relative to the body, is at it: parts are then
// where the file says, to the last bit.
constexpr double kCentred = 1e-12;
constexpr int kRounds = 5;

std::string known_materials() {
  std::string all;
  for (const Material& m : builtin_materials()) all += (all.empty() ? "" : ", ") + m.name;
  return all;
}

std::string find_material_name(const BodyRecord& r, Notes& notes, std::string otherwise) {
  if (r.material.empty()) return otherwise;
  const std::string name = lower(r.material);
  if (find_builtin_material(name) != nullptr) return name;
  notes.warn(r.place, "unknown material; taken as " + std::string(kDefaultMaterial),
             show(r.material), known_materials());
  return kDefaultMaterial;
}

bool has_numbers(const BodyRecord& r, size_t count, const char* meaning, Notes& notes) {
  if (r.geometry.size() < count) {
    notes.error(r.place, "a " + r.type + " needs " + meaning, std::to_string(r.geometry.size()),
                std::to_string(count) + (count == 1 ? " number" : " numbers"));
    return false;
  }
  if (r.geometry.size() > count) {
    notes.warn(r.place, "more numbers than a " + r.type + " has; left out",
               std::to_string(r.geometry.size()), std::to_string(count));
  }
  return true;
}

// Sphere, box and cylinder; false after an error or for other types.
bool make_part_shape(const BodyRecord& r, PartShape& shape, Notes& notes) {
  if (r.type == "sphere") {
    if (!has_numbers(r, 1, "a radius", notes)) return false;
    shape = SphereShape{r.geometry[0]};
  } else if (r.type == "box") {
    if (!has_numbers(r, 3, "three edges", notes)) return false;
    shape = BoxShape{{r.geometry[0], r.geometry[1], r.geometry[2]}};
  } else if (r.type == "cylinder") {
    if (!has_numbers(r, 2, "a radius and a height", notes)) return false;
    shape = CylinderShape{r.geometry[0], r.geometry[1]};
  } else {
    return false;
  }
  return true;
}

Quat unit_or_none(const BodyRecord& r, Notes& notes) {
  if (!r.q) return {};
  if (!(norm(*r.q) > 1e-6)) {
    notes.warn(r.place, "an orientation of zeros; taken as none");
    return {};
  }
  // what is unit to round-off stays as it is
  return std::fabs(norm(*r.q) - 1) < 1e-15 ? *r.q : normalized(*r.q);
}

// Parts stand in a frame of their own; the body's is at their joint centre of gravity.
void make_compound(const Document& document, const BodyRecord& r, Body& body, Notes& notes) {
  CompoundShape compound;
  for (const BodyRecord& piece : r.parts) {
    Part part;
    if (!make_part_shape(piece, part.shape, notes)) continue;
    part.material = find_material_name(piece, notes, "");
    part.position = piece.p.value_or(Vec3{});
    part.orientation = unit_or_none(piece, notes);
    if (piece.m && *piece.m > 0) part.mass = piece.m;
    part.color = piece.c;
    part.place = piece.place;
    compound.parts.push_back(std::move(part));
  }
  if (compound.parts.empty()) {
    notes.error(r.place, "a composed body has no parts", "", "E sphere ..., X");
    return;
  }
  // again where the first time leaves round-off: parts far from their origin
  for (int round = 0; round < kRounds; ++round) {
    const Vec3 center = calc_center(document, body, compound);
    double size = 0;
    for (const Part& part : compound.parts) size = std::max(size, norm(part.position));
    if (!(norm(center) > kCentred * size)) break;
    for (Part& part : compound.parts) part.position -= center;
    body.position += center;
  }
  body.shape = std::move(compound);
}

// A point without extent: immovable, or a mass.
void make_point(const BodyRecord& r, Body& body, Notes& notes) {
  const bool weighs = r.m && *r.m > 0 && !r.no_mass;
  if (r.type == "point") {
    notes.warn(r.place,
               std::string("the meaning of 'point' is not known; taken as ") +
                   (weighs ? "a point mass" : "an immovable point"),
               "K" + std::to_string(r.number), "mpoint or nail");
  }
  if (r.type == "nail" || !weighs) {
    if (r.type == "mpoint" && !r.no_mass) {
      notes.error(r.place, "a point mass needs a mass", "", "m and a number above 0");
    }
    body.shape = FixedPointShape{};
    body.motion = Motion::kStatic;
    return;
  }
  body.shape = PointMassShape{};
}

void make_shape(const Document& document, const BodyRecord& r, Body& body, Notes& notes) {
  PartShape part;
  if (r.type == "composed") {
    make_compound(document, r, body, notes);
  } else if (r.type == "plane") {
    has_numbers(r, 0, "nothing", notes);
    body.shape = PlaneShape{};
    body.motion = Motion::kStatic;
  } else if (r.type == "nail" || r.type == "mpoint" || r.type == "point") {
    has_numbers(r, 0, "nothing", notes);
    make_point(r, body, notes);
  } else if (r.type == "sphere" || r.type == "box" || r.type == "cylinder") {
    if (!make_part_shape(r, part, notes)) return;
    std::visit(
        [&](const auto& shape) {
          using S = std::decay_t<decltype(shape)>;
          if constexpr (!std::is_same_v<S, HullShape> && !std::is_same_v<S, MeshShape>)
            body.shape = shape;
        },
        part);
  } else if (!r.type.empty()) {
    notes.error(r.place, "unknown type of body", show(r.type),
                "sphere, box, cylinder, plane, nail, mpoint, point, composed");
  }
}

Body make_body(const Document& document, const BodyRecord& r, Notes& notes) {
  Body body;
  body.name = r.name.empty() ? body_name(r.number) : r.name;
  body.place = r.place;
  body.material = find_material_name(r, notes, kDefaultMaterial);
  if (r.no_mass) body.motion = Motion::kStatic;
  make_shape(document, r, body, notes);
  if (r.p) body.position = *r.p;
  body.orientation = unit_or_none(r, notes);
  const bool moves = body.motion == Motion::kDynamic;
  const Vec3 v = r.v.value_or(Vec3{}), w = r.w.value_or(Vec3{});
  if (moves) {
    body.velocity = v;
    body.angular_velocity = w;
    if (r.m && *r.m > 0) body.mass = r.m;
  } else if (!(v == Vec3{} && w == Vec3{})) {
    notes.warn(r.place, "an immovable body has no velocity; left out", body.name);
  }
  if (r.m && *r.m < 0) notes.error(r.place, "a mass must not be negative", std::to_string(*r.m));
  body.gravity = !r.no_gravity;
  body.collision = !r.no_collision;
  body.color = r.c;
  if (r.n) {
    body.transparency = r.n->x;
    body.reflection = r.n->y;
    body.roughness = r.n->z;
  }
  return body;
}

}  // namespace

std::string body_name(int number) { return "K" + std::to_string(number); }

Numbers::Numbers(const WorldState& state, const Document& document) : document_(document) {
  for (size_t i = 0; i < state.bodies.size(); ++i) index_.try_emplace(state.bodies[i].number, i);
}

const Body* Numbers::find(int number, Place place, Notes& notes) const {
  const auto found = index_.find(number);
  if (found != index_.end()) return &document_.bodies[found->second];
  std::string known;
  for (size_t i = 0; i < document_.bodies.size() && known.size() < 60; ++i) {
    known += (known.empty() ? "" : ", ") + document_.bodies[i].name;
  }
  notes.error(place, "there is no body of this number", body_name(number), known);
  return nullptr;
}

void add_forces(const WorldState& state, const Numbers& numbers, Document& document, Notes& notes) {
  int number = 0;
  for (const ForceRecord& r : state.forces) {
    if (notes.full()) return;
    Force force;
    force.name = r.name.empty() ? "F" + std::to_string(number + 1) : r.name;
    force.place = force.body.place = r.place;
    const Body* body = numbers.find(r.body, r.place, notes);
    if (body == nullptr) continue;
    if (!(r.t1 > r.t0)) {
      notes.error(r.place, "the force ends before it begins",
                  std::to_string(r.t0) + " to " + std::to_string(r.t1), "an end after the begin");
      continue;
    }
    if (r.t1 <= state.t) {
      notes.warn(r.place, "the force is over before the scene starts; left out", force.name);
      continue;
    }
    if (body->motion != Motion::kDynamic) {
      notes.warn(r.place, "a force on an immovable body; left out", body->name);
      continue;
    }
    force.body.name = body->name;
    force.point = r.point;
    force.from = r.t0 - state.t;
    force.until = r.t1 - state.t;
    if (r.kind == ForceKind::kGuided) {
      const Body* target = numbers.find(r.target, r.place, notes);
      if (target == nullptr) continue;
      force.toward = ForceTarget{{target->name, r.place}, r.target_point};
      force.magnitude = r.magnitude;
    } else {
      force.frame = r.kind == ForceKind::kLocal ? ForceFrame::kBody : ForceFrame::kWorld;
      force.force = r.vector;
    }
    if (r.vector == Vec3{} && r.magnitude == 0) {
      notes.warn(r.place, "a force of zero; left out", force.name);
      continue;
    }
    ++number;
    document.forces.push_back(std::move(force));
  }
}

Document make_document(const WorldState& state, Notes& notes) {
  Document document;
  document.title = state.title;
  document.description = state.description;
  if (state.step) document.world.step = *state.step;
  if (state.duration) document.world.duration = *state.duration;
  if (state.g) {
    document.world.gravity = *state.g;
  } else {
    notes.warn({}, "the file gives no gravity; taken as 9.81 m/s^2 along -y", "", "g 0 -9.81 0");
  }
  if (state.t != 0) {
    notes.warn({}, "scenes start at 0; the times of forces are moved along",
               "t " + std::to_string(state.t));
  }
  if (state.s >= 0 && state.s <= 9007199254740991.0 && state.s == std::floor(state.s)) {
    document.world.seed = static_cast<uint64_t>(state.s);
  } else {
    notes.warn({}, "a seed is a whole number from 0 on; left out", "s " + std::to_string(state.s));
  }
  for (const BodyRecord& r : state.bodies) {
    if (notes.full()) return document;
    document.bodies.push_back(make_body(document, r, notes));
  }
  const Numbers numbers(state, document);
  add_links(state, numbers, document, notes);
  add_forces(state, numbers, document, notes);
  if (document.bodies.empty()) notes.warn({}, "the file has no bodies");
  return document;
}

}  // namespace tenon::scene::aero
