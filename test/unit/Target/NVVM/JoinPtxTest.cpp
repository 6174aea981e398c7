#include "TileGPT/Target/NVVM/JoinPtx.h"
#include "gtest/gtest.h"

using tilegpt::target::joinPtx;
using tilegpt::target::PtxModules;

namespace {

TEST(JoinPtx, OneModuleStaysAsItIs) {
  EXPECT_EQ(joinPtx({".version 8.7\n.target sm_90a\n"}),
            ".version 8.7\n.target sm_90a\n");
}

TEST(JoinPtx, EntriesStandInOneModule) {
  EXPECT_EQ(joinPtx({".version 8.7\n.target sm_90a\n.address_size 64\n"
                     ".visible .entry a(\n)\n{\n\tret;\n}\n",
                     ".version 8.7\n.target sm_90a\n.address_size 64\n"
                     ".visible .entry b(\n)\n{\n\tret;\n}\n"}),
            ".version 8.7\n.target sm_90a\n.address_size 64\n"
            ".visible .entry a(\n)\n{\n\tret;\n}\n"
            ".visible .entry b(\n)\n{\n\tret;\n}\n\n");
}

TEST(JoinPtx, EachModuleHasItsOwnVariables) {
  const std::string joined =
      joinPtx({".extern .shared .align 16 .b8 s[];\n\tmov.b32 %r1, s;\n",
               ".extern .shared .align 1024 .b8 s[];\n"
               ".global .align 4 .b8 t[2] = {1, 2};\n"
               "\tmov.b32 %r1, s;\n\tmov.b64 %rd1, t+1;\n\tmov.b32 %s, st;\n"});
  EXPECT_EQ(joined, ".extern .shared .align 16 .b8 s[];\n\tmov.b32 %r1, s;\n"
                    ".extern .shared .align 1024 .b8 s$1[];\n"
                    ".global .align 4 .b8 t$1[2] = {1, 2};\n"
                    "\tmov.b32 %r1, s$1;\n\tmov.b64 %rd1, t$1+1;\n"
                    "\tmov.b32 %s, st;\n\n");
}

TEST(JoinPtx, SourceFilesAreNumberedThroughout) {
  EXPECT_EQ(joinPtx({"\t.loc\t1 7 0\n\t.loc\t2 9 4\n"
                     "\t.file\t1 \"a.py\"\n\t.file\t2 \"b.py\"\n",
                     "\t.loc\t1 7 0\n\t.file\t1 \"a.py\"\n",
                     "\t.loc\t1 3 0\n\t.file\t1 \"c.py\"\n"}),
            "\t.loc\t1 7 0\n\t.loc\t2 9 4\n"
            "\t.file\t1 \"a.py\"\n\t.file\t2 \"b.py\"\n"
            "\t.loc\t3 7 0\n\t.file\t3 \"a.py\"\n\n"
            "\t.loc\t4 3 0\n\t.file\t4 \"c.py\"\n\n");
}

/// A counter counts the launches of all versions of a kernel.
TEST(JoinPtx, VersionsShareNamedMemory) {
  const std::string counter =
      ".global .align 16 .b8 tilegpt_shared_m_$_count[4];\n";
  EXPECT_EQ(joinPtx({counter + "\tmov.b64 %rd1, tilegpt_shared_m_$_count;\n",
                     counter + "\tmov.b64 %rd2, tilegpt_shared_m_$_count;\n"}),
            counter + "\tmov.b64 %rd1, tilegpt_shared_m_$_count;\n"
                      "\tmov.b64 %rd2, tilegpt_shared_m_$_count;\n\n");
}

/// Kernels of a program count all launches, and each its own.
TEST(JoinPtx, KernelsShareMemoryOfTheProgramOnly) {
  const std::string all =
      ".global .align 16 .b8 tilegpt_program_m_$_count[4];\n";
  const std::string own = ".global .align 16 .b8 tilegpt_shared_count[4];\n";
  const std::string use = "\tmov.b64 %rd1, tilegpt_program_m_$_count;\n";
  EXPECT_EQ(
      joinPtx({all + own + use + "\tmov.b64 %rd2, tilegpt_shared_count;\n",
               all + own + use + "\tmov.b64 %rd2, tilegpt_shared_count;\n"},
              PtxModules::Kernels),
      all + own + use + "\tmov.b64 %rd2, tilegpt_shared_count;\n" +
          ".global .align 16 .b8 tilegpt_shared_count$1[4];\n" + use +
          "\tmov.b64 %rd2, tilegpt_shared_count$1;\n\n");
}

TEST(JoinPtx, FunctionsOfTheDeviceAreDeclaredOnce) {
  const std::string function =
      ".extern .func  (.param .b32 result) vprintf\n(\n\t.param .b64 p\n)\n;\n";
  const std::string joined =
      joinPtx({function + "\tcall vprintf;\n", function + "\tcall vprintf;\n"});
  EXPECT_EQ(joined, function + "\tcall vprintf;\n\tcall vprintf;\n\n");
}

} // namespace
