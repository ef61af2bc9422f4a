// One scene, run and measured.
#pragma once

#include <string>
#include <vector>

namespace tenon {

struct SceneRun {
  std::string name;                  // of the gallery
  double seconds = 0;                // simulated; 0: as the scene says
  std::vector<std::string> changes;  // as of --set
  int threads = 2;
};

struct SceneFigures {
  size_t bodies = 0, joints = 0;
  size_t triangles = 0, stored = 0;  // of all bodies; of all different meshes
  double load_s = 0;
  double step_ms = 0, worst_ms = 0;  // wall time: mean and longest
  double worst_cpu_ms = 0;           // of all threads
  double cpu_ms = 0;                 // of all threads, mean
  double collide_ms = 0;             // of the mean: finding contacts
  double penetration_m = 0, last_penetration_m = 0;
  double joint_gap = 0;  // relative to the body
  double energy = 0;     // J/kg at the end, kinetic
  double speed = 0;      // m/s at the end, of the fastest point, about
  double creep = 0;      // the same from places before and after the last step
  double memory_gb = 0;  // most that the program had so far
  size_t asleep = 0;
  std::string check;
};

// False, with a message on stderr, if the scene cannot be loaded.
bool run_scene(const SceneRun& run, SceneFigures& figures);

}  // namespace tenon
