"""Plants one violation of every rule in a small tree and demands that it is found, alone."""
import unittest

from includes import check_included_names, check_standard_names
from layers import check_layers, parse_layers
from rules import (check_citations, check_deprecated, check_engine_headers, check_hidden_names, check_lengths, check_libm,
                   check_merges, check_paths)
from source_tree import make_source_file, split_comments

LAYER_LIST = """
# tenon_layer(ghost engine/ghost)
tenon_layer(base engine/base)
tenon_layer(math engine/math DEPENDS base)
tenon_layer(broad engine/collision/broad DEPENDS math)
tenon_layer(bodies engine/bodies DEPENDS math)
tenon_layer(solve_impulse engine/solve_impulse DEPENDS bodies)
tenon_layer(integrate engine/integrate DEPENDS bodies solve_impulse)
tenon_layer(world engine/world
            DEPENDS broad bodies integrate)
tenon_layer(recording recording DEPENDS world LIBRARIES PkgConfig::ZSTD)
"""
CLEAN = {
    "cmake/layer_list.cmake": LAYER_LIST,
    "docs/references.bib": "@book{Good2001,\n  title = {A}\n}\n",
    "engine/base/parallel.cpp": "#include <thread>\n",
    "engine/math/vec3.h": "#include <cmath>\n// [Good2001, sec. 3]\n",
    "engine/math/elementary.h": "double sin(double x);\n",
    "engine/math/detail/inner.h": "#include <Eigen/Dense>\n",
    "engine/math/use.cpp": '#include "tenon/engine/math/detail/inner.h"\n// std::sin( in a comment\n',
    "engine/collision/broad/tree.h": '#include "tenon/engine/math/vec3.h"\n',
    "engine/bodies/body.h": '#include "tenon/engine/math/elementary.h"\ndouble f = sin(1.0);\n',
    "engine/solve_impulse/sweep.h": "",
    "engine/integrate/rk.h": "",
    "engine/world/world.h": '#include "tenon/engine/bodies/body.h"\n',
    "recording/frame.h": "",
    "render/image.h": '#include "tenon/recording/frame.h"\n',
    "tests/fixture.h": "",
}
RULES = (check_layers, check_engine_headers, check_libm, check_deprecated, check_lengths, check_hidden_names,
         check_merges, check_paths, check_citations, check_included_names)


def violations(planted):
    texts = dict(CLEAN)
    for path, text in planted.items():
        texts[path] = texts.get(path, "") + text
    files = {path: make_source_file(path, text) for path, text in texts.items()}
    return [message for rule in RULES for message in rule(files)]


class PlantedViolations(unittest.TestCase):
    def expect_found(self, path, text, words):
        found = violations({path: text})
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])
        self.assertIn(path, found[0])

    def test_a_clean_tree_passes(self):
        self.assertEqual(violations({}), [])

    def test_names_that_clash_where_files_of_a_layer_are_compiled_as_one(self):
        for line in ("struct Head {", "constexpr int kMost = 3;", "const char* const kWords[] = {",
                     "bool is_far(const Vec3& a,\n            double b) {", "int count() { return 3; }"):
            text = "namespace {\n\n" + line + "\n\n}  // namespace\n"
            found = violations({"engine/math/a.cpp": text, "engine/math/detail/b.cpp": text})
            self.assertEqual(len(found), 1, found)
            self.assertIn("also in", found[0])
            self.assertEqual(violations({"engine/math/a.cpp": text, "engine/world/b.cpp": text}), [])

    def test_functions_of_one_name_that_take_something_else(self):
        one, other = "bool is_far(const Vec3& a) {", "bool is_far(const Quat& a) {"
        texts = ["namespace {\n\n" + line + "\n\n}  // namespace\n" for line in (one, other)]
        self.assertEqual(violations({"engine/math/a.cpp": texts[0], "engine/math/b.cpp": texts[1]}), [])

    def test_names_of_headers_that_are_not_included(self):
        header = ("struct Ball {};\nusing Balls = int;\ninline constexpr int kMost = 3;\nenum class Kind : char { kA };\n"
                  "double calc_size(const Ball& ball);\nstruct alignas(64) Wide {\n};\n#define TENON_X 1\n")
        uses = ("Ball b;", "int n = kMost;", "double d = calc_size({});", "return tenon::calc_size({});", "Kind k{};",
                "Balls b;", "Wide* w;", "int x = TENON_X;")
        for use in uses:
            lone = {"engine/bodies/ball.h": header, "engine/world/use.cpp": f"void f() {{ {use} }}\n"}
            found = violations(lone)
            self.assertEqual(len(found), 1, (use, found))
            self.assertIn("engine/world/use.cpp:1", found[0])
            lone["engine/world/use.cpp"] = '#include "tenon/engine/bodies/ball.h"\n' + lone["engine/world/use.cpp"]
            self.assertEqual(violations(lone), [])
        # reached through another header
        self.assertEqual(violations({"engine/bodies/ball.h": header, "engine/world/use.cpp": uses[0],
                                     "engine/world/all.h": '#include "tenon/engine/bodies/ball.h"\n'})[0][:20],
                         "engine/world/use.cpp")
        # names of one's own, members, and types that are announced
        for text in ("double calc_size = 3;", "void f(A a) { a.calc_size(1); }", "struct Ball;\nvoid f(const Ball& b);",
                     "enum class E { kMost };", "void f() { auto calc_size = [] {}; calc_size(); }"):
            self.assertEqual(violations({"engine/bodies/ball.h": header, "engine/world/use.cpp": text + "\n"}), [], text)

    def test_names_of_the_standard_library_without_their_header(self):
        def found(text):
            path = "engine/math/lone.cpp"
            return list(check_standard_names({path: make_source_file(path, text)}, "g++"))
        self.assertEqual(found("#include <vector>\nstd::vector<int> v;\n"), [])
        self.assertIn("std::map", found("#include <vector>\nstd::vector<int> v;\nstd::map<int, int> m;\n")[0])
        self.assertIn("std::sort", found("#include <cstdint>\nvoid f(int* a) { std::sort(a, a); }\nuint8_t b;\n")[0])
        self.assertIn("does not say", found("std::string text;\n")[0])

    def test_a_merge_that_was_not_finished(self):
        self.expect_found("docs/a.md", "<" * 7 + " HEAD\n", "merge")

    def test_a_lower_layer_looking_up(self):
        self.expect_found("engine/math/vec3.h", '#include "tenon/engine/world/world.h"\n',
                          "layer math may see only base, math")

    def test_neighbours_that_must_not_know_each_other(self):
        self.expect_found("engine/bodies/body.h",
                          '#include "tenon/engine/collision/broad/tree.h"\n', "layer bodies")

    def test_integrate_looking_at_a_solver_even_if_the_list_allows_it(self):
        self.expect_found("engine/integrate/rk.h",
                          '#include "tenon/engine/solve_impulse/sweep.h"\n', "never include")

    def test_angle_brackets_do_not_hide_an_include(self):
        self.expect_found("engine/math/vec3.h", "#include <tenon/engine/world/world.h>\n", "layer")

    def test_a_private_header_of_another_folder(self):
        self.expect_found("engine/bodies/body.h",
                          '#include "tenon/engine/math/detail/inner.h"\n', "private")

    def test_an_include_without_the_prefix(self):
        self.expect_found("engine/bodies/body.h", '#include "body_state.h"\n', "write")

    def test_a_missing_header(self):
        self.expect_found("engine/bodies/body.h", '#include "tenon/engine/no.h"\n', "not exist")

    def test_the_product_looking_at_tests(self):
        self.expect_found("engine/bodies/body.h", '#include "tenon/tests/fixture.h"\n', "tests")

    def test_render_looking_at_a_world(self):
        self.expect_found("render/image.h", '#include "tenon/engine/world/world.h"\n', "recordings")

    def test_a_layer_looking_at_what_stands_above(self):
        self.expect_found("recording/frame.h", '#include "tenon/render/image.h"\n', "above")

    def test_a_folder_that_is_no_layer(self):
        self.expect_found("engine/stray/x.h", "", "no layer")

    def test_forbidden_standard_headers(self):
        for name in ("iostream", "fstream", "chrono", "filesystem", "random", "thread"):
            self.expect_found("engine/bodies/body.cpp", f"#include <{name}>\n", name)
            self.expect_found("engine/bodies/body.h", f"#include <{name}>\n", name)

    def test_a_clock_in_the_one_file_with_threads(self):
        self.expect_found("engine/base/parallel.cpp", "#include <chrono>\n", "chrono")

    def test_a_third_party_header_in_an_engine_header(self):
        self.expect_found("engine/math/vec3.h", "#include <Eigen/Dense>\n", "third-party")

    def test_libm_calls(self):
        for call in ("std::sin(x)", "std::pow(x, 2)", "::exp(x)", "hypot(x, x)", "std :: log(x)"):
            self.expect_found("engine/bodies/body.cpp", f"double y = {call};\n", "libm")

    def test_an_unqualified_call_without_our_header(self):
        self.expect_found("engine/bodies/lone.cpp", "double y = sin(x);\n", "without")
        reached = '#include "tenon/engine/world/world.h"\ndouble y = sin(x) + a.exp(x);\n'
        self.assertEqual(violations({"engine/world/fine.cpp": reached}), [])

    def test_sorts_with_a_deprecated_buffer(self):
        self.expect_found("cli/run.cpp", "std::stable_sort(a.begin(), a.end());\n", "complete order")

    def test_a_long_file(self):
        self.expect_found("engine/bodies/long.cpp", "\n" * 800, "split")
        self.assertEqual(violations({"engine/bodies/long.cpp": "\n" * 799}), [])

    def test_a_machine_path(self):
        for place in ("home", "root", "work", "Users"):
            self.expect_found("tests/paths.py", f'open("{"/"}{place}/somebody/file")\n', "machine")
        self.assertEqual(violations({"tests/paths.sh": '"$ROOT/wor' + 'k/x" build/home/x\n'}), [])

    def test_an_unknown_citation(self):
        self.expect_found("engine/bodies/body.h", "// Source: [Nobody1999, eq. 4].\n", "Nobody1999")
        self.expect_found("engine/bodies/body.h", "// [Good2001, sec. 1; Nobody1999]\n", "Nobody")
        self.expect_found("engine/bodies/body.h", "// [vanNobody1999]\n", "vanNobody1999")
        self.assertEqual(violations({"docs/how.md": "Cite as [Key2006, sec. 2].\n"}), [])
        self.assertEqual(violations({"engine/bodies/body.h": "int a = b[Nobody1999];\n"}), [])

    def test_unused_and_doubled_entries(self):
        self.expect_found("docs/references.bib", "@book{Unused2000,\n}\n", "cited nowhere")
        self.expect_found("docs/references.bib", "@book{Good2001,\n}\n", "twice")


class Parsing(unittest.TestCase):
    def test_the_closure_of_a_layer(self):
        layers = parse_layers(LAYER_LIST)
        self.assertNotIn("ghost", layers.folders)
        self.assertEqual(layers.closure["broad"], {"broad", "math", "base"})
        self.assertEqual(layers.layer_of("engine/collision/broad/tree.h"), "broad")
        self.assertIsNone(layers.layer_of("render/image.h"))

    def test_layers_in_a_circle(self):
        with self.assertRaisesRegex(ValueError, "circle"):
            parse_layers("tenon_layer(a x DEPENDS b) tenon_layer(b y DEPENDS a)")
        with self.assertRaisesRegex(ValueError, "unknown layer"):
            parse_layers("tenon_layer(a x DEPENDS b)")

    def test_comments_and_strings_are_told_apart(self):
        code, comments = split_comments("a \"// no\" b // yes \"\n/* also\n */ 1'000'000 c\n")
        self.assertEqual(code.split(), ["a", "b", "1'000'000", "c"])
        self.assertEqual(comments.split(), ["//", "yes", '"', "/*", "also", "*/"])


if __name__ == "__main__":
    unittest.main()
