// The only file that sees CLI11: what can be typed, and what is called for it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenon/cli/commands.h"
#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/expression.h"

namespace tenon::cli {
namespace {

// CLI11's own checks print the largest double in 300 digits.
std::string number_above(const std::string& text, double lowest, bool or_equal) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool good = end != text.c_str() && *end == 0 && value < 1e300 &&
                    (or_equal ? value >= lowest : value > lowest);
  if (good) return {};
  return "must be a number " + std::string(or_equal ? "of at least " : "above ") +
         (lowest == 0 ? "0" : "1") + ", not " + text;
}
const CLI::Validator kPositive([](std::string& s) { return number_above(s, 0, false); },
                               "NUMBER > 0");
const CLI::Validator kNotNegative([](std::string& s) { return number_above(s, 0, true); },
                                  "NUMBER >= 0");
// "0.7", "700 ms", "1/2 min": any expression for a time, as a scene has them, in seconds.
std::string read_time(std::string& text) {
  const scene::Evaluation e = scene::evaluate(text, scene::Scope{});
  const bool time = e.value.dimension == scene::kTime || e.value.dimension.none();
  if (!e.ok || !time || !(std::fabs(e.value.value) < 1e300)) {
    return "must be a time such as 0.7 or \"700 ms\", not " + text +
           (e.ok ? std::string() : " (" + e.message + ")");
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.17g", e.value.value);
  text = seconds;
  return {};
}
const CLI::Validator kTime(read_time, "TIME");
const CLI::Validator kCount([](std::string& s) { return number_above(s, 1, true); }, "COUNT");

void add_run_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<RunArguments>();
  CLI::App* cmd = app.add_subcommand("run", "Simulate a scene, record it, and report");
  cmd->add_option("scene", args->scene, "A scene file (.json, .world), or gallery:NAME")
      ->required();
  cmd->add_option("-o,--output", args->output, "Recording to write (.tenon)");
  cmd->add_option("--seconds", args->seconds, "Simulated time, instead of the scene's duration");
  cmd->add_option("--step", args->step, "Step length, such as 1/60 or \"2 ms\"");
  cmd->add_option("--method", args->method, "impulse or force");
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

void add_convert_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ConvertArguments>();
  CLI::App* cmd = app.add_subcommand("convert", "Write a scene in another format");
  cmd->add_option("scene", args->scene, "A scene file (.json, .world), or gallery:NAME")
      ->required();
  cmd->add_option("-o,--output", args->output, "File to write: NAME.json, or NAME.world for AERO")
      ->required();
  cmd->add_flag("--overwrite", args->overwrite, "Replace the file if it is there already");
  cmd->add_option("--set", args->set, "Change a value first: path=value; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->footer(
      "Examples:\n  tenon convert swing.world -o swing.json\n"
      "  tenon convert gallery:dominoes -o dominoes.world\n"
      "What a format cannot say is left out with a warning.");
  cmd->callback([args, &exit_code] { exit_code = convert_scene(*args); });
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

void add_export_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ExportArguments>();
  CLI::App* cmd = app.add_subcommand("export", "Turn a recording into files for other programs");
  cmd->add_option("recording", args->recording, "A .tenon file")->required();
  auto* outputs = cmd->add_option_group("files", "What to write, at least one");
  outputs->add_option("--poses", args->poses,
                      "CSV to write: t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  outputs->add_option("--joints", args->joints,
                      "CSV to write: t,joint,gap_m,angle_rad,x,y,z,rx,ry,rz,fx,fy,fz,tx,ty,tz,"
                      "enabled,broken");
  outputs->add_option("--events", args->events,
                      "CSV to write: t,step,event,a,b,value,joint,impulse");
  outputs->add_option("--contacts", args->contacts,
                      "CSV to write: t,step,a,b,x,y,z,nx,ny,nz,distance_m,jx,jy,jz,acts");
  outputs->add_option("--diagnostics", args->diagnostics,
                      "CSV to write: energy, momentum, contacts and errors of every step");
  outputs->add_option("--svg", args->svg, "Picture to write, for any browser");
  outputs->require_option(1, 6);
  cmd->add_option("--body", args->csv.bodies,
                  "Only poses of this body, and events and contacts of it; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_option("--from", args->csv.from_s, "First time, in seconds or with a unit")
      ->transform(kTime);
  cmd->add_option("--to", args->csv.to_s, "Last time")->transform(kTime);
  cmd->add_option("--every", args->csv.every,
                  "Only every n-th frame of poses and joints, and step of contacts and "
                  "diagnostics")
      ->check(kCount);
  cmd->add_option("--at", args->sketch.at_s,
                  "Time of the picture, such as 0.7 or \"700 ms\" (default: the middle; with "
                  "--strobe the end)")
      ->transform(kTime);
  cmd->add_option("--strobe", args->sketch.strobe,
                  "So many poses from the beginning to that time in one picture, with paths")
      ->check(CLI::Range(1, 100));
  cmd->add_option("--camera", args->sketch.camera,
                  "A camera of the scene, or auto (default: the first)");
  cmd->add_option("--size", args->size, "Of the picture in pixels (default: 1280x720)");
  cmd->footer(
      "Examples:\n  tenon export run.tenon --svg run.svg --at 0.7\n"
      "  tenon export run.tenon --svg run.svg --strobe 6 --size 1920x1080\n"
      "  tenon export run.tenon --poses run.csv --body ball --every 10\n"
      "  tenon export run.tenon --events events.csv --diagnostics energy.csv --from 1 --to 2\n"
      "x y z is the origin of the body's frame, vx vy vz the velocity of its mass centre.");
  cmd->callback([args, &exit_code] { exit_code = export_files(*args); });
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
      "  tenon info flight.tenon                        what is in the recording\n"
      "  tenon export flight.tenon --poses flight.csv   poses and velocities as a table\n"
      "  tenon check my-scene.json                      all mistakes of a scene, with line and "
      "column\n"
      "'tenon COMMAND --help' explains a command and gives examples.");
  int exit_code = 0;
  add_run_command(app, exit_code);
  add_check_command(app, exit_code);
  add_convert_command(app, exit_code);
  add_gallery_command(app, exit_code);
  add_info_command(app, exit_code);
  add_export_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_resume_command(app, exit_code);
  add_referee_command(app, exit_code);
  add_schema_command(app, exit_code);
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

int main(int argc, char** argv) { return tenon::cli::run_command_line(argc, argv); }
