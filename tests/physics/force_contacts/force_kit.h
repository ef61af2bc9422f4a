// Worlds of the method `force` for tests of its contacts.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {

inline nlohmann::json load_reference(const std::string& name) {
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/" + name + ".json");
  return nlohmann::json::parse(file);
}

inline World make_force_world(ForceContacts contacts, double frame, double accuracy = 1e-6,
                              const Vec3& gravity = {0, -kG, 0}) {
  WorldSettings settings;
  settings.method = Method::kForce;
  settings.step = frame;
  settings.gravity = gravity;
  settings.force.contacts = contacts;
  settings.force.accuracy = accuracy;
  settings.force.h_min = 1e-9;
  Result<World> world = World::make(settings);
  EXPECT_TRUE(world.ok());
  return std::move(*world);
}

inline void set_force(World& world, const ForceSettings& force) {
  WorldSettings settings = world.settings();
  settings.force = force;
  const Status status = world.set_settings(settings);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message);
}

inline MaterialId add_stiff_surface(World& world, double c, double d, double restitution = 0,
                                    double friction = 0) {
  SurfaceMaterial m;
  m.stiffness = c;
  m.damping = d;
  m.restitution = restitution;
  m.static_friction = m.sliding_friction = friction;
  Result<MaterialId> id = world.add_material(m);
  EXPECT_TRUE(id.ok());
  return *id;
}

}  // namespace tenon::test
