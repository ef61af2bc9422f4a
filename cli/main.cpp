// What can be typed, and what is called for it; main_exports.cpp has the commands that turn
// recordings into something else. Only these see CLI11.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenon/cli/commands.h"
#include "tenon/cli/large_pages.h"
#include "tenon/cli/line_parts.h"
#include "tenon/scene/formats/did_you_mean.h"

namespace tenon::cli {
namespace {

void add_run_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<RunArguments>();
  CLI::App* cmd = app.add_subcommand("run", "Simulate a scene, record it, and report");
  cmd->add_option("scene", args->scene,
                  "A scene (.json, .world), a model, a mesh, a motion, or gallery:NAME")
      ->required();
  cmd->add_option("-o,--output", args->output, "Recording to write (.tenon)");
  cmd->add_option("--seconds", args->seconds, "Simulated time, instead of the scene's duration");
  cmd->add_option("--step", args->step, "Step length, such as 1/60 or \"2 ms\"");
  cmd->add_option("--method", args->method, "impulse, force or displacement");
  cmd->add_option("--joint-solver", args->joint_solver,
                  "direct (all joints at once) or sweep (joint after joint)");
  cmd->add_option("--integration", args->integration, "stable, conservative or rattle");
  cmd->add_option("--sweeps", args->sweeps, "Sweeps per step of the sweep solver");
  cmd->add_option("--sweep-option", args->sweep_options,
                  "Change an option of the sweep solver: path=value, such as shock.on=false or "
                  "joints.correction=after_move; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_option("--tolerance", args->tolerance,
                  "What joints are solved to, relative to body size, such as 1e-6");
  cmd->add_option("--threads", args->threads, "Threads to use; results do not depend on it")
      ->check(CLI::Range(1, 256));
  auto joints = std::make_shared<bool>(true);
  const CLI::Option* joints_option =
      cmd->add_flag("--joints,!--no-joints", *joints,
                    "Record what joints do in every frame (default: if there are at most 1000)");
  cmd->add_flag("--contacts", args->contacts,
                "Record every point at which bodies touch, in every step");
  cmd->add_option("--set", args->set, "Change a value of the scene: path=value; repeatable")
      ->take_all()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_option("--report", args->report, "Write the report as JSON to this file");
  cmd->footer(
      "Examples:\n"
      "  tenon run my-scene.json -o my-run.tenon\n"
      "  tenon run gallery:free-top --seconds 20 --step 1/240 --report top.json\n"
      "  tenon run my-scene.json --set parameters.n=20 --set bodies.ball.mass=\"3 kg\"\n"
      "Ctrl-C ends the run early and closes the recording properly.");
  cmd->callback([args, joints, joints_option, &exit_code] {
    if (joints_option->count() > 0) args->joints = *joints;
    exit_code = run_scene(*args);
  });
}

void add_check_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<CheckArguments>();
  CLI::App* cmd = app.add_subcommand("check", "List all mistakes of scenes, with line and column");
  cmd->add_option("scene", args->scenes, "Scene files, or gallery:NAME")->required();
  cmd->add_option("--set", args->set, "Change a value first: path=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_flag("--mobility", args->mobility,
                "Also count the freedoms of every mechanism and name redundant, open and "
                "contradicting joints");
  cmd->footer(
      "Examples:\n  tenon check my-scene.json\n  tenon check gallery:bricard --mobility\n"
      "The exit code is 1 if there is a mistake, or a mechanism that cannot be closed.");
  cmd->callback([args, &exit_code] {
    for (const std::string& source : args->scenes) {
      if (const int code = check_scene_file(source, *args); code != 0) exit_code = code;
    }
  });
}

void add_mesh_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<MeshArguments>();
  CLI::App* cmd =
      app.add_subcommand("mesh", "Say what a file of triangles holds and what is wrong with it");
  cmd->add_option("file", args->file, "A mesh: .obj, .stl, .ply, .gltf or .glb")->required();
  cmd->add_option("--units", args->units, "What lengths in the file are: m, cm, mm, in, ft");
  cmd->add_option("--up", args->up, "The axis of the file that becomes y: y, z, x");
  cmd->add_option("--repair", args->repair, "Mend first: weld, drop, flip; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->footer(
      "Examples:\n  tenon mesh bone.obj\n  tenon mesh part.stl --units mm --up z --repair weld\n"
      "The file stays as it is. The exit code is 1 if it is no closed solid.");
  cmd->callback([args, &exit_code] { exit_code = describe_mesh(*args); });
}

void add_convert_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ConvertArguments>();
  CLI::App* cmd = app.add_subcommand("convert", "Write a scene in another format");
  cmd->add_option("scene", args->scene, "A scene file (.json, .world), a model, or gallery:NAME")
      ->required();
  cmd->add_option(
         "-o,--output", args->output,
         "File to write: NAME.json, NAME.world for AERO, NAME.urdf, NAME.xml for MuJoCo, or "
         "NAME.glb (glTF)")
      ->required();
  cmd->add_flag("--overwrite", args->overwrite, "Replace the file if it is there already");
  cmd->add_option("--set", args->set, "Change a value first: path=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->footer(
      "Examples:\n  tenon convert swing.world -o swing.json\n"
      "  tenon convert gallery:dominoes -o dominoes.world\n"
      "  tenon convert arm.json -o arm.urdf\n"
      "  tenon convert gallery:imported-humanoid -o figure.xml   (MuJoCo)\n"
      "  tenon convert gallery:dominoes -o dominoes.glb\n"
      "What a format cannot say is left out with a warning.");
  cmd->callback([args, &exit_code] { exit_code = convert_scene(*args); });
}

void add_import_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ImportArguments>();
  CLI::App* cmd = app.add_subcommand("import", "Make a scene of a file of another program's");
  cmd->add_option("file", args->file,
                  "A model (.urdf, .xml of MuJoCo, .glb, .gltf), a mesh (.obj, .stl, .ply) or a "
                  "motion (.bvh)")
      ->required();
  cmd->add_option("-o,--output", args->output, "Scene to write (.json)")->required();
  cmd->add_option("--height", args->height,
                  "Of the skeleton without rotations, in metres (default: 1.75)")
      ->check(kPositive);
  cmd->add_option("--scale", args->scale, "Instead: metres per unit of the file")
      ->check(kPositive)
      ->excludes("--height");
  cmd->add_option("--mass", args->mass, "Of the whole figure, in kg (default: 75)")
      ->check(kPositive);
  cmd->add_option("--release", args->release,
                  "Time in seconds at which the figure is let go, or 'never' (default: a frame "
                  "before the end of the motion)");
  cmd->add_option("--fps", args->fps, "Key frames per second (default: all frames of the file)")
      ->check(kPositive);
  cmd->add_flag("--floor", args->floor, "Add a floor below the model, or put the figure on one");
  CLI::Option_group* model = cmd->add_option_group("Models");
  model->add_option("--base", args->base, "Of a URDF: fixed (default) or free")
      ->check(CLI::IsMember({"fixed", "free"}));
  model->add_flag("--merge-fixed", args->merge_fixed,
                  "Make links that fixed joints hold parts of their parents");
  model->add_flag("--self-collision", args->self_collision,
                  "Of a URDF: links touch one another where they do not overlap at the start");
  model->add_flag("--hold", args->hold,
                  "Give each joint a motor that keeps it where it starts, within its effort");
  model->add_option("--start", args->start, "Where a joint starts: name=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  model
      ->add_option("--target", args->target, "Where a motor brings a joint: name=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  model->add_option("--keyframe", args->keyframe, "Of an MJCF: the state to start from");
  cmd->add_flag("--overwrite", args->overwrite, "Replace the output if it exists");
  cmd->footer(
      "Examples:\n  tenon import walk.bvh -o walk.json --height 1.8 --release 1.5 --floor\n"
      "  tenon import arm.urdf -o arm.json --hold --start shoulder=0.5 --start elbow=-1\n"
      "  tenon import humanoid.xml -o humanoid.json --keyframe squat\n"
      "'tenon run walk.bvh' does the same with the defaults and a floor; 'tenon run arm.urdf' "
      "with\n"
      "the defaults. What a file says that Tenon does not use is listed.");
  cmd->callback([args, &exit_code] { exit_code = import_file(*args); });
}

void add_assemble_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<AssembleArguments>();
  CLI::App* cmd =
      app.add_subcommand("assemble", "Bring bodies to where their joints fit, and write the scene");
  cmd->add_option("scene", args->scene,
                  "A scene (.json, .world), a model, a mesh, a motion, or gallery:NAME")
      ->required();
  cmd->add_option("-o,--output", args->output, "Scene to write (.json)");
  cmd->add_flag("--overwrite", args->overwrite, "Replace the file if it is there already");
  cmd->add_option("--budget", args->budget,
                  "What it may cost: iterations, such as 6x30 (six times 30 of conjugate "
                  "gradients), or a time, such as \"5 ms\"");
  cmd->add_option("--solver", args->solver,
                  "auto, conjugate_gradients, biconjugate or direct (default: the scene's)");
  cmd->add_option("--precision", args->precision,
                  "What joints are brought to, relative to body size, such as 1e-9");
  cmd->add_option("--set", args->set, "Change a value first: path=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_option("--report", args->report, "Write what was done as JSON to this file");
  cmd->footer(
      "Examples:\n  tenon assemble gallery:faure/two-disks -o together.json\n"
      "  tenon assemble gallery:faure/hand-in-hand --budget 6x30\n"
      "Wants, locked bodies and the like stand in the section \"assembly\" of the scene. Where "
      "the\n"
      "joints cannot fit, the nearest miss is written, the conflict named, and the exit code is "
      "1.");
  cmd->callback([args, &exit_code] { exit_code = assemble_scene(*args); });
}

void add_gallery_command(CLI::App& app, int& exit_code) {
  auto names_only = std::make_shared<bool>(false);
  auto show = std::make_shared<std::string>();
  CLI::App* cmd = app.add_subcommand("gallery", "List the scenes that come with Tenon");
  cmd->add_flag("--names", *names_only, "Names only, one per line");
  cmd->add_option("--show", *show, "Print the scene file of this name instead");
  cmd->footer("Example:\n  tenon gallery --show free-top > my-scene.json");
  cmd->callback([names_only, show, &exit_code] {
    exit_code = show->empty() ? list_gallery(*names_only) : print_gallery_scene(*show);
  });
}

void add_schema_command(CLI::App& app, int& exit_code) {
  CLI::App* cmd = app.add_subcommand("schema", "Print the JSON Schema of the scene format");
  cmd->footer("Example:\n  tenon schema > scene.schema.json");
  cmd->callback([&exit_code] { exit_code = print_schema(); });
}

void add_info_command(CLI::App& app, int& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App* cmd = app.add_subcommand("info", "Say what is in a recording");
  cmd->add_option("recording", *path, "A .tenon file, also one of a run that was killed")
      ->required();
  auto bodies = std::make_shared<bool>(false);
  cmd->add_flag("--bodies", *bodies,
                "A table of the bodies instead: motion, mass, mass centre, principal moments");
  auto joints = std::make_shared<bool>(false);
  cmd->add_flag("--joints", *joints, "A table of the joints instead: type, bodies, freedoms")
      ->excludes("--bodies");
  cmd->footer("Examples:\n  tenon info run.tenon\n  tenon info run.tenon --bodies");
  cmd->callback([path, bodies, joints, &exit_code] {
    exit_code = show_info(*path, *bodies   ? InfoDetail::kBodies
                                 : *joints ? InfoDetail::kJoints
                                           : InfoDetail::kSummary);
  });
}

void add_film_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<FilmArguments>();
  CLI::App* cmd = app.add_subcommand("film", "Make a video or a picture of a run, ray-traced");
  cmd->add_option("subject", args->subject,
                  "A .tenon recording; or a scene file, gallery:NAME or a project of the studio, "
                  "which is run first")
      ->required();
  cmd->add_option("-o,--output", args->output,
                  "NAME.mp4, .webm or .gif; NAME.png for one picture; FOLDER/ for all frames")
      ->required();
  cmd->add_option("--quality", args->quality, "draft, film (default) or photo");
  cmd->add_option("--size", args->size, "In pixels (default: 1280x720)");
  cmd->add_option("--fps", args->fps, "Frames per second (default: 30)");
  cmd->add_option("--slow", args->slow, "Slow motion: 4 is four times slower than reality");
  cmd->add_option("--from", args->from, "First time of the run, such as 0.7 or \"700 ms\"")
      ->transform(kTime);
  cmd->add_option("--to", args->to, "Last time of the run")->transform(kTime);
  cmd->add_option("--at", args->at, "Time of a single picture (default: the middle)")
      ->transform(kTime);
  cmd->add_option("--camera", args->camera,
                  "A camera of the scene, or auto (default: its shots, else its first camera)");
  cmd->add_option("--stereo", args->stereo,
                  "anaglyph (red and cyan), anaglyph-red-green, side-by-side or pair");
  cmd->add_option("--eye-distance", args->eye_distance,
                  "In metres (default: 0.065 for scenes of human size, scaled for others)");
  cmd->add_option("--show", args->show,
                  "Any of joints,contacts,forces,velocities,frames,trails,labels,energy,time");
  cmd->add_option("--blur", args->blur,
                  "Motion blur: how long the shutter is open, 0 to 1 of a frame (0.5 is a film's)");
  cmd->add_option("--samples", args->samples, "Rays per pixel, instead of those of the quality");
  cmd->add_option("--threads", args->threads, "Threads to use; pictures do not depend on it")
      ->check(CLI::Range(1, 256));
  cmd->add_option("--seconds", args->seconds, "Simulated time of a scene that is run first");
  cmd->add_option("--set", args->set, "Change a value of that scene: path=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_flag("--progress", args->lines, "A line on stderr for every frame that is done");
  cmd->footer(
      "Examples:\n  tenon film run.tenon -o run.mp4\n"
      "  tenon film gallery:cradle -o cradle.mp4 --quality draft --size 640x360 --fps 25\n"
      "  tenon film run.tenon -o still.png --at 1.2 --size 3840x2160 --quality photo\n"
      "  tenon film run.tenon -o slow.webm --from 1 --to 1.5 --slow 8 --show contacts,time\n"
      "  tenon film run.tenon -o eyes.mp4 --stereo anaglyph\n"
      "A film that was interrupted goes on where it stopped when the command is given again.");
  cmd->callback([args, &exit_code] { exit_code = make_film(*args); });
}

void add_compare_command(CLI::App& app, int& exit_code) {
  auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* cmd = app.add_subcommand("compare", "Find where two recordings differ");
  cmd->add_option("recordings", *paths, "Two .tenon files")->required()->expected(2);
  cmd->footer(
      "Example:\n  tenon compare a.tenon b.tenon\n"
      "Frames are matched by step number. The exit code is 0 if all common frames are equal\n"
      "in every bit, 1 if not, 2 if a recording cannot be read.");
  cmd->callback([paths, &exit_code] { exit_code = compare_recordings((*paths)[0], (*paths)[1]); });
}

void add_resume_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ResumeArguments>();
  CLI::App* cmd = app.add_subcommand("resume", "Go on from the middle of a recording");
  cmd->add_option("recording", args->recording, "A .tenon file, also one of a run that was killed")
      ->required();
  cmd->add_option("-o,--output", args->output, "Recording to write")->required();
  cmd->add_option("--at", args->at, "Time to go on from (default: the last frame)")
      ->transform(kTime)
      ->check(kNotNegative);
  cmd->add_option("--seconds", args->seconds, "How long (default: to the end of the original run)")
      ->transform(kTime)
      ->check(kPositive);
  cmd->add_option("--threads", args->threads, "Threads to use; results do not depend on it")
      ->check(CLI::Range(1, 256));
  cmd->add_flag("--go-on", args->go_on,
                "Go on even if a recomputed step differs from the recording");
  cmd->footer("Example:\n  tenon resume run.tenon --at 3.2 --seconds 5 -o longer.tenon");
  cmd->callback([args, &exit_code] { exit_code = resume_run(*args); });
}

void add_referee_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<RefereeArguments>();
  CLI::App* cmd = app.add_subcommand("referee", "Say how far a fast run is off, and until when");
  cmd->add_option("subject", args->subject, "A scene file, gallery:NAME, or a recording (.tenon)")
      ->required();
  cmd->add_option("--steps", args->steps,
                  "Steps of the method 'impulse' to judge, such as 1/60,1/240 (default: the "
                  "scene's, a quarter and about a sixteenth of it)")
      ->delimiter(',');
  cmd->add_option("--seconds", args->seconds, "How long (default: the scene's duration)")
      ->transform(kTime)
      ->check(kPositive);
  cmd->add_option("--accuracy", args->accuracy, "Of the reference (default: 1e-10)")
      ->check(CLI::Range(1e-13, 1e-2));
  cmd->add_option("--set", args->set, "Change a value of the scene: path=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_option("--threads", args->threads, "Threads to use; results do not depend on it")
      ->check(CLI::Range(1, 256));
  cmd->add_option("-o,--output", args->output,
                  "CSV to write: t,run,step_s,body,error_m,position_m,angle_rad,uncertainty_m");
  cmd->footer(
      "Examples:\n  tenon referee gallery:double-pendulum --seconds 5\n"
      "  tenon referee run.tenon -o off.csv\n"
      "The reference is the method 'force' with error control; a second one, a hundred times less\n"
      "accurate, says how sure it is.");
  cmd->callback([args, &exit_code] { exit_code = run_referee(*args); });
}

// The names of all options of a command, those of its groups included.
void add_option_names(const CLI::App& command, std::vector<std::string>& names) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const CLI::App* group : command.get_subcommands([](const CLI::App*) { return true; }))
    if (group->get_name().empty()) add_option_names(*group, names);
}

// What was typed and is no command or option, with what may have been meant; empty if there is no
// such word.
std::string describe_unknown(const CLI::App& app, int argc, char** argv) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) {
    if (argc < 2) return {};
    std::vector<std::string> names;
    add_option_names(app, names);
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(command->get_name());
    return std::string("'") + argv[1] + "' is not a command or option of tenon" +
           scene::did_you_mean(argv[1], names) + "; 'tenon --help' lists them";
  }
  const std::string command = "tenon " + chosen.front()->get_name();
  std::vector<std::string> names;
  add_option_names(*chosen.front(), names);
  for (const std::string word : std::span(argv + 1, static_cast<size_t>(argc) - 1)) {
    const std::string name = word.substr(0, word.find('='));
    if (name.size() < 3 || !name.starts_with("--")) continue;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return "'" + name + "' is not an option of '" + command + "'" +
           scene::did_you_mean(name, names) + "; '" + command + " --help' lists them";
  }
  return {};
}

}  // namespace

static int run_command_line(int argc, char** argv) {
  CLI::App app{"Tenon simulates and animates articulated rigid bodies.", "tenon"};
  app.set_version_flag("--version", "tenon " TENON_VERSION);
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Show this help");
  app.failure_message(CLI::FailureMessage::simple);
  app.footer(
      "Examples:\n"
      "  tenon gallery                                  scenes that come with Tenon\n"
      "  tenon run gallery:in-flight -o flight.tenon    simulate and record\n"
      "  tenon film flight.tenon -o flight.mp4          make a film of it\n"
      "  tenon studio gallery:cradle                    build, run and change it in a browser\n"
      "  tenon info flight.tenon                        what is in the recording\n"
      "  tenon export flight.tenon --poses flight.csv   poses and velocities as a table\n"
      "  tenon check my-scene.json                      all mistakes of a scene, with line and "
      "column\n"
      "'tenon COMMAND --help' explains a command and gives examples.");
  int exit_code = 0;
  add_run_command(app, exit_code);
  add_check_command(app, exit_code);
  add_mesh_command(app, exit_code);
  add_convert_command(app, exit_code);
  add_import_command(app, exit_code);
  add_assemble_command(app, exit_code);
  add_gallery_command(app, exit_code);
  add_info_command(app, exit_code);
  add_export_command(app, exit_code);
  add_film_command(app, exit_code);
  add_plot_command(app, exit_code);
  add_report_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_resume_command(app, exit_code);
  add_referee_command(app, exit_code);
  add_schema_command(app, exit_code);
  add_studio_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // an unknown word is a likelier mistake than a forgotten one
    const auto code_of = [](CLI::ExitCodes code) { return static_cast<int>(code); };
    const bool missed = error.get_exit_code() == code_of(CLI::ExitCodes::RequiredError) ||
                        error.get_exit_code() == code_of(CLI::ExitCodes::ExtrasError);
    const std::string unknown = missed ? describe_unknown(app, argc, argv) : "";
    if (!unknown.empty()) {
      std::fprintf(stderr, "%s\n", unknown.c_str());
      return 2;
    }
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
  return exit_code;
}

}  // namespace tenon::cli

int main(int argc, char** argv) {
  tenon::use_large_pages(argv);
  return tenon::cli::run_command_line(argc, argv);
}
