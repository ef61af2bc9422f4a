// Runs engines on one scene in turn and measures all of them with the same code.
#pragma once

#include <string>
#include <vector>

#include "tenon/benchmarks/engines/engine.h"

namespace tenon {

struct Contestant {
  EngineKind kind;
  int substeps = 1;
};

struct RaceSettings {
  double seconds = 10;      // simulated
  double frame = 1.0 / 60;  // s
  int repeat = 3;
  // CPU seconds: a run stops after them, and an engine that has used them up is not repeated.
  double cap = 20;
  bool phases = false;  // time the phases of Tenon's steps
  double lead_in = 0;   // s, simulated before anything is timed or measured
};

struct Figures {
  std::string refused;  // why it did not run; nothing else is filled in then
  int frames = 0, frames_wanted = 0, repetitions = 0;
  // CPU time of the thread per frame, without building and measuring: the mean over a run and the
  // dearest frame, each the least of the repetitions.
  double ms = 0, worst_ms = 0;
  // Distance of a joint's two anchors: over all joints and frames, and largest in the last frame.
  double gap_max_m = 0, gap_rms_m = 0, gap_end_m = 0;
  double axis_max_rad = 0;   // between the two axes of a hinge
  double limit_max_rad = 0;  // how far a hinge was beyond its limits
  // Deepest overlap of two bodies in every sixth frame: largest, and the last one looked at.
  double penetration_max_m = 0, penetration_end_m = 0;
  // Rings none of whose joints gapes by more than a twentieth of a link: in the last frame, and in
  // all frames.
  int rings_end = 0, rings_always = 0;
  Vec3 top_drift_m;     // of the scene's top body, from its place at the start
  double contacts = 0;  // points, the mean over the frames
  // Kinetic and of gravity, in J.
  double energy_start = 0, energy_end = 0, energy_min = 0, energy_max = 0;
  double kinetic_max = 0;  // J
  double speed_max = 0;    // of a centre of mass, m/s
  double failed_at_s = 0;  // when the engine gave up or a number was not finite; 0: never
  double torn_at_s = 0;    // when a gap first exceeded half a link; 0: never
  std::string note;
  std::vector<PhaseTime> phases;  // ms per frame
};

// "holds", or what went wrong first, and what else is worth saying.
std::string verdict(const Figures& figures);

// Interleaved: every engine once, then every engine again.
std::vector<Figures> race(const BenchScene& scene, const std::vector<Contestant>& contestants,
                          const RaceSettings& settings);

}  // namespace tenon
