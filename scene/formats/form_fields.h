// Forms, field by field; see fields.h.
#pragma once

#include "tenon/scene/document/form.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(SphereForm, "sphere", "A sphere, from an icosahedron")
TENON_NAMED(BoxForm, "box", "A box")
TENON_NAMED(TorusForm, "torus", "A round bar bent into a circle about z")
TENON_NAMED(ChainLinkForm, "chain_link", "A round bar bent into a stadium, long along x")
TENON_NAMED(LinkForm, "link", "A round bar along an arc, with a knob at either end")
TENON_NAMED(GearForm, "gear", "A spur gear with involute teeth, axis along z")
TENON_NAMED(SprocketForm, "sprocket", "A wheel with a seat for every pin of a chain, axis along z")
TENON_NAMED(NutForm, "nut", "A hexagonal prism with a round bore, axis along z")
TENON_NAMED(BowlForm, "bowl", "A bowl that opens upwards, its lowest point at the origin")
TENON_NAMED(LetterForm, "letter", "A capital letter, read from +z")
TENON_NAMED(TreadForm, "tread", "A shoe of a tread, with hinge eyes for pins along z")
TENON_NAMED(BoneForm, "bone", "A bone of a skeleton")
TENON_NAMED(GridForm, "grid", "Ground with hills; an open surface, never dynamic")

TENON_WORDS(Bone, "pelvis", "lumbar", "rib_cage", "neck", "skull", "clavicle", "upper_arm",
            "forearm", "hand", "thigh", "shin", "foot", "toes")
TENON_WORDS(Side, "right", "left")

namespace spec {

constexpr Spec edge() { return quantity(kLength, 1e6).from(1e-6); }
constexpr Spec size_or_none() { return quantity(kLength, 1e6).from(0); }

}  // namespace spec

inline constexpr const char* kEdgeText = "edges of triangles are about this long at most";

template <class V, Is<SphereForm> T>
void describe(V& v, T& f) {
  v.field("radius", f.radius, spec::size(), "radius");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<BoxForm> T>
void describe(V& v, T& f) {
  v.field("size", f.size, spec::size(), "full edge lengths along x, y, z");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<TorusForm> T>
void describe(V& v, T& f) {
  v.field("radius", f.radius, spec::size(), "radius of the circle in the middle of the bar");
  v.field("bar", f.bar, spec::size(), "radius of the bar");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<ChainLinkForm> T>
void describe(V& v, T& f) {
  v.field("length", f.length, spec::size(), "length of the straight sides");
  v.field("radius", f.radius, spec::size(), "radius of the bends in the middle of the bar");
  v.field("bar", f.bar, spec::size(), "radius of the bar");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<LinkForm> T>
void describe(V& v, T& f) {
  v.field("radius", f.radius, spec::size(), "radius of the arc in the middle of the bar");
  v.field("angle", f.angle, spec::quantity(kAngle).from(0.01).up_to(6.2),
          "angle of the arc between the centres of the knobs");
  v.field("bar", f.bar, spec::size(), "radius of the bar");
  v.field("knob", f.knob, spec::size(), "radius of the knobs, at least that of the bar");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<GearForm> T>
void describe(V& v, T& f) {
  v.field("module", f.module, spec::size(), "diameter of the pitch circle per tooth");
  v.field("teeth", f.teeth, spec::number().whole().from(6).up_to(1000).required(),
          "number of teeth");
  v.field("pressure_angle", f.pressure_angle, spec::quantity(kAngle).from(0.17).up_to(0.53),
          "angle between the line of action and the common tangent of the pitch circles");
  v.field("width", f.width, spec::size(), "along the axis");
  v.field("bore", f.bore, spec::size_or_none(), "radius of the hole; 0: none");
  v.field("backlash", f.backlash, spec::size_or_none(),
          "by so much teeth are thinner on the pitch circle");
  v.field("addendum", f.addendum, spec::number().from(0.1).up_to(2),
          "height of teeth above the pitch circle, in modules");
  v.field("dedendum", f.dedendum, spec::number().from(0.1).up_to(2.5),
          "depth of teeth below the pitch circle, in modules");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<SprocketForm> T>
void describe(V& v, T& f) {
  v.field("pitch", f.pitch, spec::size(), "from pin to pin, straight");
  v.field("teeth", f.teeth, spec::number().whole().from(5).up_to(1000).required(),
          "number of teeth");
  v.field("seat", f.seat, spec::size(), "radius of the seats of pins");
  v.field("tooth", f.tooth, spec::size(), "height of teeth above the circle of the pins");
  v.field("width", f.width, spec::size(), "along the axis");
  v.field("bore", f.bore, spec::size_or_none(), "radius of the hole; 0: none");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<NutForm> T>
void describe(V& v, T& f) {
  v.field("across", f.across, spec::size(), "across the flats");
  v.field("height", f.height, spec::size(), "along the axis");
  v.field("bore", f.bore, spec::size(), "radius of the hole");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<BowlForm> T>
void describe(V& v, T& f) {
  v.field("radius", f.radius, spec::size(), "radius of the sphere outside");
  v.field("height", f.height, spec::size(), "height of the rim");
  v.field("wall", f.wall, spec::size(), "thickness");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<LetterForm> T>
void describe(V& v, T& f) {
  v.field("letter", f.letter, spec::plain().required(), "A to Z");
  v.field("height", f.height, spec::size(), "over all");
  v.field("pen", f.pen, spec::size(), "width of strokes");
  v.field("depth", f.depth, spec::size(), "along z");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<TreadForm> T>
void describe(V& v, T& f) {
  v.field("pitch", f.pitch, spec::size(), "from pin to pin, along x");
  v.field("width", f.width, spec::size(), "along z");
  v.field("thickness", f.thickness, spec::size(), "of the plate and the eyes");
  v.field("pin", f.pin, spec::size(), "radius of the holes of the eyes");
  v.field("grouser", f.grouser, spec::size_or_none(), "height of the bar below the plate; 0: none");
  v.field("horn", f.horn, spec::size_or_none(), "height of the horn above the plate; 0: none");
  v.field("eyes", f.eyes, spec::number().whole().from(3).up_to(101),
          "number of eyes on both sides together, odd");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<BoneForm> T>
void describe(V& v, T& f) {
  v.field("bone", f.bone, spec::plain().required(), "which one");
  v.field("side", f.side, spec::plain(), "of limbs");
  v.field("stature", f.stature, spec::quantity(kLength, 1e6).from(1e-3),
          "height of the whole skeleton");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}
template <class V, Is<GridForm> T>
void describe(V& v, T& f) {
  v.field("length", f.length, spec::size(), "along x");
  v.field("width", f.width, spec::size(), "along z");
  v.field("height", f.height, spec::size_or_none(), "of the hills; 0: flat");
  v.field("wavelength", f.wavelength, spec::quantity(kLength, 1e6).from(1e-6),
          "of the longest waves");
  v.field("octaves", f.octaves, spec::number().whole().from(1).up_to(12),
          "waves of half the length and height, and so on");
  v.field("seed", f.seed, spec::number().whole().from(0).up_to(1e9), "another number, other hills");
  v.field("edge", f.edge, spec::edge(), kEdgeText);
}

}  // namespace tenon::scene
