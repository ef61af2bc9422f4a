// Connections of the scene document: springs, dampers, rods, ropes ... between points of two
// bodies; see engine/joints/connection.h.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/joint.h"
#include "tenon/scene/document/json.h"

namespace tenon::scene {

// The order is that of the engine's ConnectionKind.
enum class ConnectionType { kSpring, kDamper, kRod, kShockAbsorber, kRope, kRigid, kBall };

// For people: "shock absorber".
constexpr const char* name(ConnectionType type) {
  switch (type) {
    case ConnectionType::kSpring:
      return "spring";
    case ConnectionType::kDamper:
      return "damper";
    case ConnectionType::kRod:
      return "rod";
    case ConnectionType::kShockAbsorber:
      return "shock absorber";
    case ConnectionType::kRope:
      return "rope";
    case ConnectionType::kRigid:
      return "rigid";
    case ConnectionType::kBall:
      return "ball";
  }
  return "?";
}

struct Connection {
  std::string name;  // unique among joints and connections, not empty
  ConnectionType type = ConnectionType::kSpring;
  Reference a, b;  // bodies; one of them may be the world

  // Where it holds each of them: in the coordinates of the scene, for the initial poses (`at` of a,
  // `to` of b), or in the frame of the body. Left out: the origin of the body, of a ball or a rigid
  // connection the same place as on the other; the world has no place of its own.
  std::optional<Vec3> at, to;            // m
  std::optional<Vec3> point_a, point_b;  // m

  double stiffness = 0;               // N/m
  double damping = 0;                 // N s/m
  std::optional<double> length;       // m: at rest, or longest; else as it starts
  double min_separation = 0;          // m: spring and damper act from here on
  std::optional<double> break_force;  // N; else it never breaks
  double break_time = 0.02;           // s, over which the load is averaged
  bool enabled = true;
  std::optional<bool> bodies_collide;  // else: yes, unless rigid or ball

  Place place;
  friend bool operator==(const Connection&, const Connection&) = default;
};

// From C++: short words for what a scene file says; see builder.h.
//   scene::ConnectionBuilder("strut", scene::ConnectionType::kShockAbsorber, "car", "wheel")
//       .at({0, 0.6, 0}).to({0, 0.3, 0}).stiff(2e4, 1e3)
class ConnectionBuilder {
 public:
  // Either body may be "world".
  ConnectionBuilder(std::string name, ConnectionType type, std::string a, std::string b) {
    connection_.name = std::move(name);
    connection_.type = type;
    connection_.a.name = std::move(a);
    connection_.b.name = std::move(b);
  }
  ConnectionBuilder&& at(const Vec3& p_W) && { return with(&Connection::at, p_W); }
  ConnectionBuilder&& to(const Vec3& p_W) && { return with(&Connection::to, p_W); }
  ConnectionBuilder&& stiff(double stiffness, double damping = 0) && {
    connection_.damping = damping;
    return with(&Connection::stiffness, stiffness);
  }
  ConnectionBuilder&& damped(double damping) && { return with(&Connection::damping, damping); }
  ConnectionBuilder&& of_length(double length) && { return with(&Connection::length, length); }
  // Any other member.
  template <class M, class T>
  ConnectionBuilder&& with(M Connection::* member, T&& value) {
    connection_.*member = std::forward<T>(value);
    return std::move(*this);
  }
  Connection connection() && { return std::move(connection_); }

 private:
  Connection connection_;
};

}  // namespace tenon::scene
