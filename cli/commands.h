// One function per subcommand; each adds itself to the command line. `exit_code` is what the
// program returns:
//   0    done
//   1    bad input or a file that cannot be read or written; for `check`: the scene has mistakes;
//        for `compare`: the recordings differ
//   2    the command line itself is wrong; for `compare`: a recording cannot be read
//   130  interrupted by Ctrl-C (128 + signal)
#pragma once

namespace CLI {
class App;
}

namespace tenon::cli {

void add_run_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_gallery_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_resume_command(CLI::App& app, int& exit_code);
void add_schema_command(CLI::App& app, int& exit_code);

}  // namespace tenon::cli
