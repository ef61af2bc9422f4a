// What each scene should keep, beside what every step reports.
#pragma once

#include <memory>
#include <string>

#include "tenon/scene/build/build.h"

namespace tenon {

class SceneCheck {
 public:
  virtual ~SceneCheck() = default;
  virtual void after_step(const scene::BuiltScene&) {}
  virtual std::string report(const scene::BuiltScene& scene) = 0;
};

// By the name of the gallery scene; none for those with nothing of their own to check.
std::unique_ptr<SceneCheck> make_check(const std::string& name, const scene::BuiltScene& scene);

}  // namespace tenon
