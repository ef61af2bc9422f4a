// Names of the features that meet in a contact point: 16 bits for each shape, packed to 32.
#pragma once

#include <cstdint>

namespace tenon {

// What a half id names. The lower 13 bits hold the index within the kind.
enum class FeatureType : uint16_t {
  kFace = 0,     // inside of a face, of a cylinder end or side, of a sphere; the plane; an edge's
                 // or line's interior where the other shape names the place
  kVertex = 1,   // of a box (bit k set: positive side of axis k) or hull (index of the vertex)
  kEdge = 2,     // of a box (4 * axis + place) or hull (its place among the
                 // neighbours, HullGeometry::neighbours, of its lower vertex)
  kRim = 3,      // rim of a cylinder end, in direction k = 0..3 of the frame the patch uses
  kRimLow = 4,   // the rim point that is closest to the other shape
  kLineEnd = 5,  // end 0 (-y) or 1 (+y) of the line along the side of a cylinder or capsule
  kCorner = 6,   // where a rim crosses an edge or another rim
  kWitness = 7,  // the closest point itself
};

constexpr uint16_t make_feature(FeatureType type, int index) {
  return static_cast<uint16_t>((static_cast<unsigned>(type) << 13) |
                               (static_cast<unsigned>(index) & 0x1fffu));
}
constexpr uint32_t pack_features(uint16_t of_a, uint16_t of_b) {
  return (static_cast<uint32_t>(of_a) << 16) | of_b;
}
// The id of the same contact point seen from the other shape.
constexpr uint32_t swap_features(uint32_t feature) { return (feature << 16) | (feature >> 16); }
constexpr FeatureType feature_type(uint16_t half) { return static_cast<FeatureType>(half >> 13); }

}  // namespace tenon
