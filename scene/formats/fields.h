// The format, field by field: name, member, kind and range, and one line for the reader. A visitor
// V has
//   field(name, member, spec, text)       a value; its kind follows from the member's type
//   per_axis(name, joint, member, spec, text)   an option of a joint's freedoms
//   named(name, vector, text)             an object whose keys are the entries' names
//   tree<Entry>(name, member, text)       a list kept unexpanded; Entry describes its elements
//   raw(name, member, kind, text)         a value kept as written
//   version(text)                         the "tenon" key
// and defaults are those of a default-constructed struct.
#pragma once

#include "tenon/scene/document/document.h"
#include "tenon/scene/formats/assembly_fields.h"
#include "tenon/scene/formats/connection_fields.h"
#include "tenon/scene/formats/displacement_method_fields.h"
#include "tenon/scene/formats/entries.h"
#include "tenon/scene/formats/force_fields.h"
#include "tenon/scene/formats/force_method_fields.h"
#include "tenon/scene/formats/joint_fields.h"
#include "tenon/scene/formats/mesh_fields.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/rule_fields.h"
#include "tenon/scene/formats/spec.h"
#include "tenon/scene/formats/sweep_fields.h"

namespace tenon::scene {

// --- names of kinds: definitions of the schema, and words in messages ---------------------------

TENON_NAMED(Document, "scene", "A scene for Tenon")
TENON_NAMED(WorldSettings, "world", "Gravity, method and time")
TENON_NAMED(Material, "material", "What a body is made of")
TENON_NAMED(Look, "look", "How a surface looks")
TENON_NAMED(MaterialPair, "pair", "Values for two materials that touch")
TENON_NAMED(Group, "group", "Rules of the collision filter for the bodies of a group")
TENON_NAMED(Body, "body", "A rigid body")
TENON_NAMED(Part, "part", "One piece of a compound")
TENON_NAMED(Keyframe, "keyframe", "A pose at a time")
TENON_NAMED(Turn, "turn", "Steady turning about a fixed axis")
TENON_NAMED(Air, "air", "Air resistance F = -c_w A |v| v")
TENON_NAMED(Camera, "camera", "A view of the scene")
TENON_NAMED(CameraKey, "camera_key", "A place of a camera at a time")
TENON_NAMED(Shot, "shot", "What a film shows from a time on")
TENON_NAMED(Light, "light", "A source of light")
TENON_NAMED(InstanceEntry, "instance", "A copy of a prefab")
TENON_NAMED(ArrayEntry, "array", "Entries repeated over indices")
TENON_NAMED(PrefabEntry, "prefab", "A group of entries to be copied")
TENON_NAMED(Prefab, "prefab", "A group of entries to be copied")
TENON_NAMED(RangeEntry, "range", "The values of an index, both ends included")
TENON_NAMED(SphereShape, "sphere", "Sphere about the origin")
TENON_NAMED(BoxShape, "box", "Box about the origin, edges along the axes")
TENON_NAMED(CylinderShape, "cylinder", "Cylinder about the origin, axis along y")
TENON_NAMED(CapsuleShape, "capsule", "Cylinder with round caps, axis along y")
TENON_NAMED(PlaneShape, "plane", "Everything below an infinite plane; never dynamic")
TENON_NAMED(HullShape, "hull", "Convex hull of points")
TENON_NAMED(CompoundShape, "compound", "Several shapes joined into one body")
TENON_NAMED(PointMassShape, "point_mass", "A mass without extent and contact; needs a mass")
TENON_NAMED(FixedPointShape, "fixed_point", "An immovable point; never dynamic")

// --- choices of words ---------------------------------------------------------------------------

TENON_WORDS(Method, "impulse", "displacement", "force")
TENON_WORDS(JointSolver, "direct", "sweep")
TENON_WORDS(Integration, "stable", "conservative", "rattle")
TENON_WORDS(Motion, "dynamic", "static", "kinematic")
TENON_WORDS(Interpolation, "linear", "smooth")
TENON_WORDS(Repeat, "hold", "loop", "mirror")
TENON_WORDS(PartRole, "all", "visual", "contact")
TENON_WORDS(CameraType, "fixed", "orbit", "follow", "mounted", "path")
TENON_WORDS(LightType, "sun", "point", "ambient")

// --- shapes -------------------------------------------------------------------------------------

template <class V, Is<SphereShape> T>
void describe(V& v, T& s) {
  v.field("radius", s.radius, spec::size(), "radius");
}
template <class V, Is<BoxShape> T>
void describe(V& v, T& s) {
  v.field("size", s.size, spec::size(), "full edge lengths along x, y, z");
}
template <class V, Is<CylinderShape> T>
void describe(V& v, T& s) {
  v.field("radius", s.radius, spec::size(), "radius");
  v.field("height", s.height, spec::size(), "full height along y");
}
template <class V, Is<CapsuleShape> T>
void describe(V& v, T& s) {
  v.field("radius", s.radius, spec::size(), "radius of the caps");
  v.field("length", s.length, spec::size().from(0), "distance between the cap centres");
}
template <class V, Is<PlaneShape> T>
void describe(V& v, T& s) {
  v.field("normal", s.normal, spec::direction(), "outward normal in the body frame, any length");
  v.field("offset", s.offset, spec::length(), "distance of the surface from the body's origin");
}
template <class V, Is<HullShape> T>
void describe(V& v, T& s) {
  v.field("points", s.points, spec::length().required().at_least(4),
          "points, not all in one plane");
}
template <class V, Is<CompoundShape> T>
void describe(V& v, T& s) {
  v.field("parts", s.parts, spec::plain().required().at_least(1), "the pieces");
}
template <class V, Is<PointMassShape> T>
void describe(V&, T&) {}
template <class V, Is<FixedPointShape> T>
void describe(V&, T&) {}

template <class V, Is<Part> T>
void describe(V& v, T& p) {
  v.field("shape", p.shape, spec::plain().required(), "shape of the piece");
  v.field("role", p.role, spec::plain(),
          "all: it is seen, touches and weighs; visual: it is only seen; contact: it is not drawn");
  v.field("material", p.material, spec::plain(), "material; else the body's");
  v.field("position", p.position, spec::length(), "place in the body frame");
  v.field("orientation", p.orientation, spec::plain(), "orientation in the body frame");
  v.field("mass", p.mass, spec::mass(), "mass; else density times volume");
  v.field("density", p.density, spec::density(), "density; else the material's");
  v.field("color", p.color, spec::plain(), "colour; else the body's");
  v.field("surface_velocity", p.surface_velocity, spec::velocity(),
          "how its surface runs, in the axes of the body; else the body's");
  v.field("sensor", p.sensor, spec::plain(), "true: it feels and pushes nothing; else the body's");
}

// --- materials ----------------------------------------------------------------------------------

template <class V, Is<Look> T>
void describe(V& v, T& l) {
  v.field("color", l.color, spec::plain(), "colour");
  v.field("texture", l.texture, spec::plain(), "surface pattern: plain, wood, stone, brushed, ...");
  v.field("roughness", l.roughness, spec::share(), "0 mirror smooth, 1 matt");
  v.field("metallic", l.metallic, spec::share(), "0 insulator, 1 bare metal");
  v.field("transparency", l.transparency, spec::share(), "0 opaque, 1 clear");
  v.field("reflection", l.reflection, spec::share(), "share of light mirrored at normal incidence");
  v.field("refraction", l.refraction, spec::number().from(1).up_to(4), "index of refraction");
}

template <class V, Is<Material> T>
void describe(V& v, T& m) {
  v.field("density", m.density, spec::density(), "mass per volume");
  v.field("restitution", m.restitution, spec::share(), "0 no bounce, 1 full bounce");
  v.field("static_friction", m.static_friction, spec::friction(),
          "friction coefficient while sticking");
  v.field("sliding_friction", m.sliding_friction, spec::friction(),
          "friction coefficient while sliding");
  v.field("rolling_friction", m.rolling_friction, spec::arm(), "rolling torque per normal force");
  v.field("spinning_friction", m.spinning_friction, spec::arm(),
          "spinning torque per normal force");
  v.field("stiffness", m.stiffness, spec::quantity(kStiffness, 1e15).from(1e-3),
          "contact elasticity c");
  v.field("damping", m.damping, spec::quantity(kDamping, 1e15).from(0), "contact damping d");
  v.field("look", m.look, spec::plain(), "how it looks");
}

template <class V, Is<MaterialPair> T>
void describe(V& v, T& p) {
  v.field("materials", p.materials, spec::plain().required(), "the two materials");
  v.field("restitution", p.restitution, spec::share(), "0 no bounce, 1 full bounce");
  v.field("static_friction", p.static_friction, spec::friction(),
          "friction coefficient while sticking");
  v.field("sliding_friction", p.sliding_friction, spec::friction(),
          "friction coefficient while sliding");
  v.field("rolling_friction", p.rolling_friction, spec::arm(), "rolling torque per normal force");
  v.field("spinning_friction", p.spinning_friction, spec::arm(),
          "spinning torque per normal force");
  v.field("stiffness", p.stiffness, spec::quantity(kStiffness, 1e15).from(1e-3),
          "contact elasticity c");
  v.field("damping", p.damping, spec::quantity(kDamping, 1e15).from(0), "contact damping d");
}

// --- bodies -------------------------------------------------------------------------------------

template <class V, Is<Group> T>
void describe(V& v, T& g) {
  v.field("collides_with", g.collides_with, spec::names(), "the only groups these bodies touch");
  v.field("ignores", g.ignores, spec::names(), "groups these bodies pass through");
}
template <class V, Is<Keyframe> T>
void describe(V& v, T& k) {
  v.field("t", k.t, spec::quantity(kTime, 1e9).required(), "time");
  v.field("position", k.position, spec::length(), "position; else the body's");
  v.field("orientation", k.orientation, spec::plain(), "orientation; else the body's");
}
template <class V, Is<Turn> T>
void describe(V& v, T& t) {
  v.field("about", t.about, spec::length(), "a point of the axis");
  v.field("axis", t.axis, spec::direction(), "direction of the axis, any length");
  v.field("rate", t.rate, spec::angular_velocity().required(), "angular velocity");
}
template <class V, Is<Air> T>
void describe(V& v, T& a) {
  v.field("c_w", a.c_w, spec::quantity(kDensity, 1e6).from(0).required(), "resistance factor");
  v.field("area", a.area, spec::quantity(kArea, 1e12).from(0), "area; else from the dimensions");
}

template <class V, Is<Body> T>
void describe(V& v, T& b) {
  v.field("name", b.name, spec::plain().required(), "unique name");
  v.field("shape", b.shape, spec::plain().required(), "shape in the body frame");
  v.field("material", b.material, spec::plain(), "name of a material");
  v.field("motion", b.motion, spec::plain(),
          "dynamic: moved by forces; static: immovable; kinematic: "
          "moved as told. A plane and a fixed point are static by themselves");
  v.field("mass", b.mass, spec::mass(), "mass; else density times volume");
  v.field("density", b.density, spec::density(), "density; else the material's");
  v.field("inertia", b.inertia, spec::inertia(),
          "about the mass centre in body axes: [xx, yy, zz], "
          "[xx, yy, zz, xy, xz, yz] or three rows; needs mass");
  v.field("center_of_mass", b.center_of_mass, spec::length(),
          "in the body frame; else from the shape");
  v.field("position", b.position, spec::length(), "position of the body frame");
  v.field("orientation", b.orientation, spec::plain(), "orientation of the body frame");
  v.field("velocity", b.velocity, spec::velocity(),
          "initial velocity; the steady one if kinematic");
  v.field("angular_velocity", b.angular_velocity, spec::angular_velocity(), "in world axes");
  v.field("angular_velocity_body", b.angular_velocity_body, spec::angular_velocity(),
          "in body axes");
  v.field("keyframes", b.keyframes, spec::plain(), "poses a kinematic body runs through");
  v.field("interpolation", b.interpolation, spec::plain(), "between keyframes");
  v.field("repeat", b.repeat, spec::plain(), "after the last keyframe");
  v.field("turn", b.turn, spec::plain(), "turning of a kinematic body about a fixed axis");
  v.field("release", b.release, spec::quantity(kTime, 1e9),
          "when a kinematic body is let go: dynamic from then on, with the velocity it has then");
  v.field("gravity", b.gravity, spec::plain(), "false: gravity does not act on it");
  v.field("collision", b.collision, spec::plain(), "false: it touches nothing");
  v.field("air", b.air, spec::plain(), "air resistance");
  v.field("surface_velocity", b.surface_velocity, spec::velocity(),
          "how its surface runs, in body axes: conveyor belts");
  v.field("sensor", b.sensor, spec::plain(),
          "true: what touches it is reported, nothing is pushed");
  v.field("one_way", b.one_way, spec::direction(),
          "the side that stops others, in body axes; from elsewhere they pass through");
  v.field("group", b.groups, spec::names(), "collision group or groups it belongs to");
  v.field("collides_with", b.collides_with, spec::names(), "the only groups it touches");
  v.field("ignores", b.ignores, spec::names(), "groups it passes through");
  v.field("color", b.color, spec::plain(), "colour; else the material's");
  v.field("transparency", b.transparency, spec::share(), "else the material's");
  v.field("reflection", b.reflection, spec::share(), "else the material's");
  v.field("roughness", b.roughness, spec::share(), "else the material's");
  v.field("metallic", b.metallic, spec::share(), "else the material's");
}

// --- the rest -----------------------------------------------------------------------------------

template <class V, Is<WorldSettings> T>
void describe(V& v, T& w) {
  v.field("gravity", w.gravity, spec::quantity(kAcceleration, 1e9), "acceleration of free fall");
  v.field("gravity_noise", w.gravity_noise, spec::share(),
          "lets gravity stray from that at random by up to this share of it, by seed");
  v.field("wind", w.wind, spec::velocity(), "velocity of the air, for bodies with air resistance");
  v.field("method", w.method, spec::plain(), "how the scene is simulated");
  v.field("force", w.force, spec::plain(), "options of the method 'force'");
  v.field("displacement", w.displacement, spec::plain(), "options of the method 'displacement'");
  v.field("step", w.step, spec::quantity(kTime).from(1e-9).up_to(10), "time step");
  v.field("tolerance", w.tolerance, spec::number().from(1e-12).up_to(0.1),
          "error, relative to body size");
  v.field("joint_solver", w.joint_solver, spec::plain(),
          "direct: all joints of a mechanism at once; sweep: one after the other");
  v.field("integration", w.integration, spec::plain(),
          "stable: damped only where the step is too coarse; conservative: never damped; rattle: "
          "substeps for the best trajectories");
  v.field("sweeps", w.sweeps, spec::number().whole().from(1).up_to(1e6),
          "of the joint solver 'sweep'");
  v.field("sweep", w.sweep, spec::plain(), "other options of the joint solver 'sweep'");
  v.field("sleeping", w.sleeping, spec::plain(),
          "what has come to rest costs next to nothing until something touches it");
  v.field("budget", w.budget, spec::quantity(kTime).from(0).up_to(1e3),
          "time per step for improving joints; 0: as long as it takes");
  v.field("seed", w.seed, spec::number().whole().from(0).up_to(9007199254740991.0),
          "of what is random during a run");
  v.field("duration", w.duration, spec::quantity(kTime).from(0).up_to(1e9),
          "simulated time of a run");
  v.field("threads", w.threads, spec::number().whole().from(0).up_to(1024),
          "0: as many as there are");
}
template <class V, Is<CameraKey> T>
void describe(V& v, T& k) {
  v.field("t", k.t, spec::quantity(kTime, 1e9).required(), "time");
  v.field("position", k.position, spec::length(), "where it is then; else the camera's");
  v.field("look_at", k.look_at, spec::length(), "what it looks at then; else the camera's");
  v.field("fov", k.fov, spec::quantity(kAngle).from(0.0017).up_to(3.1),
          "vertical angle of view; else the camera's");
}
template <class V, Is<Camera> T>
void describe(V& v, T& c) {
  v.field("name", c.name, spec::plain().required(), "unique name");
  v.field("automatic", c.automatic, spec::plain(), "placed so that the whole scene is seen");
  v.field("type", c.type, spec::plain(),
          "fixed: stands; orbit: goes around what it looks at; follow: goes along with a body; "
          "mounted: sits on a body; path: goes through keyframes");
  v.field("body", c.body, spec::plain(), "the body it looks at, follows or sits on");
  v.field("position", c.position, spec::length(),
          "where it stands; of one that is mounted in the frame of the body");
  v.field("look_at", c.look_at, spec::length(),
          "the point in the middle of the picture; of one that is mounted likewise");
  v.field("up", c.up, spec::direction(),
          "what is up in the picture; of one that is mounted likewise");
  v.field("fov", c.fov, spec::quantity(kAngle).from(0.0017).up_to(3.1), "vertical angle of view");
  v.field("period", c.period, spec::quantity(kTime, 1e9),
          "time for once around, of an orbit; negative: the other way");
  v.field("horizon", c.horizon, spec::plain(),
          "mounted: true keeps the horizon level, it turns with the body about the vertical only");
  v.field("smoothing", c.smoothing, spec::quantity(kTime).from(0).up_to(1e3),
          "over how long the body's motion is averaged, of follow and mounted");
  v.field("keyframes", c.keyframes, spec::plain(), "where it is when, of a path");
}
template <class V, Is<Shot> T>
void describe(V& v, T& s) {
  v.field("t", s.t, spec::quantity(kTime, 1e9).required(), "from this time on");
  v.field("camera", s.camera, spec::plain().required(), "a camera of the scene, or auto");
}
template <class V, Is<Light> T>
void describe(V& v, T& l) {
  v.field("name", l.name, spec::plain(), "name");
  v.field("type", l.type, spec::plain(),
          "sun: parallel light; point: a lamp; ambient: from everywhere");
  v.field("direction", l.direction, spec::direction(), "direction in which a sun's light travels");
  v.field("position", l.position, spec::length(), "place of a point light");
  v.field("color", l.color, spec::plain(), "colour");
  v.field("intensity", l.intensity, spec::number().from(0).up_to(1e6), "brightness, 1 is normal");
}

template <class V, class B>
void describe_block(V& v, B& b) {
  v.template tree<Body>("bodies", b.bodies, "bodies");
  v.template tree<Joint>("joints", b.joints, "joints");
  v.template tree<Connection>("connections", b.connections, "springs, dampers, rods, ropes");
  v.template tree<Force>("forces", b.forces, "forces and torques on a timeline");
  v.template tree<Rule>("rules", b.rules, "rules by which joints come and go");
  v.template tree<Anchor>("anchors", b.anchors, "anchors of rules");
  v.template tree<Want>("wants", b.wants, "wants of the scene's assembly");
  v.template tree<InstanceEntry>("instances", b.instances, "copies of prefabs");
  v.template tree<ArrayEntry>("arrays", b.arrays, "entries repeated over indices");
}
template <class V, Is<InstanceEntry> T>
void describe(V& v, T& i) {
  v.field("prefab", i.prefab, spec::plain().required(), "name of the prefab");
  v.field("name", i.name, spec::plain().required(), "its bodies are called name/body");
  v.field("position", i.position, spec::length(), "place of the copy");
  v.field("orientation", i.orientation, spec::plain(), "orientation of the copy");
  v.field("velocity", i.velocity, spec::velocity(), "added to the velocity of its dynamic bodies");
  v.raw("with", i.with, RawKind::kExpressionMap, spec::plain(),
        "values for the prefab's parameters");
}
template <class V, Is<ArrayEntry> T>
void describe(V& v, T& a) {
  v.raw("for", a.indices, RawKind::kIndexMap, spec::plain().required(), "indices and their values");
  v.raw("where", a.where, RawKind::kExpression, spec::plain(), "only where this is true");
  describe_block(v, a.block);
}
template <class V, Is<PrefabEntry> T>
void describe(V& v, T& p) {
  v.raw("parameters", p.parameters, RawKind::kExpressionMap, spec::plain(),
        "parameters with defaults");
  describe_block(v, p.block);
}
template <class V, Is<RangeEntry> T>
void describe(V& v, T& r) {
  v.field("from", r.from, spec::quantity(kNumber, 1e9), "first value");
  v.field("to", r.to, spec::quantity(kNumber, 1e9).required(), "last value");
  v.field("step", r.step, spec::quantity(kNumber, 1e9), "difference of two values");
}

// Parameters come first: every later value may use them.
template <class V, Is<Document> T>
void describe(V& v, T& d) {
  v.version("version of the format");
  v.field("title", d.title, spec::plain(), "name of the scene");
  v.field("description", d.description, spec::plain(), "what it shows");
  v.field("tags", d.tags, spec::names(), "words to find it by");
  v.named("parameters", d.parameters, "named numbers for expressions");
  v.field("world", d.world, spec::plain(), "gravity, method and time");
  v.named("materials", d.materials, "materials by name");
  v.field("pairs", d.pairs, spec::plain(), "values for pairs of materials");
  v.named("groups", d.groups, "collision groups by name");
  v.field("cameras", d.cameras, spec::plain(), "views");
  v.field("shots", d.shots, spec::plain(), "which camera a film shows when");
  v.field("lights", d.lights, spec::plain(), "lights");
  v.named("prefabs", d.prefabs, "groups of entries to be copied, by name");
  v.field("bodies", d.bodies, spec::plain(), "bodies");
  v.field("joints", d.joints, spec::plain(), "joints");
  v.field("connections", d.connections, spec::plain(), "springs, dampers, rods, ropes");
  v.field("forces", d.forces, spec::plain(), "forces and torques on a timeline");
  v.field("rules", d.rules, spec::plain(), "rules by which joints come and go");
  v.field("anchors", d.anchors, spec::plain(), "anchors of rules");
  v.field("assembly", d.assembly, spec::plain(), "how mechanisms are put together");
  v.template tree<InstanceEntry>("instances", d.instances, "copies of prefabs");
  v.template tree<ArrayEntry>("arrays", d.arrays, "entries repeated over indices");
}

}  // namespace tenon::scene
