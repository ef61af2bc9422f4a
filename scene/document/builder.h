// Documents from C++: short words for what a scene file says. Everything here only fills the plain
// structs of document.h; use those directly for what has no word. Nothing is checked before
// scene::check_scene or scene::expand (scene/formats/scene_text.h).
//
//   scene::Document d = scene::SceneBuilder("One ball")
//       .add(scene::plane("floor").of("stone"))
//       .add(scene::sphere("ball", 0.2).at({0, 2, 0}).moving({1, 0, 0}).of("rubber"))
//       .document();
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tenon/scene/document/document.h"
#include "tenon/scene/document/joint_builder.h"

namespace tenon::scene {

class BodyBuilder {
 public:
  BodyBuilder(std::string name, Shape shape) {
    body_.name = std::move(name);
    body_.shape = std::move(shape);
  }
  BodyBuilder&& at(const Vec3& p_WB) && { return with(&Body::position, p_WB); }
  BodyBuilder&& turned(const Quat& q_WB) && { return with(&Body::orientation, q_WB); }
  BodyBuilder&& moving(const Vec3& v_W) && { return with(&Body::velocity, v_W); }
  BodyBuilder&& spinning(const Vec3& w_W) && { return with(&Body::angular_velocity, w_W); }
  BodyBuilder&& of(std::string material) && { return with(&Body::material, std::move(material)); }
  BodyBuilder&& weighing(double mass_kg) && { return with(&Body::mass, mass_kg); }
  BodyBuilder&& colored(const Color& color) && { return with(&Body::color, color); }
  BodyBuilder&& fixed() && { return with(&Body::motion, Motion::kStatic); }
  BodyBuilder&& driven() && { return with(&Body::motion, Motion::kKinematic); }
  BodyBuilder&& turning(const Turn& turn) && {
    return std::move(*this).driven().with(&Body::turn, turn);
  }
  BodyBuilder&& through(std::vector<Keyframe> keyframes, Repeat repeat = Repeat::kHold) && {
    body_.repeat = repeat;
    return std::move(*this).driven().with(&Body::keyframes, std::move(keyframes));
  }
  BodyBuilder&& running(const Vec3& v_B) && { return with(&Body::surface_velocity, v_B); }
  BodyBuilder&& sensing() && { return with(&Body::sensor, true); }
  BodyBuilder&& stopping(const Vec3& front_B) && { return with(&Body::one_way, front_B); }
  BodyBuilder&& in(std::string group) && {
    body_.groups.push_back(std::move(group));
    return std::move(*this);
  }
  // Any other member.
  template <class M, class T>
  BodyBuilder&& with(M Body::* member, T&& value) {
    body_.*member = std::forward<T>(value);
    return std::move(*this);
  }
  Body body() && { return std::move(body_); }

 private:
  Body body_;
};

inline BodyBuilder sphere(std::string name, double radius) {
  return {std::move(name), SphereShape{radius}};
}
inline BodyBuilder box(std::string name, const Vec3& size) {
  return {std::move(name), BoxShape{size}};
}
inline BodyBuilder cylinder(std::string name, double radius, double height) {
  return {std::move(name), CylinderShape{radius, height}};
}
inline BodyBuilder capsule(std::string name, double radius, double length) {
  return {std::move(name), CapsuleShape{radius, length}};
}
inline BodyBuilder hull(std::string name, std::vector<Vec3> points) {
  return {std::move(name), HullShape{std::move(points)}};
}
inline BodyBuilder compound(std::string name, std::vector<Part> parts) {
  return {std::move(name), CompoundShape{std::move(parts)}};
}
inline BodyBuilder point_mass(std::string name, double mass_kg) {
  return BodyBuilder(std::move(name), PointMassShape{}).with(&Body::mass, mass_kg);
}
// Immovable, as these two always are unless driven.
inline BodyBuilder plane(std::string name, const Vec3& normal = {0, 1, 0}, double offset = 0) {
  return BodyBuilder(std::move(name), PlaneShape{normal, offset}).fixed();
}
inline BodyBuilder fixed_point(std::string name) {
  return BodyBuilder(std::move(name), FixedPointShape{}).fixed();
}

class SceneBuilder {
 public:
  explicit SceneBuilder(std::string title = "") { document_.title = std::move(title); }

  SceneBuilder& describe(std::string text) { return set(document_.description, std::move(text)); }
  SceneBuilder& world(const WorldSettings& world) { return set(document_.world, world); }
  SceneBuilder& parameter(std::string name, Json value) {
    document_.parameters.push_back({std::move(name), std::move(value), {}});
    return *this;
  }
  SceneBuilder& add(BodyBuilder&& body) { return add(std::move(body).body()); }
  SceneBuilder& add(Body body) { return append(document_.bodies, std::move(body)); }
  SceneBuilder& add(JointBuilder&& joint) { return add(std::move(joint).joint()); }
  SceneBuilder& add(Joint joint) { return append(document_.joints, std::move(joint)); }
  SceneBuilder& add(ConnectionBuilder&& c) { return add(std::move(c).connection()); }
  SceneBuilder& add(Connection c) { return append(document_.connections, std::move(c)); }
  SceneBuilder& add(Material material) { return append(document_.materials, std::move(material)); }
  SceneBuilder& add(MaterialPair pair) { return append(document_.pairs, std::move(pair)); }
  SceneBuilder& add(Group group) { return append(document_.groups, std::move(group)); }
  SceneBuilder& add(Camera camera) { return append(document_.cameras, std::move(camera)); }
  SceneBuilder& add(Light light) { return append(document_.lights, std::move(light)); }
  // Unexpanded entries, in the words of the file format.
  SceneBuilder& prefab(std::string name, Json definition) {
    return append(document_.prefabs, Prefab{std::move(name), std::move(definition), {}});
  }
  SceneBuilder& instance(Json entry) { return append(document_.instances, std::move(entry)); }
  SceneBuilder& array(Json entry) { return append(document_.arrays, std::move(entry)); }

  const Document& document() const { return document_; }

 private:
  Document document_;

  template <class T, class U>
  SceneBuilder& set(T& member, U&& value) {
    member = std::forward<U>(value);
    return *this;
  }
  template <class T>
  SceneBuilder& append(std::vector<T>& list, T value) {
    list.push_back(std::move(value));
    return *this;
  }
};

}  // namespace tenon::scene
