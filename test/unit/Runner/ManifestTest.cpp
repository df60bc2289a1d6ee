//===- ManifestTest.cpp ---------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A good manifest, each way in which one can be bad, and which target a device gets.
//
//===----------------------------------------------------------------------===//

#include "tilec/Runner/Manifest.h"
#include "gtest/gtest.h"

using namespace tilec::runner;

static const char *good = R"({
 "schema": "tilec.manifest", "version": 1, "content_id": "00", "image": {"file": "x.fatbin", "bytes": 3},
 "targets": [{"name": "sm_80", "capability": 80, "kind": "cubin"}],
 "entries": [{"name": "e",
  "params": [{"name": "A", "kind": "tensor", "type": "f16", "access": "inout", "extents": ["N"], "strides": []},
             {"name": "s", "kind": "scalar", "type": "f32"}],
  "programs": [{"targets": ["sm_80"], "args": [0, 1, 2], "types": ["ptr", "i64", "f32"], "body": [
   {"op": "arith.constant", "results": [3], "types": ["i64"], "value": 7},
   {"op": "arith.cmpi slt", "args": [1, 3], "results": [4], "types": ["i1"]},
   {"op": "scf.if", "args": [4], "results": [5], "types": ["i64"], "regions": [
     {"args": [], "types": [], "body": [{"op": "scf.yield", "args": [1]}]},
     {"args": [], "types": [], "body": [{"op": "scf.yield", "args": [3]}]}]},
   {"op": "tile.launch", "args": [5, 0, 1, 2], "kernel": "k", "grid_rank": 1, "threads": 64, "cluster": [1, 1, 1], "shared_bytes": 0}
  ]}]}]})";

static std::string errorOf(std::string text) {
  std::string error;
  EXPECT_FALSE(parseManifest(text, error));
  return error;
}

static std::string with(std::string from, std::string to) {
  std::string text = good;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Manifest, Good) {
  std::string error;
  std::optional<Manifest> manifest = parseManifest(good, error);
  ASSERT_TRUE(manifest) << error;
  ASSERT_NE(manifest->findEntry("e"), nullptr);
  EXPECT_EQ(manifest->findEntry("f"), nullptr);
  const ManifestEntry &entry = *manifest->findEntry("e");
  EXPECT_EQ(entry.params[0].access, tilec::launch::Access::InOut);
  EXPECT_EQ(entry.programs[0].program.body.body.size(), 4u);
}

TEST(Manifest, Bad) {
  EXPECT_EQ(errorOf("{"), "the file is not JSON");
  EXPECT_EQ(errorOf(std::string(100, '[')), "the file nests deeper than 64 levels");
  EXPECT_EQ(errorOf("[]"), "schema is missing");
  EXPECT_EQ(errorOf(with("tilec.manifest", "x")), "schema is not 'tilec.manifest'");
  EXPECT_EQ(errorOf(with("\"version\": 1", "\"version\": 2")),
            "version is 2, newer than 1, the newest that this program reads");
  EXPECT_EQ(errorOf(with("\"content_id\": \"00\",", "")), "content_id is missing");
  EXPECT_EQ(errorOf(with("\"bytes\": 3", "\"bytes\": -3")), "image.bytes is out of range");
  EXPECT_EQ(errorOf(with("\"f16\"", "\"f17\"")), "entries[0].params[0].type is no type of a parameter");
  EXPECT_EQ(errorOf(with("\"scalar\", \"type\": \"f32\"", "\"scalar\", \"type\": \"i4\"")),
            "entries[0].params[1].type is no type of a parameter");
  EXPECT_EQ(errorOf(with("\"inout\"", "\"both\"")), "entries[0].params[0].access is not in, out or inout");
  EXPECT_EQ(errorOf(with("\"strides\": []", "\"strides\": [\"1\", \"1\"]")),
            "entries[0].params[0].strides has another length than the extents");
  EXPECT_EQ(errorOf(with("cmpi slt", "cmpi less")),
            "entries[0].programs[0].body[1].op is 'arith.cmpi less', which this program does not know");
  EXPECT_EQ(errorOf(with("\"args\": [1, 3], \"results\"", "\"args\": [1, 5], \"results\"")),
            "entries[0].programs[0].body[1].args uses a value that is not defined before");
  EXPECT_EQ(
      errorOf(with("\"args\": [1, 3], \"results\"", "\"args\": [1], \"results\"")),
      "entries[0].programs[0].body[1] is no 'arith.cmpi slt': wrong number of arguments, results or regions");
  EXPECT_EQ(
      errorOf(with("\"results\": [4]", "\"results\": [9]")),
      "entries[0].programs[0].body[1].results does not number the values in order, or a type is unknown");
  EXPECT_EQ(errorOf(with("\"scf.yield\", \"args\": [3]", "\"scf.yield\", \"args\": [3, 3]")),
            "entries[0].programs[0].body[2] is no 'scf.if': wrong number of arguments, results or regions");
  EXPECT_EQ(errorOf(with("[\"ptr\", \"i64\", \"f32\"]", "[\"ptr\", \"i64\", \"f16\"]")),
            "entries[0].programs[0].args are not those of the parameters");
  EXPECT_EQ(errorOf(with("\"grid_rank\": 1", "\"grid_rank\": 4")),
            "entries[0].programs[0].body[3].grid_rank is out of range");
  EXPECT_EQ(errorOf(with("[1, 1, 1], \"shared", "[1, 1], \"shared")),
            "entries[0].programs[0].body[3].cluster has not three extents");
}

TEST(Manifest, SmCount) {
  std::string text = with(R"({"op": "arith.constant", "results": [3], "types": ["i64"], "value": 7})",
                          R"({"op": "tile.sm_count", "results": [3], "types": ["i64"]})");
  std::string error;
  std::optional<Manifest> manifest = parseManifest(text, error);
  ASSERT_TRUE(manifest) << error;
  EXPECT_EQ(manifest->entries[0].programs[0].program.body.body[0].op, tilec::launch::Opcode::SmCount);
  EXPECT_EQ(
      errorOf(text.replace(text.find("sm_count\","), 10, "sm_count\", \"args\": [1],")),
      "entries[0].programs[0].body[0] is no 'tile.sm_count': wrong number of arguments, results or regions");
}

/// The regions that an operation needs are looked into only when they are there.
TEST(Manifest, MissingRegions) {
  for (std::string op : {"scf.for", "scf.while", "scf.if"}) {
    std::string args = op == "scf.if" ? "[1]" : "[1, 1, 1]";
    EXPECT_EQ(errorOf(with(R"({"op": "arith.constant",)",
                           R"({"op": ")" + op + R"(", "args": )" + args +
                               R"(, "results": [], "types": []}, {"op": "arith.constant",)")),
              "entries[0].programs[0].body[0] is no '" + op +
                  "': wrong number of arguments, results or regions");
  }
  EXPECT_EQ(
      errorOf(with(R"({"op": "scf.yield", "args": [1]})",
                   R"({"op": "scf.condition"}, {"op": "scf.yield", "args": [1]})")),
      "entries[0].programs[0].body[2].regions[0].body[0] is no 'scf.condition': wrong number of arguments, "
      "results or regions");
}

/// What a region defines cannot be used behind it.
TEST(Manifest, ScopesOfRegions) {
  std::string text = with(
      R"({"op": "scf.yield", "args": [1]})",
      R"({"op": "arith.constant", "results": [6], "types": ["i64"], "value": 1}, {"op": "scf.yield", "args": [6]})");
  size_t at = text.rfind("[5, 0, 1, 2]");
  std::string error;
  EXPECT_TRUE(parseManifest(text, error)) << error;
  EXPECT_EQ(errorOf(text.replace(at, 12, "[6, 0, 1, 2]")),
            "entries[0].programs[0].body[3].args uses a value that is not defined before");
}

TEST(Manifest, SelectTarget) {
  std::vector<ManifestTarget> targets = {
      {"sm_80", 80, false}, {"sm_86", 86, false}, {"sm_90a", 90, false}, {"compute_80", 80, true}};
  EXPECT_EQ(selectTarget(targets, 75), std::nullopt);
  EXPECT_EQ(selectTarget(targets, 80), 0u);
  EXPECT_EQ(selectTarget(targets, 86), 1u);
  EXPECT_EQ(selectTarget(targets, 89), 1u);
  EXPECT_EQ(selectTarget(targets, 90), 2u);
  EXPECT_EQ(selectTarget(targets, 103), 3u);
  EXPECT_EQ(selectTarget({{"sm_90a", 90, false}}, 100), std::nullopt);
  EXPECT_EQ(selectTarget({{"compute_90a", 90, true}, {"compute_80", 80, true}}, 120), 1u);
}
