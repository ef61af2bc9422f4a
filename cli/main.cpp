#include <CLI/CLI.hpp>

#include "tenon/cli/commands.h"

int main(int argc, char** argv) {
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
  tenon::cli::add_run_command(app, exit_code);
  tenon::cli::add_check_command(app, exit_code);
  tenon::cli::add_gallery_command(app, exit_code);
  tenon::cli::add_info_command(app, exit_code);
  tenon::cli::add_export_command(app, exit_code);
  tenon::cli::add_compare_command(app, exit_code);
  tenon::cli::add_resume_command(app, exit_code);
  tenon::cli::add_schema_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
  return exit_code;
}
