#include "tenon/scene/gltf/bodies.h"

#include <algorithm>
#include <cmath>

#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/gltf/import_gltf.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::gltf {
namespace {

// Rounded to 40 bits below the largest: what was turned and turned back comes out the same.
double settle(double x, double largest) {
  if (!(largest > 0)) return x;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(std::round(std::ldexp(x, 40 - exponent)), exponent - 40) + 0.0;  // never -0
}
Vec3 settle(const Vec3& v, double largest) {
  return {settle(v.x, largest), settle(v.y, largest), settle(v.z, largest)};
}
Vec3 turn(const Quat& q, const Vec3& v) {
  return q == Quat{} ? v : settle(rotate(q, v), max_component(cwise_abs(v)));
}

}  // namespace

void BodyReader::read_inertia(const Json& motion, Body& body) {
  const Vec3 moments = read_vec3(motion, "inertiaDiagonal", {-1, -1, -1});
  if (moments.x > 0 && moments.y > 0 && moments.z > 0 && body.mass) {
    double q[4] = {0, 0, 0, 1};
    read_numbers(motion.find("inertiaOrientation"), q, 4);
    const Quat axes{q[3], q[0], q[1], q[2]};
    body.inertia = Mat3::diagonal(moments);
    if (!(axes == Quat{})) {
      const Mat3 R = to_matrix(normalized(axes));
      const Mat3 I = R * Mat3::diagonal(moments) * transpose(R);
      const double most = max_component(moments);
      const Vec3 a = settle(I.r0, most), b = settle(I.r1, most), c = settle(I.r2, most);
      body.inertia = Mat3{a, {a.y, b.y, b.z}, {a.z, b.z, c.z}};
    }
  } else if (motion.find("inertiaDiagonal")) {
    source_.unused.add("motion inertiaDiagonal without a mass, or infinite", motion, kNotHonoured);
  }
}

// Zero stands for infinity, which JSON does not have.
void BodyReader::read_motion(size_t i) {
  const Node& node = source_.nodes[i];
  const Json& motion = *node.physics->find("motion");
  source_.unused.others("motion", motion,
                        {"isKinematic", "mass", "inertiaOrientation", "inertiaDiagonal",
                         "centerOfMass", "linearVelocity", "angularVelocity", "gravityFactor"});
  Body body;
  body.name = model::make_name(node.name, bodies_);
  body.place = motion.place;
  body.position = node.X_WN.p;
  body.orientation = node.X_WN.q;
  const double mass = read_number(motion, "mass", -1);
  if (read_flag(motion, "isKinematic") || mass == 0) body.motion = Motion::kKinematic;
  if (mass > 0 && body.motion == Motion::kDynamic) body.mass = mass;
  if (mass < 0 && motion.find("mass")) {
    source_.warn(*motion.find("mass"), "a mass is not used; that of the colliders takes its place",
                 format_number(mass), "a number above 0, or 0 for infinite");
  }
  read_inertia(motion, body);
  if (motion.find("centerOfMass") && body.motion == Motion::kDynamic)
    body.center_of_mass = read_vec3(motion, "centerOfMass", {});
  body.velocity = turn(node.X_WN.q, read_vec3(motion, "linearVelocity", {}));
  body.angular_velocity = turn(node.X_WN.q, read_vec3(motion, "angularVelocity", {}));
  const double gravity = read_number(motion, "gravityFactor", 1);
  if (gravity == 0) body.gravity = false;
  if (gravity != 0 && gravity != 1)
    source_.unused.add("motion gravityFactor other than 0 and 1", motion, kNotHonoured);
  movers_[static_cast<int>(i)].body = std::move(body);
}

void BodyReader::add_collider(const Node& node, const Json& collider, Made& made, bool sensor) {
  source_.unused.others(
      sensor ? "trigger" : "collider", collider,
      {"geometry", "physicsMaterial", "collisionFilter", "shape", "node", "convexHull", "nodes"});
  if (sensor && !collider.find("geometry")) return;  // made of others, which stand for themselves
  std::optional<Shape> shape = read_shape(source_, node, collider);
  if (!shape) return;
  if (made.filtered && collider.find("collisionFilter"))
    source_.report.notes.push_back(made.body.name + ": filters of all its colliders together");
  made.filtered = made.filtered || collider.find("collisionFilter") != nullptr;
  read_filter(source_, collider, document_, made.body);
  const int surface = read_index(collider, "physicsMaterial", materials_.size());
  Part part;
  part.place = collider.place;
  if (node.mover >= 0) {
    part.position = node.X_MN.p;
    part.orientation = node.X_MN.q;
  }
  if (surface >= 0) part.material = materials_[static_cast<size_t>(surface)];
  if (sensor) part.sensor = true;
  if (std::holds_alternative<PlaneShape>(*shape)) {
    if (node.mover >= 0)
      return source_.warn(collider, "a plane cannot move; it is left out", node.name);
    made.plane = shape;
    made.body.material = part.material.empty() ? model::kLinkMaterial : part.material;
    return;
  }
  std::visit(
      [&](auto& s) {
        if constexpr (std::is_constructible_v<PartShape, decltype(s)>) part.shape = s;
      },
      *shape);
  made.parts.push_back(std::move(part));
}

void BodyReader::read_colliders() {
  for (const Node& node : source_.nodes) {
    if (!node.seen || !node.physics) continue;
    source_.unused.others("node", *node.physics, {"motion", "collider", "trigger", "joint"});
    for (const char* key : {"collider", "trigger"}) {
      const Json* collider = node.physics->find(key);
      if (!collider || node.scale == Vec3{}) continue;
      const bool sensor = key[0] == 't';
      if (node.mover >= 0) {
        add_collider(node, *collider, made_of(node.mover), sensor);
        continue;
      }
      Made made;
      made.body.name = model::make_name(node.name, bodies_);
      made.body.place = collider->place;
      made.body.motion = Motion::kStatic;
      made.body.position = node.X_WN.p;
      made.body.orientation = node.X_WN.q;
      add_collider(node, *collider, made, sensor);
      if (!made.parts.empty() || made.plane) still_.push_back(std::move(made));
    }
  }
}

// What is seen and does not touch. Where something is seen, colliders are not.
void BodyReader::add_pictures() {
  std::map<int, size_t> colliders;
  for (auto& [mover, made] : movers_) colliders[mover] = made.parts.size();
  for (const Node& node : source_.nodes) {
    if (!node.seen) continue;
    std::optional<Part> part = read_picture(source_, node);
    if (!part) continue;
    if (node.mover >= 0) {
      made_of(node.mover).parts.push_back(std::move(*part));
      continue;
    }
    Made made;
    made.body.name = model::make_name(node.name + " mesh", bodies_);
    made.body.motion = Motion::kStatic;
    made.body.position = node.X_WN.p;
    made.body.orientation = node.X_WN.q;
    part->position = {};
    part->orientation = {};
    made.parts.push_back(std::move(*part));
    still_.push_back(std::move(made));
  }
  for (const auto& [mover, count] : colliders) {
    Made& made = made_of(mover);
    for (size_t i = 0; i < count && made.parts.size() > count; ++i)
      made.parts[i].role = PartRole::kContact;
  }
}

void BodyReader::put_body(Made&& made) {
  Body& body = made.body;
  if (!made.plane) {
    // the material of most of it
    for (const Part& part : made.parts)
      if (!part.material.empty()) body.material = part.material;
    if (made.parts.empty() || body.material == kDefaultMaterial)
      body.material = model::kLinkMaterial;
    for (Part& part : made.parts)
      if (part.material == body.material) part.material.clear();
  }
  if (made.plane) {
    body.shape = *made.plane;
  } else if (made.parts.empty()) {
    if (body.motion == Motion::kDynamic) {
      if (!body.mass) body.mass = 1;
      body.shape = PointMassShape{};
      source_.report.notes.push_back(body.name + ": no collider, a mass that touches nothing");
    } else {
      body.shape = FixedPointShape{};
    }
  } else if (Part& part = made.parts.front();
             made.parts.size() == 1 && part.position == Vec3{} && part.orientation == Quat{} &&
             part.role == PartRole::kAll && part.material.empty()) {
    std::visit([&](const auto& shape) { body.shape = shape; }, part.shape);
    body.sensor = part.sensor.value_or(false);
  } else {
    body.shape = CompoundShape{std::move(made.parts)};
  }
  source_.report.mass_kg += body.mass.value_or(0);
  document_.bodies.push_back(std::move(body));
}

Status BodyReader::read() {
  materials_ = read_materials(source_, document_);
  if (std::find(materials_.begin(), materials_.end(), model::kLinkMaterial) == materials_.end())
    document_.materials.push_back(model::make_link_material());
  for (size_t i = 0; i < source_.nodes.size(); ++i)
    if (source_.nodes[i].mover == static_cast<int>(i)) read_motion(i);
  read_colliders();
  if (movers_.empty() && still_.empty())
    return Error{.message = "the file has no rigid bodies",
                 .file = source_.file.name,
                 .accepted = std::string("nodes with ") + kPhysics +
                             "; its triangles alone: \"type\": \"mesh\", \"file\": ..."};
  add_pictures();
  return Ok{};
}

void BodyReader::put_all() {
  for (Made& made : still_) put_body(std::move(made));
  for (auto& [node, made] : movers_) put_body(std::move(made));
  still_.clear();
  movers_.clear();
}

}  // namespace tenon::scene::gltf
