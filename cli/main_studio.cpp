// The command line of the studio.
#include <memory>

#include "tenon/cli/commands.h"
#include "tenon/cli/line_parts.h"

namespace tenon::cli {

void add_studio_command(CLI::App& app, int& exit_code) {
  auto args = std::make_shared<StudioArguments>();
  CLI::App* cmd = app.add_subcommand("studio", "Build, run, scrub and change scenes in a browser");
  cmd->add_option("scene", args->scene,
                  "A scene (.json, .world), a model, a mesh, a motion, or gallery:NAME");
  cmd->add_option("--folder", args->folder,
                  "Scenes are opened from and saved to this folder, and nowhere else (default: the "
                  "current one)");
  cmd->add_option("--port", args->port, "Of the local server; 0: any that is free (default: 8471)")
      ->check(CLI::Range(0, 65535));
  cmd->add_option("--memory", args->memory_mb,
                  "Megabytes for frames and states of a session (default: 512)")
      ->check(CLI::Range(16, 65536));
  cmd->add_flag("--browser,!--no-browser", args->browser, "Open a browser (default: yes)");
  cmd->add_option("--export", args->export_to,
                  "Write the studio as a static site to this folder: no server, no install");
  cmd->add_option("--page", args->page, "The built page (default: beside the program)");
  cmd->footer(
      "Examples:\n"
      "  tenon studio gallery:cradle\n"
      "  tenon studio my-scene.json --folder scenes\n"
      "  tenon studio --export site      then put the folder on any web server\n"
      "The server listens on this machine only, and its address holds a secret. Ctrl-C ends it.");
  cmd->callback([args, &exit_code] { exit_code = run_studio(*args); });
}

}  // namespace tenon::cli
