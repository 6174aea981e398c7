#include "TileGPT/Target/NVVM/JoinPtx.h"
#include "gtest/gtest.h"

using tilegpt::target::joinPtx;

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

TEST(JoinPtx, FunctionsOfTheDeviceAreDeclaredOnce) {
  const std::string function =
      ".extern .func  (.param .b32 result) vprintf\n(\n\t.param .b64 p\n)\n;\n";
  const std::string joined =
      joinPtx({function + "\tcall vprintf;\n", function + "\tcall vprintf;\n"});
  EXPECT_EQ(joined, function + "\tcall vprintf;\n\tcall vprintf;\n\n");
}

} // namespace
