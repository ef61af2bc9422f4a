// The scene document: everything a scene file says, as plain data in SI units, y up. It knows no
// text (scene/formats) and no engine (scene/build). A default-constructed struct holds the defaults
// of the format; they are written here and nowhere else.
//
// A document as loaded may hold prefabs, instances and arrays unexpanded. A *flat* document is what
// scene::expand makes of it: those three are empty, every body stands in `bodies` in world
// coordinates, `angular_velocity_body` is folded into `angular_velocity`, every keyframe has both
// position and orientation, every joint stands in `joints` in world coordinates, with the whole
// names of its bodies, gears last and with both of their axes, likewise every connection in
// `connections`, every force in `forces`, every rule in `rules` with all of its anchors, and every
// want in `assembly`.
// Builders of worlds take flat documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/math/mat3.h"
#include "tenon/scene/document/assembly.h"
#include "tenon/scene/document/connection.h"
#include "tenon/scene/document/displacement_method.h"
#include "tenon/scene/document/force.h"
#include "tenon/scene/document/force_method.h"
#include "tenon/scene/document/joint.h"
#include "tenon/scene/document/json.h"
#include "tenon/scene/document/material.h"
#include "tenon/scene/document/rule.h"
#include "tenon/scene/document/shape.h"
#include "tenon/scene/document/sweep.h"

namespace tenon::scene {

inline constexpr int kFormatVersion = 1;

enum class Method { kImpulse, kDisplacement, kForce };
enum class JointSolver { kDirect, kSweep };                  // order of the engine's
enum class Integration { kStable, kConservative, kRattle };  // order of the engine's

struct WorldSettings {
  Vec3 gravity{0, -9.81, 0};  // m/s^2
  double gravity_noise = 0;   // 0 to 1: how far gravity strays from that at random
  Vec3 wind;                  // m/s, of the air
  Method method = Method::kImpulse;
  std::optional<ForceMethod> force;  // options of Method::kForce, not read by the others
  std::optional<DisplacementMethod> displacement;  // the same of Method::kDisplacement
  double step = 1.0 / 60;   // s; useful from 1e-5 to 0.1; of Method::kForce: between frames
  double tolerance = 1e-6;  // of body size; 1e-12 ... 0.1
  JointSolver joint_solver = JointSolver::kDirect;
  Integration integration = Integration::kStable;
  int sweeps = 9;                      // of JointSolver::kSweep
  std::optional<SweepSettings> sweep;  // the other options of JointSolver::kSweep, which it needs
  bool sleeping = true;                // what rests costs nothing
  double budget = 0;                   // s per step for improving joints; 0 = as long as it takes
  uint64_t seed = 0;                   // below 2^53, the integers a JSON number holds exactly
  double duration = 10;                // s of simulated time that `run` covers
  int threads = 0;                     // 0 = as many as the machine has
  friend bool operator==(const WorldSettings&, const WorldSettings&) = default;
};

// A named number (or quantity with units) for expressions; the value as written.
struct Parameter {
  std::string name;
  Json value;  // a number or an expression string
  Place place;
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

enum class Motion { kDynamic, kStatic, kKinematic };
enum class Interpolation { kLinear, kSmooth };  // smooth: velocities are continuous
enum class Repeat { kHold, kLoop, kMirror };    // after the last keyframe (and before the first)

// A pose of a kinematic body at a time. A part left out is the body's own position or orientation.
struct Keyframe {
  double t = 0;  // s, strictly increasing
  std::optional<Vec3> position;
  std::optional<Quat> orientation;
  Place place;
  friend bool operator==(const Keyframe&, const Keyframe&) = default;
};

// A kinematic body turning about a fixed axis of the world: a carousel, a mill wheel.
// Its pose at time t is the initial pose turned by rate * t about the line.
struct Turn {
  Vec3 about;          // m, a point of the axis
  Vec3 axis{0, 1, 0};  // any length but zero
  double rate = 0;     // rad/s
  friend bool operator==(const Turn&, const Turn&) = default;
};

// Air resistance F = -c_w A |v| v.
struct Air {
  double c_w = 0;              // kg/m^3, >= 0 (half the air density times the drag coefficient)
  std::optional<double> area;  // m^2; else from the dimensions
  friend bool operator==(const Air&, const Air&) = default;
};

struct Body {
  std::string name;  // unique, not empty
  Shape shape;
  std::string material = kDefaultMaterial;
  Motion motion = Motion::kDynamic;

  // mass: at most one of mass and density; else the materials' densities decide
  std::optional<double> mass;          // kg, > 0
  std::optional<double> density;       // kg/m^3, > 0; of all parts that give none themselves
  std::optional<Mat3> inertia;         // kg m^2, about the mass centre, body axes; needs `mass`
  std::optional<Vec3> center_of_mass;  // m, in the body frame; else from the shape

  // initial state; the body frame is the frame of the shape, its origin need not be the mass centre
  Vec3 position;          // m, p_WB
  Quat orientation;       // R_WB, unit
  Vec3 velocity;          // m/s, of the mass centre (dynamic) or of the frame origin (kinematic)
  Vec3 angular_velocity;  // rad/s, in world axes
  std::optional<Vec3> angular_velocity_body;  // rad/s, in body axes; instead of the one above

  // kinematic motion: at most one of keyframes, turn, and the constant velocities above
  std::vector<Keyframe> keyframes;
  Interpolation interpolation = Interpolation::kSmooth;
  Repeat repeat = Repeat::kHold;
  std::optional<Turn> turn;
  std::optional<double> release;  // s: kinematic until then, dynamic from then on

  bool gravity = true;
  bool collision = true;
  std::optional<Air> air;

  // contact: what runs over the surface, what only feels, what lets through
  Vec3 surface_velocity;        // m/s, body axes; of all parts that give none themselves
  bool sensor = false;          // touches are reported, nothing is pushed; likewise of parts
  std::optional<Vec3> one_way;  // body axes, any length but zero: the side that stops others

  // collision filter, see Group
  std::vector<std::string> groups;
  std::optional<std::vector<std::string>> collides_with;
  std::vector<std::string> ignores;

  // look: what is left out comes from the material
  std::optional<Color> color;
  std::optional<double> transparency, reflection, roughness, metallic;

  Place place;
  friend bool operator==(const Body&, const Body&) = default;
};

// Rules of the collision filter for all bodies of a named group; a body adds its own. Two bodies
// may touch unless one of them ignores a group of the other, or has a collides_with list (its own
// or a group's) that names no group of the other. Every listed name is a group's.
struct Group {
  std::string name;
  std::optional<std::vector<std::string>> collides_with;  // empty list: nothing
  std::vector<std::string> ignores;
  Place place;
  friend bool operator==(const Group&, const Group&) = default;
};

enum class CameraType {
  kFixed,    // stands; looks at a point or, with a body, always at it
  kOrbit,    // goes around what it looks at
  kFollow,   // goes along with a body and looks at it
  kMounted,  // sits on a body
  kPath,     // key frames
};

// Where a camera on a path is at a time. What is left out is the camera's own.
struct CameraKey {
  double t = 0;                           // s, strictly increasing
  std::optional<Vec3> position, look_at;  // m
  std::optional<double> fov;              // rad
  Place place;
  friend bool operator==(const CameraKey&, const CameraKey&) = default;
};

struct Camera {
  std::string name;
  bool automatic = false;  // placed so that the whole scene is seen; the fields below are ignored
  CameraType type = CameraType::kFixed;
  Reference body;                   // that it looks at, follows or sits on; empty for none
  Vec3 position{4, 3, 6};           // m; of one that is mounted in the frame of the body
  Vec3 look_at;                     // m, likewise
  Vec3 up{0, 1, 0};                 // likewise
  double fov = 0.7853981633974483;  // rad, vertical (45 degrees)
  double period = 20;               // s, once around; < 0: clockwise seen from above
  bool horizon = false;             // mounted: turns with the body about the vertical only
  double smoothing = 0;             // s: over how long the body's motion is averaged
  std::vector<CameraKey> keyframes;
  Place place;
  friend bool operator==(const Camera&, const Camera&) = default;
};

// From a time on, a film shows what this camera sees.
struct Shot {
  double t = 0;      // s, strictly increasing
  Reference camera;  // a camera of the scene, or "auto"
  Place place;
  friend bool operator==(const Shot&, const Shot&) = default;
};

enum class LightType { kSun, kPoint, kAmbient };

struct Light {
  std::string name;
  LightType type = LightType::kSun;
  Vec3 direction{-0.5, -1, -0.3};  // of travel of a sun's light
  Vec3 position{0, 5, 0};          // m, of a point light
  Color color{1, 1, 1};
  double intensity = 1;  // relative to full daylight (sun, ambient) or at 1 m (point)
  Place place;
  friend bool operator==(const Light&, const Light&) = default;
};

// An unexpanded section entry; `name` is empty for those without one.
struct Prefab {
  std::string name;
  Json definition;  // {parameters, bodies, joints, connections, forces, rules, anchors, ...}
  Place place;
  friend bool operator==(const Prefab&, const Prefab&) = default;
};

// The display name of the file a document came from; never part of equality.
struct Source {
  std::string name;
  friend bool operator==(const Source&, const Source&) { return true; }
};

struct Document {
  std::string title;
  std::string description;
  std::vector<std::string> tags;
  WorldSettings world;
  std::vector<Parameter> parameters;
  std::vector<Material> materials;  // defined or overridden here; the built-in ones are not listed
  std::vector<MaterialPair> pairs;
  std::vector<Group> groups;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Connection> connections;
  std::vector<Force> forces;
  std::vector<Rule> rules;
  std::vector<Anchor> anchors;
  Assembly assembly;
  std::vector<Camera> cameras;
  std::vector<Shot> shots;
  std::vector<Light> lights;
  std::vector<Prefab> prefabs;
  std::vector<Json> instances;
  std::vector<Json> arrays;
  Source source;
  friend bool operator==(const Document&, const Document&) = default;
};

// The body of that name, or nullptr. Linear in the number of bodies.
const Body* find_body(const Document& document, std::string_view name);
// The same for joints.
const Joint* find_joint(const Document& document, std::string_view name);
const Connection* find_connection(const Document& document, std::string_view name);

// Whether the collision filter lets the two bodies touch (`collision` switches are included; that
// two immovable bodies never touch is the engine's business).
bool may_collide(const Document& document, const Body& a, const Body& b);

}  // namespace tenon::scene
