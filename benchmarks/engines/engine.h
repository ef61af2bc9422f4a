// What the table asks of an engine: build a scene, advance it by a frame, say where the bodies are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tenon/benchmarks/engines/scene.h"

namespace tenon {

struct EngineSettings {
  double frame = 1.0 / 60;  // s
  int substeps = 1;         // equal steps of the engine per frame
  bool phases = false;      // Tenon times the phases of its steps
};

// What the phases of the steps so far took.
struct PhaseTime {
  std::string name;
  double ms = 0;
};

struct BodyReading {
  Pose X_WB;
  Vec3 v_WB, w_WB;  // world axes
};

class BenchEngine {
 public:
  virtual ~BenchEngine() = default;
  // What is timed: one frame, all substeps. No threads but the caller's.
  virtual void advance() = 0;
  // What is not timed: the state of all moving bodies of the scene, in its order; the entries of
  // static ones stay as they are.
  virtual void read(std::vector<BodyReading>& bodies) = 0;
  // Points at which bodies touch in the last step, as the engine counts them.
  virtual int contacts() const { return 0; }
  virtual std::vector<PhaseTime> phases() const { return {}; }
  // Has the engine itself given up (reset the scene, frozen a body)?
  virtual bool failed() const { return false; }
  // Anything worth a line in the table, in a few words.
  virtual std::string note() const { return {}; }
};

struct EngineKind {
  std::string name;   // as given to --engines
  std::string text;   // with version and precision
  bool peer = true;   // somebody else's
  bool usual = true;  // runs unless --engines says otherwise
  // Never null: a scene that an engine cannot hold is refused beforehand.
  std::unique_ptr<BenchEngine> (*make)(const BenchScene&, const EngineSettings&);
  // Why the engine cannot run this scene in reasonable memory and time; empty if it can.
  std::string (*refuse)(const BenchScene&) = [](const BenchScene&) { return std::string(); };
};

std::vector<EngineKind> tenon_engines();
// Tenon and those that the machine has a Debian package of; the build leaves out the others.
std::vector<EngineKind> all_engines();
std::vector<EngineKind> bullet_engines();
std::vector<EngineKind> ode_engines();
std::vector<EngineKind> mujoco_engines();

}  // namespace tenon
