// Pairs and joints sorted by level, and the sweeps over them.
#pragma once

#include "tenon/engine/solve_contact/faithful/detail/pairs.h"

namespace tenon::faithful::detail {

struct Level {
  std::vector<uint32_t> pairs;   // indices of Levels::pairs
  std::vector<uint32_t> joints;  // indices of joints
  std::vector<uint32_t> bodies;  // finite ones
};

struct Levels {
  std::vector<BodyPair> pairs;
  std::vector<Level> list;  // bottom-up
};

// Pairs near the predictions, on the higher of the levels of their two bodies; joints likewise.
// Departure: all pairs that may meet, not only the edges of the graph, so that what is pushed into
// a neighbour within the sweeps is stopped there.
Levels make_levels(Step& step);
// Looks for pairs again: bodies may have got into motion.
void refresh_pairs(Step& step, Levels& levels);

// Marks the pair as free, or says that it is and still must be.
inline bool known_free(const Step& step, const BodyPair& pair) {
  return pair.free_a == step.bodies[pair.a].changes && pair.free_b == step.bodies[pair.b].changes;
}
inline void set_free(const Step& step, BodyPair& pair) {
  pair.free_a = step.bodies[pair.a].changes;
  pair.free_b = step.bodies[pair.b].changes;
}

// The parts of phase C.
void sweep_contacts(Step& step, Levels& levels);
void propagate_shock(Step& step, Levels& levels);
// After the move.
void push_out(Step& step);

}  // namespace tenon::faithful::detail
