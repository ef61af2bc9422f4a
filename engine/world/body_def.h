// What a user says about a body when creating it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tenon/engine/bodies/body.h"
#include "tenon/engine/bodies/kinematic_motion.h"
#include "tenon/engine/contact/collision_classes.h"
#include "tenon/engine/contact/material.h"
#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon {

// A shape on a body. A body with several is a compound; one with none touches nothing.
struct ColliderDef {
  Shape shape;
  Pose X_BS;                // the shape frame in the body frame
  MaterialId material = 0;  // from World::add_material
  double density = 1000;    // kg/m^3; used where the body gives no mass properties
  // m/s, in the body's axes: how the surface runs over the shape, which itself stays where it is.
  // It drags along what lies on it: conveyor belts, tracks.
  Vec3 surface_velocity = {};
  bool sensor = false;  // what touches it is found and reported, but nothing is pushed
};

struct BodyDef {
  MotionKind motion = MotionKind::kDynamic;
  Pose X_WB;              // start pose of the body frame; the quaternion is normalised
  Vec3 velocity;          // m/s, of the centre of mass, world axes (dynamic bodies)
  Vec3 angular_velocity;  // rad/s, world axes (dynamic bodies)
  std::vector<ColliderDef> colliders;
  // Dynamic bodies, and those that will be: mass, centre and inertia in the body frame;
  // from the colliders and their densities where it is left out.
  std::optional<MassProperties> mass;
  bool gravity = true;
  bool collision = true;
  CollisionClass collision_class = 0;  // from World::add_collision_class
  double drag = 0;                     // kg/m, c_w A of air resistance -c_w A |v| v; dynamic bodies
  KinematicMotion script;  // kinematic bodies: their pose over time (X_WB is then ignored)
  // Kinematic bodies, s: the first step that begins then or later lets the body go. From there on
  // it is dynamic, with the mass above and the velocity its script had (velocity_before).
  std::optional<double> release = {};
  // Front of a one-way body in its axes, of any length; zero: all sides are alike. What comes from
  // the front is stopped, what comes from anywhere else goes through until it is out again.
  Vec3 one_way = {};
};

}  // namespace tenon
