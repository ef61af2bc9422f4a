#include "tenon/scene/gltf/export_bodies.h"

#include <algorithm>

#include "tenon/scene/build/body_parts.h"

namespace tenon::scene::gltf {

int BodyWriter::add_shape(const PartShape& shape) {
  Json p = Json::object(), out = Json::object();
  std::string type;
  if (const auto* s = std::get_if<SphereShape>(&shape)) {
    type = "sphere";
    p.set("radius", s->radius);
  } else if (const auto* b = std::get_if<BoxShape>(&shape)) {
    type = "box";
    p.set("size", list_of(b->size));
  } else if (const auto* c = std::get_if<CylinderShape>(&shape)) {
    type = "cylinder";
    p.set("height", c->height).set("radiusBottom", c->radius).set("radiusTop", c->radius);
  } else if (const auto* k = std::get_if<CapsuleShape>(&shape); k && k->length > 0) {
    type = "capsule";
    p.set("height", k->length).set("radiusBottom", k->radius).set("radiusTop", k->radius);
  } else if (k) {
    type = "sphere";
    p.set("radius", k->radius);
  } else {
    return -1;
  }
  out.set("type", type).set(type, std::move(p));
  return put_once(std::move(out), shapes_);
}

int BodyWriter::add_filter(const Body& body) {
  std::vector<std::string> ignores = body.ignores;
  std::optional<std::vector<std::string>> with = body.collides_with;
  for (const Group& group : e_.flat.groups) {
    if (std::find(body.groups.begin(), body.groups.end(), group.name) == body.groups.end())
      continue;
    for (const std::string& name : group.ignores)
      if (std::find(ignores.begin(), ignores.end(), name) == ignores.end()) ignores.push_back(name);
    if (!group.collides_with) continue;
    if (with)
      e_.warn(body.place, "glTF has one list of what a body collides with; all of both", body.name);
    if (!with) with.emplace();
    with->insert(with->end(), group.collides_with->begin(), group.collides_with->end());
  }
  if (!body.collision) with.emplace();
  if (body.groups.empty() && ignores.empty() && !with) return -1;
  const auto words = [](const std::vector<std::string>& list) {
    Json json = Json::array();
    for (const std::string& word : list) json.push(word);
    return json;
  };
  Json filter = Json::object();
  if (!body.groups.empty()) filter.set("collisionSystems", words(body.groups));
  if (!ignores.empty()) filter.set("notCollideWithSystems", words(ignores));
  if (with) filter.set("collideWithSystems", words(*with));
  return put_once(std::move(filter), filters_);
}

// The collider and its picture; where both are the same, on the node of the body itself.
Status BodyWriter::add_part(const Body& body, const Part& part, int node) {
  const Material* material =
      find_material(e_.flat, part.material.empty() ? body.material : part.material);
  Color color = material ? material->look.color : Color{};
  if (body.color) color = *body.color;
  if (part.color) color = *part.color;
  const bool needs_mesh = std::holds_alternative<MeshShape>(part.shape) ||
                          std::holds_alternative<HullShape>(part.shape);
  int mesh = -1;
  if (part.role != PartRole::kContact || needs_mesh) {
    Result<int> made = glb_.add_mesh(part.shape, color);
    if (!made) return made.error();
    mesh = *made;
  }
  if (mesh >= 0) e_.node(node).set("mesh", mesh);
  if (part.role == PartRole::kVisual || std::holds_alternative<PointMassShape>(part.shape))
    return Ok{};
  if (mesh >= 0) {
    Json extras = Json::object();
    extras.set(kPicture, true);
    e_.node(node).set("extras", std::move(extras));
  }
  add_collider(body, part, node);
  return Ok{};
}

void BodyWriter::add_collider(const Body& body, const Part& part, int node) {
  Json geometry = Json::object(), collider = Json::object();
  const int shape = add_shape(part.shape);
  if (shape >= 0) geometry.set("shape", shape);
  if (shape < 0) geometry.set("node", node);
  if (std::holds_alternative<HullShape>(part.shape)) geometry.set("convexHull", true);
  collider.set("geometry", std::move(geometry));
  const bool sensor = part.sensor.value_or(body.sensor);
  if (!sensor)
    collider.set("physicsMaterial",
                 surfaces_.add(part.material.empty() ? body.material : part.material));
  if (const int filter = add_filter(body); filter >= 0) collider.set("collisionFilter", filter);
  e_.physics_of(node).set(sensor ? "trigger" : "collider", std::move(collider));
}

// Mass, centre and inertia as a run has them.
Status BodyWriter::add_mass(const Body& body, Json& motion) {
  const Result<std::vector<BodyPart>> parts = make_parts(e_.flat, body, meshes_);
  if (!parts) return parts.error();
  const Result<MassProperties> mass = calc_body_mass(body, *parts);
  if (!mass) return mass.error();
  motion.set("mass", mass->mass);
  const Mat3& I = mass->inertia;
  if (I.r0.y == 0 && I.r0.z == 0 && I.r1.z == 0 && I.r0.x > 0) {
    motion.set("inertiaDiagonal", list_of({I.r0.x, I.r1.y, I.r2.z}));
  } else if (I.r0.x > 0) {
    const SymmetricEigen eigen = calc_symmetric_eigen(I);
    const Quat q = to_quat(eigen.vectors);
    motion.set("inertiaDiagonal", list_of(eigen.values));
    motion.set("inertiaOrientation", Json::array({q.x, q.y, q.z, q.w}));
  }
  motion.set("centerOfMass", list_of(mass->com));
  return Ok{};
}

Status BodyWriter::add_motion(const Body& body, int node) {
  Json motion = Json::object();
  if (body.motion == Motion::kKinematic) {
    motion.set("isKinematic", true);
  } else if (Status s = add_mass(body, motion); !s) {
    return s;
  }
  const Quat back = conjugate(body.orientation);
  if (!(body.velocity == Vec3{}))
    motion.set("linearVelocity", list_of(rotate(back, body.velocity)));
  if (!(body.angular_velocity == Vec3{}))
    motion.set("angularVelocity", list_of(rotate(back, body.angular_velocity)));
  if (!body.gravity) motion.set("gravityFactor", 0);
  e_.physics_of(node).set("motion", std::move(motion));
  if (!body.keyframes.empty() || body.turn || body.release)
    e_.warn(body.place, "glTF bodies have no key frames, turns and releases; left out", body.name);
  if (body.one_way || !(body.surface_velocity == Vec3{}) || body.air)
    e_.warn(body.place, "glTF has no running surfaces, one-way bodies and air; left out",
            body.name);
  return Ok{};
}

Status BodyWriter::add_plane(const Body& body, const PlaneShape& plane, int node) {
  const bool plain = plane.offset == 0 && plane.normal == Vec3{0, 1, 0};
  const Result<std::vector<BodyPart>> parts = make_parts(e_.flat, body, meshes_);
  if (!parts) return parts.error();
  const int at = plain ? node : e_.put(make_node(body.name + " plane", parts->front().X_BP));
  if (!plain) e_.add_child(node, at);
  Json shape = Json::object(), geometry = Json::object(), collider = Json::object();
  shape.set("type", "plane").set("plane", Json::object());
  shapes_.push(std::move(shape));
  geometry.set("shape", static_cast<int>(shapes_.items.size()) - 1);
  collider.set("geometry", std::move(geometry))
      .set("physicsMaterial", surfaces_.add(body.material));
  if (const int filter = add_filter(body); filter >= 0) collider.set("collisionFilter", filter);
  e_.physics_of(at).set("collider", std::move(collider));
  return Ok{};
}

Status BodyWriter::add(const Body& body) {
  const int node = e_.put(make_node(body.name, {body.position, body.orientation}));
  e_.bodies[body.name] = node;
  e_.roots.push(node);
  if (body.motion != Motion::kStatic)
    if (Status s = add_motion(body, node); !s) return s;
  if (const auto* plane = std::get_if<PlaneShape>(&body.shape))
    return add_plane(body, *plane, node);
  std::vector<Part> parts;
  if (const auto* compound = std::get_if<CompoundShape>(&body.shape)) parts = compound->parts;
  std::visit(
      [&](const auto& shape) {
        if constexpr (std::is_constructible_v<PartShape, decltype(shape)>) {
          Part part;
          part.shape = shape;
          parts.push_back(std::move(part));
        }
      },
      body.shape);
  const bool alone =
      parts.size() == 1 && parts[0].position == Vec3{} && parts[0].orientation == Quat{};
  for (size_t i = 0; i < parts.size(); ++i) {
    int at = node;
    if (!alone) {
      at = e_.put(make_node(body.name + " part " + std::to_string(i + 1),
                            {parts[i].position, parts[i].orientation}));
      e_.add_child(node, at);
    }
    if (Status s = add_part(body, parts[i], at); !s) return s;
  }
  return Ok{};
}

}  // namespace tenon::scene::gltf
