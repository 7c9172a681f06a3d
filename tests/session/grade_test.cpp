// SPDX-License-Identifier: GPL-3.0-or-later
// Exercises are right, and hand-ins get the grade that they should. What is handed in lies in hand_ins, each with its
// verdict in the first line and its PTX beside it, so that no compiler is needed.
#include "app/session/compiler.h"
#include "app/session/grade.h"
#include "app/session/hand_in.h"
#include "gpu/base/read_file.h"
#include "gpu/cage/walls.h"
#include "gpu/launch/arguments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <regex>

#include <unistd.h>

using namespace warpglass;
using namespace warpglass::session;
namespace fs = std::filesystem;

namespace {

fs::path handIns() {
    return fs::path(WARPGLASS_SOURCE_DIR) / "tests/session/hand_ins";
}

std::string textOf(const fs::path& path) {
    auto text = readFile(path);
    EXPECT_TRUE(text.ok()) << path;
    return text ? std::move(*text) : std::string();
}

Grade graded(const std::string& exercise, const HandIn& handIn, const GradeLimits& limits = {}) {
    const auto found = findExercise(exercise);
    EXPECT_TRUE(found.ok()) << exercise;
    Progress progress;
    auto result = grade(*found, handIn, limits, progress);
    EXPECT_TRUE(result.ok()) << (result ? "" : result.error().text());
    return result ? std::move(*result) : Grade{};
}

Grade graded(const std::string& exercise, const std::string& text) {
    return graded(exercise, HandIn{"ada.cu", text, nullptr});
}

const GoalGrade& goalOf(const Grade& grade, const std::string& name) {
    static const GoalGrade none;
    for (const GoalGrade& g : grade.goals)
        if (g.goal == name)
            return g;
    ADD_FAILURE() << "no goal " << name;
    return none;
}

struct Verdict {
    std::string exercise, misses, says; // misses: empty: it passes
    int line = 0;
};
Verdict verdictIn(const std::string& source) {
    static const std::regex passes(".*; ([\\w-]+) passes"),
        misses(".*; ([\\w-]+) misses ([\\w ]*?\\w)(?: at line (\\d+))?: (.*)");
    const std::string first = source.substr(0, source.find('\n'));
    std::smatch found;
    if (std::regex_match(first, found, passes))
        return {.exercise = found[1], .misses = {}, .says = {}};
    EXPECT_TRUE(std::regex_match(first, found, misses)) << first;
    return {found[1], found[2], found[4], found[3].matched ? std::stoi(found[3]) : 0};
}

void expectVerdict(const Grade& grade, const Verdict& verdict, bool isSource) {
    const std::string text = gradeText(grade, "en");
    EXPECT_EQ(grade.passed(), verdict.misses.empty()) << text;
    if (verdict.misses.empty())
        return;
    const GoalGrade& goal = goalOf(grade, verdict.misses);
    EXPECT_EQ(goal.state, GoalState::Missed) << text;
    EXPECT_NE((goal.found.en + " " + goal.help.en).find(verdict.says), std::string::npos) << text;
    EXPECT_FALSE(goal.help.en.empty() || goal.help.zh.empty() || goal.found.zh.empty()) << text;
    if (verdict.line > 0 && isSource) {
        EXPECT_EQ(goal.line, verdict.line) << text;
    }
}

} // namespace

TEST(Exercises, AreTwelveOrMoreInAnOrderThatIsSaid) {
    std::size_t files = 0;
    for (const auto& file : fs::directory_iterator(fs::path(WARPGLASS_SOURCE_DIR) / "resources/exercises")) {
        if (file.path().extension() != ".json")
            continue;
        ++files;
        const auto exercise = readExercise(file.path().string());
        ASSERT_TRUE(exercise.ok()) << exercise.error().text();
        EXPECT_EQ(exercise->name, file.path().stem());
    }
    const auto& all = builtInExercises();
    EXPECT_EQ(all.size(), files); // those that cannot be read would be missing
    EXPECT_GE(all.size(), 12u);
    int before = -1;
    for (const Exercise& e : all) {
        EXPECT_GT(e.order.value_or(-1), before) << e.name;
        before = e.order.value_or(-1);
        EXPECT_FALSE(e.goals.empty()) << e.name;
        EXPECT_GE(e.hints.size(), 2u) << e.name;
        std::vector<LocalWords> words{e.title, e.summary, e.task};
        words.insert(words.end(), e.hints.begin(), e.hints.end());
        for (const ExerciseGoal& g : e.goals)
            words.insert(words.end(), {g.title, g.help});
        for (const LocalWords& w : words)
            EXPECT_FALSE(w.en.empty() || w.zh.empty()) << e.name << ": " << w.en;
    }
}

TEST(Exercises, StartersMissAGoalAndSolutionsReachAll) {
    Progress progress;
    for (const Exercise& exercise : builtInExercises()) {
        ASSERT_TRUE(exercise.starter.compiled && exercise.solution.compiled) << exercise.name;
        const auto findings = checkExercise(exercise, {}, progress);
        ASSERT_TRUE(findings.ok()) << exercise.name << ": " << findings.error().text();
        for (const ExerciseFinding& finding : *findings)
            ADD_FAILURE() << exercise.name << ": " << finding.text;
    }
}

TEST(Exercises, TheirPtxIsThatOfTheirSources) { // as far as a grade can tell
    if (findCompiler().empty())
        GTEST_SKIP() << "nvcc is not on PATH";
    for (const char* name : {"no-divided-warp", "four-at-once"}) {
        Exercise exercise = *findExercise(name);
        exercise.starter.compiled = exercise.solution.compiled = nullptr;
        Progress progress;
        const auto findings = checkExercise(exercise, {}, progress);
        ASSERT_TRUE(findings.ok()) << findings.error().text();
        EXPECT_TRUE(findings->empty()) << findings->front().text;
    }
}

TEST(Grading, HandInsGetTheirVerdict) {
    int right = 0, wrong = 0;
    for (const auto& file : fs::directory_iterator(handIns())) {
        if (file.path().extension() != ".cu")
            continue;
        SCOPED_TRACE(file.path().filename());
        const std::string source = textOf(file.path());
        const std::string ptx = textOf(fs::path(file.path()).replace_extension(".ptx"));
        const Verdict verdict = verdictIn(source);
        const auto compiled = std::make_shared<CompiledText>(
            CompiledText{.ptx = ptx, .text = source, .instance = {}, .mode = CompileMode::Optimised});
        GradeLimits patient;
        patient.seconds = 300; // instructions are to end what does not end, on slow machines, too
        expectVerdict(graded(verdict.exercise, HandIn{file.path().filename(), source, compiled}, patient), verdict,
                      true);
        ++(verdict.misses.empty() ? right : wrong);
    }
    EXPECT_GE(right, 12);
    EXPECT_GE(wrong, 12);
}

TEST(Grading, TakesPtxWhereThereIsNoCompiler) {
    for (const char* name : {"right-reduce", "wrong-padding", "wrong-name"}) {
        const Verdict verdict = verdictIn(textOf(handIns() / (std::string(name) + ".cu")));
        const std::string ptx = textOf(handIns() / (std::string(name) + ".ptx"));
        const Grade grade = graded(verdict.exercise, HandIn{"ada.ptx", ptx, nullptr});
        expectVerdict(grade, verdict, false);
        if (verdict.misses.starts_with("goal")) { // the line is one of the PTX: the load from shared memory
            const int line = goalOf(grade, verdict.misses).line;
            std::size_t at = 0;
            for (int n = 1; n < line; ++n)
                at = ptx.find('\n', at) + 1;
            EXPECT_NE(ptx.substr(at, ptx.find('\n', at) - at).find("ld.shared"), std::string::npos) << line;
        }
    }
}

// The remedy is of what the root of the hang waits for: no __syncthreads() helps an mbarrier that gets too few arrivals.
TEST(Grading, AHangAtAnMbarrierHasItsOwnRemedy) {
    const auto exercise = findExercise("a-hang-to-find");
    ASSERT_TRUE(exercise.ok());
    const Grade grade = graded(exercise->name, HandIn{"ada.cu", exercise->starter.text, exercise->starter.compiled});
    const GoalGrade& ends = goalOf(grade, "ends");
    EXPECT_EQ(ends.state, GoalState::Missed);
    EXPECT_NE(ends.found.en.find("mbarrier empty["), std::string::npos) << ends.found.en;
    EXPECT_NE(ends.help.en.find("Count for one phase of that mbarrier who arrives"), std::string::npos) << ends.help.en;
    EXPECT_EQ(ends.help.en.find("__syncthreads"), std::string::npos) << ends.help.en;
    EXPECT_NE(ends.help.zh.find("mbarrier"), std::string::npos) << ends.help.zh;
}

// What follows from a failure is not judged, and is not said to be reached.
TEST(Grading, WhatCannotBeJudgedIsSaidToBeSo) {
    const Grade grade = graded("first-kernel", std::string(" \n"));
    EXPECT_EQ(goalOf(grade, "compiles").state, GoalState::Missed);
    EXPECT_NE(goalOf(grade, "compiles").found.en.find("empty"), std::string::npos);
    for (const char* later : {"kernel", "ends", "clean", "result", "goal 1"})
        EXPECT_EQ(goalOf(grade, later).state, GoalState::NotJudged) << later;
    EXPECT_EQ(grade.reached(), 0);
    const auto json = gradeJson(grade, "en");
    EXPECT_EQ(json["passed"], false);
    EXPECT_EQ(json["goals"][1]["state"], "not_judged");
    EXPECT_FALSE(json["goals"][1].contains("help"));
}

TEST(Grading, ALoopThatStaysBelowTheInstructionsIsStoppedByTheClock) {
    GradeLimits limits;
    limits.instructionsOfWarp = ~std::uint64_t(0);
    limits.seconds = 1;
    const std::string source = textOf(handIns() / "wrong-endless.cu"), ptx = textOf(handIns() / "wrong-endless.ptx");
    const auto compiled = std::make_shared<CompiledText>(
        CompiledText{.ptx = ptx, .text = source, .instance = {}, .mode = CompileMode::Optimised});
    const Grade grade = graded("any-size-any-grid", HandIn{"ada.cu", source, compiled}, limits);
    EXPECT_EQ(goalOf(grade, "ends").found.en.substr(0, 31), "it was stopped after 1 seconds ")
        << gradeText(grade, "en");
}

// The time is of all launches together: one whose right values could not even be computed is not looked at any more.
TEST(Grading, NothingIsBegunWhenTheTimeIsOver) {
    const auto found = findExercise("any-size-any-grid");
    ASSERT_TRUE(found.ok());
    Exercise exercise = *found;
    ASSERT_FALSE(exercise.launches.empty());
    ExerciseLaunch unheardOf = exercise.launches.front();
    ASSERT_FALSE(unheardOf.right.empty());
    unheardOf.right.front().element = std::uint64_t(1) << 40;
    exercise.launches.push_back(unheardOf);
    const std::string source = textOf(handIns() / "wrong-endless.cu"), ptx = textOf(handIns() / "wrong-endless.ptx");
    const auto compiled = std::make_shared<CompiledText>(
        CompiledText{.ptx = ptx, .text = source, .instance = {}, .mode = CompileMode::Optimised});
    GradeLimits limits;
    limits.instructionsOfWarp = ~std::uint64_t(0);
    limits.seconds = 1;
    Progress progress;
    const auto result = grade(exercise, HandIn{"ada.cu", source, compiled}, limits, progress);
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(goalOf(*result, "ends").launch, 1);
    EXPECT_EQ(goalOf(*result, "result").state, GoalState::NotJudged);
}

TEST(Grading, NothingOfTheGradersFilesIsRead) {
    for (const char* source :
         {"#include \"/etc/passwd\"\n", "  #  include <../secret>\n", "#include MACRO\n",
          "/* */ # /* \n */ include \"other.cu\"\n", "#inc\\\nlude \"x\"\n", "%:include \"x\"\n",
          "#include </etc/passwd>\n", "#embed \"/etc/passwd\"\n", "#include_next <a>\n",
          "const char* s = R\"(/*)\";\n#include \"x\"\n// */\n", "#if __has_include(<a>)\n#endif\n",
          "asm(\".incbin \\\"x\\\"\");\n", "#inc\\ \nlude \"x\"\n",
          "#define CAT(a, b) a##b\n#if CAT(__has_, include)(\"/etc/passwd\")\n#endif\n",
          "#define CAT(a, b) a %:%: b\n#ifdef A\n#elif CAT(__has_inc, lude)(\"/etc/passwd\")\n#endif\n",
          "# pragma /* */ GCC  dependency \"/etc/passwd\"\n", "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\")\n",
          "#define CAT(a, b) a##b\n#define P(x) _Pragma(#x)\n#define Q(x) P(x)\nQ(GCC CAT(depen, dency) \"x\")\n"}) {
        const Grade grade = graded("first-kernel", std::string("__global__ void triple() {}\n") + source);
        EXPECT_EQ(goalOf(grade, "compiles").state, GoalState::Missed) << source;
        EXPECT_NE(goalOf(grade, "compiles").found.en.find("is not allowed"), std::string::npos) << source;
        EXPECT_GE(goalOf(grade, "compiles").line, 2) << source;
    }
    for (const char* source :
         {"#include <cuda_runtime.h>\n", "#include <cooperative_groups/reduce.h>\n", "# define A\n",
          "int include; // # not one\n", "/* #*/\n#pragma once\n", "#define CAT(a, b) a##b\n#ifdef A\n#endif\n",
          "#if A > 2\n#elif B\n#endif\n", "#pragma unroll // no dependency\n", "#define ALL _Pragma(\"unroll\")\n"})
        EXPECT_FALSE(forbiddenInclude(source)) << source;
}

// Compilers pass over a NUL, so that what stands around it is one word for them and two for who looks for words.
TEST(Grading, AControlCharacterIsNoSource) {
    for (const char c : {'\0', '\x01', '\b', '\x0e', '\x1a', '\x1b', '\x7f'}) {
        const std::string source = std::string("\n#") + c + "include \"/etc/passwd\"\n";
        for (const char* name : {"ada.cu", "ada.ptx"}) {
            const Grade grade = graded("first-kernel", HandIn{name, source, nullptr});
            EXPECT_EQ(goalOf(grade, "compiles").line, 2) << int(c);
            EXPECT_EQ(goalOf(grade, "compiles").found.en.substr(0, 3), "\"\\x") << int(c);
        }
    }
    EXPECT_FALSE(forbiddenByte("\t\v\f\r\n \xe4\xb8\x89"));
}

// Without any look at the words: the compiler itself cannot open the file.
TEST(Grading, ACompilerOfAStrangersTextOpensNothingElse) {
    if (findCompiler().empty() || !cage::missingWalls().empty())
        GTEST_SKIP() << "no nvcc on PATH, or no Landlock";
    const ScratchFolder folder;
    std::ofstream(folder.path / "secret.h") << "__global__ void stolen() {}\n";
    CompileOptions options;
    const std::string text = "#include \"" + (folder.path / "secret.h").string() + "\"\n";
    const fs::path source = fs::path(testing::TempDir()) / "ada.cu"; // in another folder
    EXPECT_TRUE(compileToPtx(source, text, options, "compute_75").ok());
    options.closed = true;
    const auto closed = compileToPtx(source, text, options, "compute_75");
    ASSERT_FALSE(closed.ok());
    EXPECT_NE(closed.error().message.find("Permission denied"), std::string::npos) << closed.error().text();
    const auto plain =
        compileToPtx(source, "#include <cooperative_groups.h>\n__global__ void k() {}\n", options, "compute_75");
    EXPECT_TRUE(plain.ok()) << plain.error().text();
}

// A kernel that may launch others is judged by its own launch.
TEST(Grading, AnExerciseCanAllowOtherGrids) {
    const auto found = findExercise("fewer-atomics");
    ASSERT_TRUE(found.ok());
    Exercise allowing = *found;
    EXPECT_FALSE(allowing.deviceLaunches);
    allowing.deviceLaunches = true;
    const std::string ptx = textOf(handIns() / "wrong-child-grid-adds.ptx");
    Progress progress;
    const auto result = grade(allowing, HandIn{"ada.ptx", ptx, nullptr}, {}, progress);
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(goalOf(*result, "ends").state, GoalState::Reached);
    EXPECT_EQ(goalOf(*result, "result").state, GoalState::Reached);
}

// Copies that go on beside the threads stand in no count; an exercise about them allows them.
TEST(Grading, AnExerciseCanAllowWhatNoGoalCounts) {
    const auto found = findExercise("no-bank-conflict");
    ASSERT_TRUE(found.ok());
    Exercise allowing = *found;
    EXPECT_FALSE(allowing.asynchronous);
    allowing.asynchronous = true;
    Progress progress;
    const auto result =
        grade(allowing, HandIn{"ada.ptx", textOf(handIns() / "wrong-conflicts-of-copies.ptx"), nullptr}, {}, progress);
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(goalOf(*result, "ends").state, GoalState::Reached);
    EXPECT_EQ(goalOf(*result, "result").state, GoalState::Reached);
    // What CUDA's functions do for a thread is counted nowhere whatever an exercise allows.
    Exercise transposes = *findExercise("transpose-through-a-tile");
    transposes.asynchronous = transposes.deviceLaunches = true;
    const auto copied = grade(
        transposes, HandIn{"ada.ptx", textOf(handIns() / "wrong-copies-by-the-runtime.ptx"), nullptr}, {}, progress);
    ASSERT_TRUE(copied.ok()) << copied.error().text();
    EXPECT_EQ(goalOf(*copied, "ends").state, GoalState::Missed);
}

// As editors on other systems write it: a mark of the byte order, two characters a line end, words of any language.
TEST(Grading, AFileOfAnotherSystemIsTheSameHandIn) {
    if (findCompiler().empty())
        GTEST_SKIP() << "nvcc is not on PATH";
    const Grade grade =
        graded("first-kernel", std::string("\xef\xbb\xbf__global__ void triple(int* out, const int* in, int n) {\r\n"
                                           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\r\n"
                                           "    if (i < n) // \u4e09\u500d\r\n"
                                           "        out[i] = 3 * in[i] + 1;\r\n}\r\n"));
    EXPECT_TRUE(grade.passed()) << gradeText(grade, "en");
}

TEST(Grading, WhatDoesNotCompileIsToldWithItsLine) {
    if (findCompiler().empty())
        GTEST_SKIP() << "nvcc is not on PATH";
    const Grade grade =
        graded("first-kernel", std::string("\n__global__ void triple(int* out, const int* in, int n) {\n"
                                           "    out[0] = in[0]\n}\n"));
    const GoalGrade& goal = goalOf(grade, "compiles");
    EXPECT_EQ(goal.state, GoalState::Missed);
    EXPECT_EQ(goal.line, 4) << goal.found.en; // where the semicolon was expected
    EXPECT_NE(goal.found.en.find("expected"), std::string::npos) << goal.found.en;
    // A neighbour's hand-in in the same folder is none of its headers.
    EXPECT_EQ(goalOf(graded("first-kernel", std::string("#include <right-first-kernel.cu>\n")), "compiles").state,
              GoalState::Missed);
}

// ---- the files of exercises

namespace {

Result<Exercise> parsed(const std::string& text) {
    return parseExercise(text, "x.json", [](const std::string& name) -> std::optional<std::string> {
        if (name == "a.cu")
            return "__global__ void a(int* out) {}\n";
        return std::nullopt;
    });
}

const char* const smallExercise = R"({
  "format": 1, "name": "x", "title": "T", "task": "t", "kernel": "a",
  "starter": "a.cu", "solution": "a.cu",
  "launches": [
    {"grid": "1", "block": "32", "arguments": ["out:i32[4]=1"], "right": ["out[i] = i * i"]}
  ],
  "goals": [
    {"title": "g", "expect": "divergent = 0", "help": "h"}
  ]
})";

} // namespace

TEST(Exercises, DamagedOnesSayWhere) {
    ASSERT_TRUE(parsed(smallExercise).ok()) << parsed(smallExercise).error().text();
    struct {
        const char *from, *to;
        int line;
        const char* says;
    } const damages[] = {
        {"\"name\": \"x\", ", "", 1, "name"},
        {"\"kernel\": \"a\"", "\"kernel\": \"b\"", 2, "not in the starter"},
        {"\"starter\": \"a.cu\"", "\"starter\": \"../a.cu\"", 3, "beside"},
        {"\"starter\": \"a.cu\"", "\"starter\": \"b.cu\"", 3, "does not lie beside"},
        {"out[i] = i * i", "out[i] = i *", 5, "missing at the end"},
        {"out[i] = i * i", "out[i] = in[i]", 5, "no \"in\""},
        {"out[i] = i * i", "out[4] = 1", 5, "no such element"},
        {"i32[4]=1", "i32[4]=file:/etc/passwd", 5, "file"},
        {"\"32\"", "\"32y\"", 5, "shape"},
        {"divergent = 0", "divergnt = 0", 8, "divergnt"},
        {"\"help\": \"h\"", "\"hlep\": \"h\"", 8, "hlep"},
        {"\"help\": \"h\"", "\"help\": \"h\", \"launches\": [2]", 8, "launch"},
        {"  ],\n  \"goals\"", "  ]\n  \"goals\"", 7, "JSON"},
    };
    for (const auto& damage : damages) {
        std::string text = smallExercise;
        const std::size_t at = text.find(damage.from);
        ASSERT_NE(at, std::string::npos) << damage.from;
        text.replace(at, std::string(damage.from).size(), damage.to);
        const auto exercise = parsed(text);
        ASSERT_FALSE(exercise.ok()) << damage.to;
        EXPECT_NE(exercise.error().text().find(damage.says), std::string::npos) << exercise.error().text();
        EXPECT_EQ(exercise.error().line, damage.line) << exercise.error().text();
    }
}

// A link beside an exercise leads to no other folder, and its right results are worked out without any limit but this.
TEST(Exercises, LeadNowhereAndComeToAnEnd) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("warpglass_beside_{}", getpid());
    std::filesystem::create_directories(folder / "inside");
    const auto write = [](const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; };
    write(folder / "b.cu", "__global__ void a(int* out) {}\n");
    write(folder / "inside" / "x.json", smallExercise);
    const std::string file = (folder / "inside" / "x.json").string();
    std::filesystem::create_symlink(folder / "b.cu", folder / "inside" / "a.cu");
    const auto linked = readExercise(file);
    ASSERT_FALSE(linked.ok());
    EXPECT_NE(linked.error().text().find("does not lie beside"), std::string::npos) << linked.error().text();
    std::filesystem::rename(folder / "b.cu", folder / "inside" / "b.cu");
    std::filesystem::remove(folder / "inside" / "a.cu");
    std::filesystem::create_symlink("b.cu", folder / "inside" / "a.cu");
    EXPECT_TRUE(readExercise(file).ok()) << "it stays in its folder";
    std::filesystem::remove_all(folder);

    for (const char* much : {"out:i32[100000000]=1", "out:i32[2000000000]=1"}) {
        std::string text = smallExercise;
        text.replace(text.find("out:i32[4]=1"), 12, much);
        const auto exercise = parsed(text);
        ASSERT_FALSE(exercise.ok());
        EXPECT_NE(exercise.error().text().find("too many elements"), std::string::npos) << exercise.error().text();
    }
}

// ---- formulas

namespace {

std::vector<double> computed(const std::string& formula) {
    std::vector<Argument> arguments;
    for (const char* spec : {"out:i32[4]=0", "in:i32[5]=3,1,4,1,5", "n:i32=5", "x:f32=0.5"})
        arguments.push_back(*parseArgument(spec));
    const auto parsedFormula = parseFormula(formula);
    EXPECT_TRUE(parsedFormula.ok()) << formula;
    const auto right = rightResult({*parsedFormula}, arguments, 0);
    EXPECT_TRUE(right.ok()) << formula << ": " << (right ? "" : right.error().text());
    return right ? right->all.front().values : std::vector<double>{};
}

} // namespace

TEST(Formulas, AreWorkedOutByHand) {
    using Values = std::vector<double>;
    EXPECT_EQ(computed("out[i] = 3 * in[i] + 1"), (Values{10, 4, 13, 4}));
    EXPECT_EQ(computed("out[2] = 7 / 2 - -x"), (Values{4}));
    EXPECT_EQ(computed("out[i] = sum(k, 0, i + 1, in[k])"), (Values{3, 4, 8, 9}));
    EXPECT_EQ(computed("out[i] = most(k, i, n, in[k]) * 10 + least(k, i, n, in[k])"), (Values{51, 51, 51, 51}));
    EXPECT_EQ(computed("out[i] = i + 1 < n && i > 0 ? in[i - 1] : i == 0 ? 9 : 8"), (Values{9, 3, 1, 4}));
    EXPECT_EQ(computed("out[i] = floor(i / 2) * 100 + i % 2 * 10 + max(1, i) - 2 - 3"), (Values{-4, 6, 97, 108}));
    EXPECT_EQ(computed("out[i] = !(i >= 2) || i == 3"), (Values{1, 1, 0, 1}));
    EXPECT_EQ(computed("out[0] = sum(a, 0, 3, sum(b, 0, a, a * b))"), (Values{2})); // a = 2: 2 * 0 + 2 * 1
    for (const char* wrong : {"out = 1", "out[j] = 1", "out[i] 1", "out[i] = (1", "out[i] = twice(1)",
                              "out[i] = min(1)", "out[i] = 1 2", ""})
        EXPECT_FALSE(parseFormula(wrong).ok()) << wrong;
    EXPECT_FALSE(parseFormula("out[i] = " + std::string(100, '(') + "1" + std::string(100, ')')).ok());
    EXPECT_FALSE(parseFormula("out[i] = 1" + std::string(100'000, '+') + "1").ok());
    const auto endless = parseFormula("out[i] = sum(k, 0, 1e18, k)");
    EXPECT_FALSE(rightResult({*endless}, {*parseArgument("out:i32[4]=0")}, 0).ok());
}
