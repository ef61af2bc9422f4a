// The equations of motion of a world for the method `force`: one function of time and state, with
// everything that acts on bodies. Rebuilt from a WorldData whenever a run begins; never part of a
// snapshot.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tenon/engine/base/parallel.h"
#include "tenon/engine/solve_force/mechanism_forces.h"
#include "tenon/engine/world/force_run.h"
#include "tenon/engine/world/force_touch.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

struct Mechanisms;  // phases.h

struct ForceModel {
  bool valid = false;
  std::vector<uint32_t> moving;  // body slots, ascending: the order of the integrator's state
  std::vector<double> sizes;     // by joint slot
  std::vector<MechanismForces> mechanisms;
  // Bodies at the time last looked at, by slot: where they are, what acts on them, and, of bodies
  // that scripts move, their accelerations. Written by place_all.
  std::vector<BodyState> state;
  std::vector<Wrench> load;
  std::vector<Acceleration> known;
  double smooth_begin = 0, smooth_end = 0;  // s: between them scripts are smooth

  // contacts: pairs that may meet, and what pushed in the frame
  ForceTouch touch;
  uint32_t impacts_since_look = 0;
  const Mechanisms* joints = nullptr;  // which bodies they hold

  size_t size() const { return kForceBodySize * moving.size() + kForceSums; }
};

// Which bodies move, which joints hold them.
void reset_force_model(const WorldData& data, std::span<const Mechanism> list, ForceModel& model);

// State <-> numbers. Unpacking normalises quaternions; kinematic bodies are put where they are at
// t.
void pack_bodies(const ForceModel& model, std::span<double> y);
void place_all(const WorldData& data, double t, std::span<const double> y, ForceModel& model);

// Loads of everything but joints on all bodies as placed, and the power of what has no potential.
double add_outer_loads(const WorldData& data, double t, ForceModel& model);

// y' = f(t, y). `since`: t minus the time of the turns in `joints`.
void derive(const WorldData& data, std::span<const JointState> joints, double since, double t,
            std::span<const double> y, ThreadPool* pool, ForceModel& model, std::span<double> dy);

// What a step errs by (ForceSettings::accuracy).
double measure_force_error(const WorldData& data, const ForceModel& model,
                           std::span<const double> y, std::span<const double> e);

// The next time after t at which something acts otherwise than smoothly: integrators end a step
// there. Infinite where there is none.
double find_next_break(const WorldData& data, double t);

// What the method cannot honour in a joint: black boxes, and some laws side by side.
Status check_force_joint(const JointDef& def);

}  // namespace tenon
