// What is drawn on request: joints, contacts, forces, velocities, frames, trails, labels, energy.
// Lengths of arrows: a velocity of sqrt(g e) is 0.3 e long and the weight of all bodies 0.5 e, with
// e half the diagonal of the scene and g = 9.81 m/s^2; nothing is longer than e.
#pragma once

#include <span>
#include <vector>

#include "tenon/render/detail/stage_links.h"

namespace tenon::render {

// What overlays need to know of the whole run, read once.
struct OverlayFacts {
  double extent = 1;          // m
  double weight = 1;          // N, of all dynamic bodies
  double lowest = 0;          // J, potential energy
  double largest = 1;         // J, of the sum of kinetic, elastic and potential above the lowest
  std::vector<double> times;  // s, of `paths`
  std::vector<std::vector<Vec3>> paths;  // origins of the bodies
};

// Reads what `show` needs.
Result<OverlayFacts> read_facts(RecordingReader& reader, const scene::Document& flat,
                                const Show& show, double extent, double from_s, double to_s);

// The instant: `bodies` are interpolated, `index` is the frame before it.
struct Instant {
  std::span<const RecordedBody> bodies;
  uint64_t index = 0, step = 0;
  std::span<const RecordedJoint> joints;  // empty without a joint track
};

// Error: contacts and forces asked for that the recording does not have.
Status draw_overlays(RecordingReader& reader, const Show& show, const OverlayFacts& facts,
                     const Mechanism& mechanism, const Model& model, const Instant& instant,
                     Stage& stage);

}  // namespace tenon::render
