// From a scene document to a world that can be stepped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/world/world.h"
#include "tenon/scene/document/document.h"

namespace tenon::scene {

class MeshLibrary;

struct BuiltScene {
  World world;
  // Names and handles of the bodies in the order of the document.
  std::vector<std::string> names;
  std::vector<BodyHandle> handles;
  // The same of the joints, gears behind the others, and of the connections behind those.
  std::vector<std::string> joint_names;
  std::vector<JointHandle> joint_handles;
  std::vector<std::string> joint_types;  // as people call them: "hinge", "shock absorber"
  // The same of the forces.
  std::vector<std::string> force_names;
  std::vector<ForceHandle> force_handles;
  std::vector<std::string> rule_names;  // by the world's index of the rule
  // What assembling did, where the scene asks for it at the start of a run.
  std::optional<AssemblyReport> assembled;
};

// What a document cannot say itself.
struct BuildOptions {
  int threads = 0;              // 0: as the document says, which may be "all the machine has"
  double (*clock)() = nullptr;  // see tenon::WorldSettings
  bool assemble = true;         // where the document says "auto"
  // Where meshes come from, and are shared; outlives the call. None: only meshes that are written
  // in the document, without files.
  MeshLibrary* meshes = nullptr;
};

// Builds the world of a flat document (expand() first). Every problem is reported, each with the
// place of the entry in the scene file; features this version cannot simulate are refused, not
// ignored. Empty `errors` means success. `warnings`: what can be simulated, but hardly is meant,
// such as a joint that starts outside its limits.
struct BuildResult {
  std::vector<Error> errors, warnings;
  std::vector<BuiltScene> scene;  // one on success, none otherwise
  bool ok() const { return errors.empty(); }
};
BuildResult build(const Document& flat, const BuildOptions& options = {});

// What build() would say of the mesh files of a document, also of one that has other mistakes and
// holds what could be read: so that all mistakes can be told together.
std::vector<Error> find_mesh_mistakes(const Document& flat, MeshLibrary& meshes);

}  // namespace tenon::scene
