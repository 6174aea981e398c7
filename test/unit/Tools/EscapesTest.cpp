// Escape sequences in prompts.
#include "Flags/Escapes.h"
#include <gtest/gtest.h>

using tilegpt::run::unescape;

TEST(Escapes, KnownSequencesBecomeTheirCharacters) {
  EXPECT_EQ(unescape(R"(a\nb\tc\rd\"e\'f\\g)"), "a\nb\tc\rd\"e'f\\g");
}

TEST(Escapes, HexadecimalGivesOneByte) {
  EXPECT_EQ(unescape(R"(\x41\xe2\x82\xaC!)"), "A\xe2\x82\xac!");
}

TEST(Escapes, AnythingElseStaysAsItIs) {
  EXPECT_EQ(unescape(R"(\q \x4 \xg1 \x-1 end\)"), R"(\q \x4 \xg1 \x-1 end\)");
}

TEST(Escapes, ABackslashThatIsEscapedEscapesNothing) {
  EXPECT_EQ(unescape(R"(\\n)"), R"(\n)");
}
