// Regular expressions match as in the engines they were written for, or are
// rejected.
#include "Pattern.h"
#include <gtest/gtest.h>

using namespace tilegpt::runtime;

namespace {

/// The matches of a pattern, separated by bars, or the error.
std::string matchesOf(std::string_view expression, std::string_view text) {
  const auto pattern = Pattern::regex(expression);
  if (!pattern)
    return pattern.error().message;
  const auto matches = pattern->find(text);
  if (!matches)
    return matches.error().message;
  std::string all;
  for (const auto &[begin, end] : *matches)
    all +=
        (all.empty() ? "" : "|") + std::string(text.substr(begin, end - begin));
  return all;
}

} // namespace

TEST(Pattern, FindsMatchesThatDoNotOverlap) {
  EXPECT_EQ(matchesOf("\\p{N}{1,3}", "12345 6"), "123|45|6");
  EXPECT_EQ(matchesOf("a*", "baab"), "aa");
  EXPECT_EQ(matchesOf("x?", "\xc3\xa9x"), "x");
  EXPECT_EQ(matchesOf("(?i:'LL|'s)", "I'll 'S"), "'ll|'S");
  EXPECT_EQ(matchesOf("[^\\r\\n\\p{L}]?\\p{L}+", "a b\nc"), "a| b|c");
  EXPECT_EQ(matchesOf("[\\u4e00-\\u9fa5]+", "\xe4\xb8\x80"
                                            "a"),
            "\xe4\xb8\x80");
  EXPECT_EQ(matchesOf("\\s+(?!\\S)", "a  b "), " | ");
  EXPECT_EQ(matchesOf(" +$", "a  b \nc  "), " |  "); // of any line
  EXPECT_EQ(matchesOf("\\A +| +\\z", "  b \n c "), "  | ");
}

TEST(Pattern, WhiteSpaceIsUnicodes) {
  EXPECT_EQ(matchesOf("\\s", "\xc2\x85\xe1\xa0\x8e"), "\xc2\x85");
  EXPECT_EQ(matchesOf("\\S", "\xc2\x85\xe1\xa0\x8e"), "\xe1\xa0\x8e");
  EXPECT_EQ(matchesOf("[\\sx]", "\xe1\xa0\x8ex"), "x");
  EXPECT_EQ(matchesOf("\\v", "\n\x0b"), "\x0b");
}

/// BLOOM's pattern has a class in a class: their union.
TEST(Pattern, AClassMayHoldAClass) {
  EXPECT_EQ(matchesOf(" ?[^(\\s|[.,!?\xe2\x80\xa6])]+", "ab (c d|e.[f] g"),
            "ab|c| d|e|[f]| g");
  EXPECT_EQ(matchesOf("[a[bc]d]+", "abcd[]x"), "abcd");
}

TEST(Pattern, RefusesWhatEnginesDisagreeOn) {
  for (const std::string_view part :
       {"\\w", "\\b", "\\h", "\\G", "\\Z", "\\1", "\\Q", "\\x", "\\u12", "\\",
        ".", "^", "(?<n", "(?P", "(?m", "(*", "\\p{Alpha}", "\\p{LL}", "\\pL"})
    EXPECT_TRUE(
        matchesOf(std::string(part), "").ends_with("which is not supported"))
        << part;
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a\\w+", "uses '\\w', which is not supported"},
      {"[a[^b]]", "uses '[', which is not supported"},
      {"[a[[b]]]", "uses '[', which is not supported"},
      {"[a-[b]]", "uses '[', which is not supported"},
      {"[a[b]-c]", "uses '[', which is not supported"},
      {"[a[-b]]", "uses '[', which is not supported"},
      {"[a[b-]]", "uses '[', which is not supported"},
      {"[a[:alpha:]]", "uses '[', which is not supported"},
      {"[a[b]", "lacks a ']'"},
      {"[\\A]", "uses '\\A', which is not supported"},
      {"[a&&b]", "uses '&&', which is not supported"},
      {"[]a]", "uses '[]', which is not supported"},
      {"[\\Sa]", "uses '\\S', which is not supported"},
      {"a{1,2}+", "uses '{1,2}+', which is not supported"},
      {"a{,2}", "uses '{', which is not supported"},
      {"[a", "lacks a ']'"},
      {"a)", "is not a regular expression: unmatched closing parenthesis"},
  };
  for (const auto &[expression, message] : cases)
    EXPECT_EQ(matchesOf(expression, ""), message);
}
