// The contact graph: who rests on whom.
#pragma once

#include <span>

#include "tenon/engine/solve_contact/faithful/detail/pairs.h"

namespace tenon::faithful::detail {

// `above` rests on `below`.
struct Edge {
  uint32_t below = 0, above = 0;
};

// Levels of a directed graph: strongly connected nodes share one; every edge between others leads
// upward; a level is the longest way up from the nodes that rest on nothing, which have level 0.
std::vector<int> find_levels(size_t nodes, std::span<const Edge> edges);

// Moves one body at a time by its velocity and its forces while all others move by their
// velocities alone: what it then runs into is below it. Precondition: dv and dL are still to come.
std::vector<Edge> find_edges(const Step& step, std::span<const BodyPair> pairs);

}  // namespace tenon::faithful::detail
