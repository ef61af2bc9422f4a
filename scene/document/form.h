// Forms: solids that a few numbers describe, such as gears, rings and bones. scene/forms turns them
// into triangles when a scene is built, so scenes with millions of them stay small texts.
//
// What is drawn as a flat outline stands in the plane z = 0 with its depth along z, centred. Bowls
// and grounds have y up. `edge` is the length that no edge of a triangle exceeds by much: halving
// it gives four times the triangles of the same form. Without it a form chooses.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/math/vec3.h"

namespace tenon::scene {

using Edge = std::optional<double>;  // m

struct SphereForm {  // an icosahedron, divided
  double radius = 0.5;
  Edge edge{};
  friend bool operator==(const SphereForm&, const SphereForm&) = default;
};
struct BoxForm {
  Vec3 size{1, 1, 1};
  Edge edge{};
  friend bool operator==(const BoxForm&, const BoxForm&) = default;
};
struct TorusForm {      // a round bar bent into a circle about z
  double radius = 0.5;  // of the circle, the centre line of the bar
  double bar = 0.1;     // radius of the bar, below that of the circle
  Edge edge{};
  friend bool operator==(const TorusForm&, const TorusForm&) = default;
};
struct ChainLinkForm {  // a round bar bent into a stadium, long along x
  double length = 0.1;  // of its straight sides
  double radius = 0.1;  // of the centre line in the bends
  double bar = 0.03;
  Edge edge{};
  friend bool operator==(const ChainLinkForm&, const ChainLinkForm&) = default;
};
// A round bar bent along an arc, with a thicker knob at either end: one piece of a jointed ring.
// The middle of the arc is at the origin, the centre of the ring at (-radius, 0, 0).
struct LinkForm {
  double radius = 0.3;     // of the arc
  double angle = kPi / 3;  // of the ring that it spans, between the centres of the knobs
  double bar = 0.03;
  double knob = 0.04;  // radius, at least that of the bar
  Edge edge{};
  friend bool operator==(const LinkForm&, const LinkForm&) = default;
};
// A spur gear with involute teeth, axis z, a tooth centred on x.
struct GearForm {
  double module = 0.01;  // diameter of the pitch circle per tooth
  int teeth = 20;
  double pressure_angle = kPi / 9;
  double width = 0.02;     // along z
  double bore = 0;         // radius of the hole; 0: none
  double backlash = 0;     // of the arc of a tooth, taken off on the pitch circle
  double addendum = 1;     // in modules: teeth above the pitch circle
  double dedendum = 1.25;  // and below it
  Edge edge{};
  friend bool operator==(const GearForm&, const GearForm&) = default;
};
// A wheel with a round seat for every pin of a chain or tread, axis z, a seat centred on x.
struct SprocketForm {
  double pitch = 0.1;   // from pin to pin, straight
  int teeth = 10;       // and seats
  double seat = 0.02;   // radius
  double tooth = 0.03;  // how far teeth reach beyond the circle of the pins
  double width = 0.02;
  double bore = 0;  // radius of the hole; 0: none
  Edge edge{};
  friend bool operator==(const SprocketForm&, const SprocketForm&) = default;
};
struct NutForm {         // a hexagonal prism with a round bore, axis z, corners along x
  double across = 0.03;  // flats
  double height = 0.015;
  double bore = 0.009;  // radius
  Edge edge{};
  friend bool operator==(const NutForm&, const NutForm&) = default;
};
// A bowl that opens upwards: part of a hollow sphere with a round rim, its lowest point at y = 0.
struct BowlForm {
  double radius = 0.5;  // of the outside
  double height = 0.4;  // of the rim, below twice the radius
  double wall = 0.03;
  Edge edge{};
  friend bool operator==(const BowlForm&, const BowlForm&) = default;
};
// A capital letter written with a round pen, read from +z, centred in its height and width.
struct LetterForm {
  std::string letter = "A";  // A to Z
  double height = 0.06;      // over all
  double pen = 0.012;        // width of strokes
  double depth = 0.02;       // along z
  Edge edge{};
  friend bool operator==(const LetterForm&, const LetterForm&) = default;
};
// A shoe of a tread: a plate with hinge eyes for pins along z at x = -pitch/2 and x = pitch/2
// (those of neighbours stand between each other), a grouser below and a guide horn above.
struct TreadForm {
  double pitch = 0.12;
  double width = 0.24;
  double thickness = 0.02;  // of the plate; eyes are as thick
  double pin = 0.005;       // radius of the hole in an eye
  double grouser = 0.03;    // height below the plate; 0: none
  double horn = 0;          // height above the plate; 0: none
  int eyes = 5;             // on both sides together, odd
  Edge edge{};
  friend bool operator==(const TreadForm&, const TreadForm&) = default;
};

enum class Bone {
  kPelvis,
  kLumbar,
  kRibCage,
  kNeck,
  kSkull,
  kClavicle,
  kUpperArm,
  kForearm,
  kHand,
  kThigh,
  kShin,
  kFoot,
  kToes,
};
enum class Side { kRight, kLeft };
// A bone of a skeleton that stands upright, looks along x and has its right at +z. Its origin is
// where gallery:skeletons puts the body, about the middle of the bone.
struct BoneForm {
  Bone bone = Bone::kThigh;
  Side side = Side::kRight;
  double stature = 1.76;  // of the whole skeleton
  Edge edge{};
  friend bool operator==(const BoneForm&, const BoneForm&) = default;
};
// Ground: an open surface y = f(x, z) about the origin, with hills made of waves.
struct GridForm {
  double length = 10;     // along x
  double width = 10;      // along z
  double height = 0;      // of the hills: |y| is at most this
  double wavelength = 3;  // of the longest waves
  int octaves = 4;        // each of half the length and half the height of the one before
  int seed = 0;
  Edge edge{};
  friend bool operator==(const GridForm&, const GridForm&) = default;
};

using Form =
    std::variant<SphereForm, BoxForm, TorusForm, ChainLinkForm, LinkForm, GearForm, SprocketForm,
                 NutForm, BowlForm, LetterForm, TreadForm, BoneForm, GridForm>;

// Refuses numbers that do not go together (a bar thicker than its ring, a bore wider than its nut);
// the error's `value` is the name of the field. Each number by itself is in range: positive, as
// the scene format has it.
Status check_form(const Form& form);

}  // namespace tenon::scene
