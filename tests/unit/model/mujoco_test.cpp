// What MuJoCo itself makes of the files that Tenon writes: masses, places and gravity loads.
#include <mujoco/mujoco.h>

#include <cmath>

#include "tenon/scene/mjcf/export_mjcf.h"
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

struct DeleteModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
struct Loaded {
  std::unique_ptr<mjModel, DeleteModel> model;
  std::unique_ptr<mjData, DeleteModel> data;
};

Loaded load_file(const std::string& path) {
  char error[1000] = "";
  Loaded loaded;
  loaded.model.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  EXPECT_NE(loaded.model, nullptr) << path << ": " << error;
  if (loaded.model) loaded.data.reset(mj_makeData(loaded.model.get()));
  if (loaded.data) mj_forward(loaded.model.get(), loaded.data.get());
  return loaded;
}

// Written to a folder of its own, with its meshes.
Loaded load_text(const mjcf::MjcfText& text) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "tenon_mujoco_test";
  std::filesystem::create_directories(folder);
  const auto put = [&](const std::string& name, const std::string& content) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << content;
  };
  for (const mjcf::MeshFileText& mesh : text.meshes) put(mesh.name, mesh.text);
  put("model.xml", text.text);
  return load_file((folder / "model.xml").string());
}

mjcf::MjcfText write_scene(const Document& flat) {
  Result<mjcf::MjcfText> made = mjcf::export_mjcf(flat);
  EXPECT_TRUE(made.ok()) << tenon::format(made.error());
  return made.ok() ? std::move(*made) : mjcf::MjcfText{};
}

// Bodies where the scene has them as it starts, and as heavy.
void expect_scene(const Document& flat, const Loaded& loaded) {
  const mjModel& m = *loaded.model;
  const mjData& d = *loaded.data;
  for (const Body& body : flat.bodies) {
    const int id = mj_name2id(&m, mjOBJ_BODY, body.name.c_str());
    if (id < 0) continue;  // planes, and what an import put between freedoms
    const Vec3 p{d.xpos[3 * id], d.xpos[3 * id + 1], d.xpos[3 * id + 2]};
    EXPECT_NEAR(norm(p - test::z_up(body.position)), 0, 1e-9) << body.name;
    // bodies between freedoms hold 1e-4 each of what MuJoCo has in one
    if (body.mass && body.motion == Motion::kDynamic) {
      EXPECT_NEAR(m.body_mass[id], *body.mass, 3e-4 * *body.mass) << body.name;
    }
  }
}

std::string model_file(const std::string& name) {
  return std::string(TENON_SOURCE_DIR) + "/gallery/models/" + name;
}

// The same model, by the file of others and by ours.
void expect_same_model(const std::string& path) {
  const auto made = mjcf::import_mjcf(test::read_file(path), path, test::disk());
  ASSERT_TRUE(made.ok()) << tenon::format(made.error());
  const LoadResult loaded = load_scene(save_scene(made->document), path);
  const Loaded ours = load_text(write_scene(loaded.flat)), theirs = load_file(path);
  ASSERT_TRUE(ours.data && theirs.data);
  const mjModel &m = *ours.model, &o = *theirs.model;
  ASSERT_EQ(m.nq, o.nq);
  ASSERT_EQ(m.nv, o.nv);
  EXPECT_EQ(m.nu, o.nu);
  EXPECT_EQ(m.neq, o.neq);
  for (int k = 0; k < o.nv; ++k) {
    EXPECT_NEAR(ours.data->qfrc_bias[k], theirs.data->qfrc_bias[k], 1e-9) << k;  // gravity loads
    // actuators that damp are part of their joint
    if (o.nu == 0) {
      EXPECT_NEAR(m.dof_damping[k], o.dof_damping[k], 1e-12) << k;
    }
    EXPECT_NEAR(m.dof_frictionloss[k], o.dof_frictionloss[k], 1e-12) << k;
  }
  for (int k = 0; k < o.njnt; ++k) {
    EXPECT_EQ(m.jnt_limited[k], o.jnt_limited[k]) << k;
    if (!o.jnt_limited[k]) continue;
    EXPECT_NEAR(m.jnt_range[2 * k], o.jnt_range[2 * k], 1e-12) << k;
    EXPECT_NEAR(m.jnt_range[2 * k + 1], o.jnt_range[2 * k + 1], 1e-12) << k;
  }
  expect_scene(loaded.flat, ours);
}

TEST(MuJoCo, ReadsModelsThatWentThroughTenonAsItReadsThemselves) {
  expect_same_model(model_file("gripper.xml"));
  expect_same_model(model_file("humanoid.xml"));
  for (const char* name : {"acrobot.xml", "humanoid.xml", "walker.xml"}) {
    const std::string path = std::string(TENON_MODELS) + "/mjcf/" + name;
    if (std::filesystem::exists(path)) expect_same_model(path);
  }
}

TEST(MuJoCo, HasBodiesOfTheGalleryWhereTheSceneHasThem) {
  for (const char* name : {"double-pendulum", "dominoes", "joint-zoo", "tank", "slider-crank",
                           "imported-arm", "gears", "aero/vehicle-on-ice"}) {
    const std::string path = std::string(TENON_SOURCE_DIR) + "/gallery/" + name + ".json";
    const LoadResult loaded = load_scene(test::read_file(path), path);
    if (!loaded.ok()) continue;  // scenes in other formats
    const Loaded ours = load_text(write_scene(loaded.flat));
    ASSERT_TRUE(ours.data) << name;
    expect_scene(loaded.flat, ours);
  }
}

}  // namespace
}  // namespace tenon::scene
