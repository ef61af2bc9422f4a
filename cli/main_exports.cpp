// The command line of what turns recordings into tables, pictures and plots.
#include <memory>

#include "tenon/cli/commands.h"
#include "tenon/cli/line_parts.h"

namespace tenon::cli {

void add_export_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ExportArguments>();
  CLI::App* cmd = app.add_subcommand("export", "Turn a recording into files for other programs");
  cmd->add_option("recording", args->recording, "A .tenon file, or a project of the studio")
      ->required();
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
  outputs->add_option("--gltf", args->gltf,
                      "glTF 2.0 file to write (.glb): shapes, materials, animation, cameras");
  outputs->add_option("--html", args->html,
                      "Page to write that plays the recording in any browser, offline");
  outputs->add_option("--obj", args->obj,
                      "Wavefront OBJ of one instant to write, with its .mtl beside it");
  outputs->add_option("--all-csv", args->all_csv,
                      "Folder for all tables that the recording has, NAME.csv each");
  auto* pov = outputs->add_option("--pov", args->pov.folder,
                                  "Folder for POV-Ray: a scene per frame and an .ini for all");
  outputs->require_option(1, 11);
  cmd->add_flag("--render", args->pov.render, "Also run POV-Ray on what --pov has written")
      ->needs(pov);
  cmd->add_flag("--stereo", args->pov.stereo, "A picture for each eye: left_*.pov, right_*.pov")
      ->needs(pov);
  cmd->add_option("--eye-distance", args->pov.eye_distance_m,
                  "In metres (default: 0.065 for scenes of human size, scaled for others)")
      ->check(kPositive)
      ->needs(pov);
  cmd->add_option("--fps", args->pov.options.fps, "Frames per second of --pov (default: 25)")
      ->needs(pov);
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
                  "Time of --svg and --obj, such as 0.7 or \"700 ms\" (default: the middle; with "
                  "--strobe the end)")
      ->transform(kTime);
  cmd->add_option("--strobe", args->sketch.strobe,
                  "So many poses from the beginning to that time in one picture, with paths")
      ->check(CLI::Range(1, 100));
  cmd->add_option("--camera", args->sketch.camera,
                  "A camera of the scene, or auto (default: the first)");
  cmd->add_option("--size", args->size,
                  "Of the picture in pixels (default: 1280x720; --pov: 640x360)");
  cmd->footer(
      "Examples:\n  tenon export run.tenon --svg run.svg --at 0.7\n"
      "  tenon export run.tenon --svg run.svg --strobe 6 --size 1920x1080\n"
      "  tenon export run.tenon --gltf run.glb --html run.html\n"
      "  tenon export run.tenon --pov run-pov --fps 25 --render\n"
      "  tenon export run.tenon --poses run.csv --body ball --every 10\n"
      "  tenon export run.tenon --events events.csv --diagnostics energy.csv --from 1 --to 2\n"
      "x y z is the origin of the body's frame, vx vy vz the velocity of its mass centre.");
  cmd->callback([args, &exit_code] { exit_code = export_files(*args); });
}

void add_plot_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<PlotArguments>();
  CLI::App* cmd = app.add_subcommand("plot", "Draw curves over time from a recording");
  cmd->add_option("recording", args->recording, "A .tenon file")->required();
  cmd->add_option("--what", args->what,
                  "Panels, separated by commas; series of one panel are joined by +\n"
                  "(default: energy,joint-gap,penetration); repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  cmd->add_option("-o,--output", args->output, "File to write: NAME.svg, NAME.png or NAME.html")
      ->required();
  cmd->add_option("--from", args->from_s, "First time, in seconds or with a unit")
      ->transform(kTime);
  cmd->add_option("--to", args->to_s, "Last time")->transform(kTime);
  cmd->add_option("--width", args->chart.width, "In pixels (default: 960)");
  cmd->add_option("--panel-height", args->chart.panel_height, "In pixels (default: 190)");
  cmd->add_option("--scale", args->scale, "Of a PNG: pixels per pixel, for print (default: 2)")
      ->check(CLI::Range(0.1, 10.0));
  cmd->footer(
      "Panels: energy, energy-balance, work, contact-work, joint-gap, joint-gap-relative,\n"
      "joint-angle, penetration, momentum, angular-momentum, contacts, solver, sleeping, phases,\n"
      "  body:NAME.QUANTITY   x y z vx vy vz wx wy wz qw qx qy qz speed spin position velocity\n"
      "                       angular-velocity\n"
      "  joint:NAME.QUANTITY  angle gap misalignment x y z rx ry rz force torque fx fy fz tx ty "
      "tz\n"
      "A * in NAME stands for any letters.\n"
      "Examples:\n  tenon plot run.tenon -o run.svg\n"
      "  tenon plot run.tenon --what energy,body:ball.y,body:ball.speed -o run.html\n"
      "  tenon plot run.tenon --what 'body:link*.y,phases' --from 1 --to 2 -o run.png");
  cmd->callback([args, &exit_code] { exit_code = plot_recording(*args); });
}

void add_report_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<ReportArguments>();
  CLI::App* cmd = app.add_subcommand("report", "Write one page about a run, for a lab report");
  cmd->add_option("recording", args->recording, "A .tenon file")->required();
  cmd->add_option("-o,--output", args->output, "Page to write (.html)")->required();
  cmd->add_option("--stills", args->stills, "Pictures in its film strip (default: 6)")
      ->check(CLI::Range(0, 24));
  cmd->add_option("--camera", args->camera, "A camera of the scene, or auto");
  cmd->add_option("--threads", args->threads, "Threads to draw with")->check(CLI::Range(1, 256));
  cmd->footer(
      "Example:\n  tenon report run.tenon -o run.html\n"
      "Film strip, curves, accuracy, energy, time per phase, hints, and how to make it again.");
  cmd->callback([args, &exit_code] { exit_code = write_report(*args); });
}

}  // namespace tenon::cli
