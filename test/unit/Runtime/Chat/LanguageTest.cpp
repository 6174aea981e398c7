// The supported template language renders as in Jinja; unsupported features are
// rejected by name. Expected texts come from Jinja 3.1, configured as in
// Hugging Face transformers.
#include "TileGPT/Runtime/Chat/ChatTemplate.h"
#include <array>
#include <gtest/gtest.h>

using namespace tilegpt::runtime;

namespace {

/// The rendered template for one message, or the error.
std::string render(std::string_view text) {
  const auto parsed = ChatTemplate::parse(
      text, "t", {{"bos_token", "<s>"}, {"eos_token", "</s>"}});
  if (!parsed)
    return parsed.error().message;
  const ChatMessage messages[] = {{"user", " Hi\n"}};
  const auto result = parsed->render(messages);
  return result ? *result : result.error().message;
}

struct Case {
  const char *text, *expected;
};

TEST(ChatLanguage, Expressions) {
  for (const auto &[text, expected] : {
           Case{"{{ 1 + 2 * 3 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }}",
                "7 3 -4 2"},
           Case{"{{ 7 / 2 }} {{ 1.5 + 1 }} {{ 2.0 }}", "3.5 2.5 2.0"},
           Case{"{{ 'a' ~ 1 + 2 }}", "t line 1: has a string + an integer"},
           Case{"{{ 'a' ~ 1 ~ none ~ true }}", "a1NoneTrue"},
           Case{"{{ 'a' 'b' + \"c\\n\" }}|", "abc\n|"},
           Case{R"({{ '\x41\u00e9\U0001F600 \q\a' }})",
                "A\u00e9\U0001F600 \\q\a"},
           Case{"{{ not 1 == 2 and 'x' in 'axb' }}", "True"},
           Case{"{{ 'x' in nothing }} {{ 'x' not in nothing }}", "False True"},
           Case{"{{ 'x' not in ['x'] or 0 }}", "0"},
           Case{"{{ 3 if false }}{{ 4 if 0 else 5 }}", "5"},
           Case{"{{ [1, 'a', none, {'k': 2}] }}", "[1, 'a', None, {'k': 2}]"},
           Case{"{{ (1, 2)[1] }}{{ [1, 2, 3][-1] }}{{ {'a': 4}['a'] }}", "234"},
           Case{"{{ [1,2,3][::-1] }} {{ 'abcd'[1:3] }} {{ [1,2,3][1:] }} "
                "{{ [1,2,3][:-1] }}",
                "[3, 2, 1] bc [2, 3] [1, 2]"},
           Case{"{{ messages[0].role }} {{ messages[0]['content']|trim }} "
                "{{ messages|length }}",
                "user Hi 1"},
           Case{"{{ x is defined }} {{ x is not defined }} {{ none is none }} "
                "{{ 'a' is string }} {{ messages is iterable }} {{ 3 is odd }}",
                "False True True True True True"},
           Case{"{{ x }}|{{ messages[0].x }}|{{ [][3] }}|", "|||"},
           Case{"{{ 1 < 2 }} {{ 'b' >= 'a' }} {{ 2 <= 1 }} {{ 1 != 1.0 }}",
                "True True False False"},
           Case{"{{ true == 1 }} {{ false < 1 }} {{ true == '1' }}",
                "True True False"},
           Case{"{{ -1 | abs }} {{ - 3 | abs + 1 }} {{ -1 is number }}",
                "1 4 True"},
           Case{"{{ 1e2 }} {{ 1.5E-1 }} {{ 2e+1 }}", "100.0 0.15 20.0"},
           Case{"{{ messages.0.role }} {{ [[1, 2]].0[1] }}", "user 2"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, FiltersAndMethods) {
  for (const auto &[text, expected] : {
           Case{"{{ 'aB c' | upper }} {{ 'aB c' | title }} {{ 'aB'|lower }} "
                "{{ 'aB'|capitalize }}",
                "AB C Ab C ab Ab"},
           Case{"{{ [1, 2] | join('-') }} {{ ['a', 'b'] | first }} "
                "{{ 'ab' | last }} {{ [3,1] | list }}",
                "1-2 a b [3, 1]"},
           Case{"{{ {'b': [1, 'x\"\\n'], 'a': none} | tojson }}",
                "{\"b\": [1, \"x\\\"\\n\"], \"a\": null}"},
           Case{"{{ {'b': [1], 'a': {}} | tojson(indent=2) }}",
                "{\n  \"b\": [\n    1\n  ],\n  \"a\": {}\n}"},
           Case{"{{ x | default('d') }} {{ '' | default('e', true) }} "
                "{{ '' | default('f') }}",
                "d e "},
           Case{"{% for k, v in {'a': 1, 'b': 2} | items %}{{ k }}{{ v }}"
                "{% endfor %}",
                "a1b2"},
           Case{
               "{{ messages | selectattr('role', 'equalto', 'user') | list | "
               "length }}{{ messages | rejectattr('role', 'eq', 'user') | list "
               "| length }}",
               "10"},
           Case{"{{ messages | map(attribute='role') | join(',') }}", "user"},
           Case{"{{ ' x '.strip() }}|{{ 'xxa'.lstrip('x') }}|"
                "{{ 'a\n\n'.rstrip('\n') }}|",
                "x|a|a|"},
           Case{"{{ 'a</think>b'.split('</think>')[-1] }} "
                "{{ 'a b  c'.split() }} {{ 'a,b,c'.split(',', 1) }}",
                "b ['a', 'b', 'c'] ['a', 'b,c']"},
           Case{"{{ 'abc'.startswith('ab') }} {{ 'abc'.endswith('b') }} "
                "{{ 'aXbX'.replace('X', '--') }}",
                "True False a--b--"},
           Case{"{{ {'a': 1}.get('a') }} {{ {'a': 1}.get('b', 2) }} "
                "{{ {'a': 1}.items() | list | tojson }}",
                "1 2 [[\"a\", 1]]"},
           Case{"{{ '42' | int + 1 }} {{ 2.7 | int }} {{ 3 | string + 'x' }}",
                "43 2 3x"},
           Case{"{{ \"o'neil a-b\" | title }} {{ \"o'neil a-b\".title() }}",
                "O'neil A-B O'Neil A-B"},
           Case{"{{ [3, 1, 2] | sort }} {{ ['b', 'A'] | sort | join }} "
                "{{ ['b', 'A', 'B'] | sort(true) | join }} "
                "{{ [{'a': 2}, {'a': 1}] | sort(attribute='a') }}",
                "[1, 2, 3] Ab bBA [{'a': 1}, {'a': 2}]"},
           Case{"{% for k, v in {'b': 1, 'A': 2} | dictsort %}{{ k }}{{ v }}"
                "{% endfor %} {{ {'b': 1, 'A': 2} | dictsort(by='value') | "
                "map('first') | join }} {{ {'b': 1, 'a': 2} | "
                "dictsort(reverse=true) | map('first') | join }}",
                "A2b1 bA ba"},
           Case{"{{ ['a', 'A', 'b'] | unique | join }} "
                "{{ ['a', 'A'] | unique(true) | join }}",
                "ab aA"},
           Case{"{{ [1, 2, 3] | select('gt', 1) | list }} {{ 1 is lt 2 }} "
                "{{ 2 is ge(3) }}",
                "[2, 3] True False"},
           Case{"{{ 'h\xc3\xa9' | length }}{{ 'h\xc3\xa9'[1] }}", "2\xc3\xa9"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, Statements) {
  for (const auto &[text, expected] : {
           Case{"{% if 0 %}a{% elif '' %}b{% else %}c{% endif %}", "c"},
           Case{"{% for i in range(3) %}{{ loop.index }}/{{ loop.length }}"
                "{{ ',' if not loop.last }}{% endfor %}",
                "1/3,2/3,3/3"},
           Case{"{% for i in [] %}x{% else %}none{% endfor %}", "none"},
           Case{"{% for i in range(6) if i % 2 == 0 %}{{ i }}"
                "{% if loop.last %}.{% endif %}{% endfor %}",
                "024."},
           Case{"{% for i in range(9) %}{% if i == 1 %}{% continue %}{% endif "
                "%}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}",
                "023"},
           Case{"{% set x = 1 %}{% for i in [1] %}{% set x = 2 %}{% endfor %}"
                "{{ x }}",
                "1"},
           Case{"{% set ns = namespace(x=1) %}{% for i in [1] %}"
                "{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}",
                "2"},
           Case{"{% set a, b = 1, 2 %}{{ a }}{{ b }}", "12"},
           Case{"{% for a, (b, (c, d)) in [(1, (2, (3, 4)))] %}"
                "{{ a }}{{ b }}{{ c }}{{ d }}{% endfor %}",
                "1234"},
           Case{"{% set (a, b), c = (1, 2), 3 %}{{ a }}{{ b }}{{ c }}", "123"},
           Case{"{% for (a, b) in [(1, 2)] %}{{ a }}{{ b }}{% endfor %}", "12"},
           Case{"{% for a, (b, c) in [(1, 2)] %}{% endfor %}",
                "t line 1: expected 2 values for as many names, found an "
                "integer"},
           Case{"{{ [[1, [2, 3]]].0.1.0 }}", "2"},
           Case{"{% set x %}a{{ 1 }}{% endset %}{{ x | upper }}", "A1"},
           Case{"{% macro m(a, b='y') %}{{ a }}{{ b }}{% endmacro %}"
                "{{ m('x') }} {{ m('x', b='z') }}",
                "xy xz"},
           Case{"{% generation %}g{% endgeneration %}", "g"},
           Case{"a {#- c -#} b", "ab"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, WhiteSpaceAroundTags) {
  for (const auto &[text, expected] : {
           Case{"a\n  {% if 1 %}\nb\n  {% endif %}\nc", "a\nb\nc"},
           Case{"a\n  {{ 1 }}\nb\n", "a\n  1\nb"},
           Case{"a  {%- if 1 -%}  b  {%- endif -%}  c", "abc"},
           Case{"a\n  {# c #}\nb", "a\nb"},
           Case{"a {%+ if 1 %}b{% endif +%}\nc", "a b\nc"},
           Case{"x {{- ' y ' -}} z", "x y z"},
           Case{"a\r\nb\rc{% if 1 %}\r\nd{% endif %}\r\n", "a\nb\ncd"},
           Case{"{{ 'a\r\nb' }}{{ '\\r' }}", "a\nb\r"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, CallBlocksPassTheirBodyAsCaller) {
  for (const auto &[text, expected] : {
           Case{"{% macro w(t) %}<{{ t }}>{{ caller() }}{% endmacro %}"
                "{% call w('b') %}in {{ messages[0].role }}{% endcall %}",
                "<b>in user"},
           Case{"{% macro each(xs) %}{% for x in xs %}[{{ caller(x, loop.index)"
                " }}]{% endfor %}{% endmacro %}{% set q = 'q' %}"
                "{% call(x, i=7) each([5, 6]) %}{{ q }}{{ x }}-{{ i }}"
                "{% endcall %}",
                "[q5-1][q6-2]"},
           Case{"{% macro a() %}{{ caller is defined }}{{ varargs|length }}"
                "{{ kwargs }}{% endmacro %}{{ a(1, 2, k=3) }}",
                "False2{'k': 3}"},
           Case{"{% macro f(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ f(1) }}",
                "11"},
           Case{"{% call 1 %}{% endcall %}",
                "t line 1: expected a call of a macro"},
           Case{"{% macro a() %}{% endmacro %}{% call a() %}",
                "t line 1: expected {% endcall %} for '{% call %}' of line 1, "
                "found the end of the template"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, BlocksThatFilterOrHoldVariables) {
  for (const auto &[text, expected] : {
           Case{"{% filter trim | upper %} hi {% endfilter %}|", "HI|"},
           Case{"{% filter indent(2) %}a\nb\n\nc{% endfilter %}",
                "a\n  b\n\n  c"},
           Case{"{% set x | trim %} a {% endset %}[{{ x }}]", "[a]"},
           Case{"{% set ns = namespace() %}{% set ns.y %}b{% endset %}"
                "{{ ns.y }}",
                "b"},
           Case{"{% set x %}{% set y = 1 %}{{ y }}{% endset %}{{ x }}"
                "{{ y is defined }}",
                "1False"},
           Case{"{% set a = 5 %}{% with a = a + 1, b = a %}{{ a }}{{ b }}"
                "{% endwith %}{{ a }}{{ b is defined }}",
                "655False"},
           Case{"{% block a %}x{% set y = 1 %}{{ y }}{% endblock a %}"
                "{{ y is defined }}",
                "x1False"},
           Case{"{% set y = 2 %}{% block a %}{{ y }}{% endblock %}"
                "{{ self.a() }}",
                "22"},
           Case{"{% for i in [1, 2] %}{% block a %}[{{ i is defined }}]"
                "{% endblock %}{% endfor %}",
                "[False][False]"},
           Case{"{% for i in [1, 2] %}{% block a scoped %}{{ i }}"
                "{% endblock %}{% endfor %}",
                "12"},
           Case{"{% block a %}{% endblock b %}",
                "t line 1: expected {% endblock a %}, found 'b'"},
           Case{"{% block a required %}{% endblock %}",
                "t line 1: expected %}, found 'required'"},
           Case{"{% autoescape false %}{{ '<' }}{% set z = 1 %}"
                "{% endautoescape %}{{ z is defined }}",
                "<False"},
           Case{"{% autoescape true %}{% endautoescape %}",
                "t line 1: uses the statement 'autoescape' with another value "
                "than false, which is not supported"},
           Case{"{% filter shout %}{% endfilter %}",

                "t line 1: uses the filter 'shout', which is not supported"},
           Case{"{% with a %}{% endwith %}",
                "t line 1: expected '=', found %}"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, CyclersAndJoiners) {
  for (const auto &[text, expected] : {
           Case{"{% set c = cycler('a', 'b') %}{{ c.current }}{{ c.next() }}"
                "{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}"
                "{{ c.current }}",
                "aababNonea"},
           Case{"{% set j = joiner('; ') %}{% for x in [1, 2, 3] %}{{ j() }}"
                "{{ x }}{% endfor %}",
                "1; 2; 3"},
           Case{"{% set j = joiner() %}{{ j() }}a{{ j() }}b", "a, b"},
           Case{"{{ cycler() }}", "t line 1: expected values for cycler()"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, RawBlocks) {
  for (const auto &[text, expected] : {
           Case{"a {% raw %}{{ x }} {% if %} {# c #}{% endraw %} b",
                "a {{ x }} {% if %} {# c #} b"},
           Case{"a\n  {%- raw -%}\n  {{ x }}\n  {%- endraw -%}\n b",
                "a{{ x }}b"},
           Case{"  {% raw %}\n  {{ x }}\n  {% endraw %}\n b",
                "\n  {{ x }}\n b"},
           Case{"{% raw %}{{ x }}",
                "t line 1: a raw block has no {% endraw %}"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, LessUsualFiltersTestsAndMethods) {
  for (const auto &[text, expected] : {
           Case{
               "{{ 2.5|round }} {{ 2.567|round(2) }} {{ 2.1|round(0, 'ceil') }}"
               " {{ 7.9|round(method='floor') }} {{ 3|round }}",
               "2.0 2.57 3.0 7.0 3"},
           Case{
               "{{ [1, 2]|sum }} {{ [{'a': 2}, {'a': 5}]|sum('a') }} {{ []|sum "
               "}} {{ [3, 1]|min }} {{ ['b', 'A']|max }} "
               "{{ [{'a': 2}, {'a': 5}]|max(attribute='a') }}",
               "3 7 0 1 b {'a': 5}"},
           Case{"{{ {'b': 1, 'a': 'é😀'}|tojson(sort_keys=true, "
                "ensure_ascii=true, separators=(',', ':')) }}",
                "{\"a\":\"\\u00e9\\ud83d\\ude00\",\"b\":1}"},
           Case{"{{ 'a,b,c'.rsplit(',', 1) }} {{ ' a b  c '.rsplit(none, 1) }}",
                "['a,b', 'c'] [' a b', 'c']"},
           Case{"{{ 'a\nb\r\nc'.splitlines() }} {{ 'xay'.partition('a')[2] }}",
                "['a', 'b', 'c'] y"},
           Case{
               "{{ 'pre-x'.removeprefix('pre') }}{{ 'a.py'.removesuffix('.py') "
               "}} {{ 'banana'.count('an') }}{{ 'banana'.rfind('an') }}",
               "-xa 23"},
           Case{"{{ '12'.isdigit() }} {{ ''.isdigit() }} {{ 'Ab'.isupper() }}",
                "True False False"},
           Case{
               "{{ 4 is divisibleby 3 }} {{ none is sameas none }} "
               "{{ true is sameas 1 }} {{ 'a' is lower }} {{ 2 is in [1, 2] }}",
               "False True False True True"},
           Case{"{{ '-' * 3 }}{{ 2 ** 3 }} {{ 2 ** -1 }} {{ {'a': 1}[[2]] }}",
                "---8 0.5 "},
           Case{"{{ true is number }} {{ 'a' is number }}", "True False"},
           Case{"{{ 'x' * 10000000000 }}",
                "t line 1: takes more than 1000000 steps"},
           Case{"{{ 'a'.index('b') }}", "t line 1: finds no 'b' by index"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, TextIsUnicode) {
  for (const auto &[text, expected] : {
           Case{"[{{ '\u3000\u00a0 a \u2028\x1f'.strip() }}] "
                "[{{ '\u2003b\u200b' | trim }}] [{{ '\u2003b ' | "
                "trim('\u2003x') }}]",
                "[a] [b\u200b] [b ]"},
           Case{"{{ 'a\u00a0b\u3000 c'.split() }} "
                "{{ '\u3000a b\u3000c'.rsplit(none, 1) }}",
                "['a', 'b', 'c'] ['\\u3000a b', 'c']"},
           Case{"{{ 'a\u2028b\\x85c\r\n'.splitlines() }}", "['a', 'b', 'c']"},
           Case{"{{ 'stra\u00dfe \ufb01 \u00e9' | upper }} "
                "{{ '\u00c4\u0130 \u03a3\u0391\u03a3.' | lower }} "
                "{{ '\u00e9TUDE \u01c6' | title }} "
                "{{ '\u00df\u00c9' | capitalize }} {{ 'aB\u00c9'.swapcase() }} "
                "{{ '\u00df'.casefold() }}",
                "STRASSE FI \u00c9 \u00e4i\u0307 \u03c3\u03b1\u03c2. "
                "\u00c9tude \u01c4 Ss\u00e9 Ab\u00e9 ss"},
           Case{"{{ '\u00e9'.isalpha() }} {{ '\u0663'.isdecimal() }} "
                "{{ '\u00b2'.isdecimal() }} {{ '\u00b2'.isdigit() }} "
                "{{ '\u2003'.isspace() }} {{ '\u00c9'.isupper() }} "
                "{{ '\u00e9!' is lower }} {{ 'a-b'.isalnum() }}",
                "True True False True True True True False"},
           Case{R"({{ ['a\u00a0\u200b\U000E0001', '\'"', '\'', '\x7f'] }})",
                R"(['a\xa0\u200b\U000e0001', '\'"', "'", '\x7f'])"},
           Case{R"({{ '\b\f\x01/' | tojson }} )"
                R"({{ '\x7f\u2028' | tojson(ensure_ascii=true) }})",
                R"("\b\f\u0001/" "\u007f\u2028")"},
           Case{"{{ 1e5 }} {{ 123456789.0 }} {{ 1e16 }} {{ 1e-4 }} {{ 1e-5 }} "
                "{{ 1e22 }} {{ 0.1 + 0.2 }}",
                "100000.0 123456789.0 1e+16 0.0001 1e-05 1e+22 "
                "0.30000000000000004"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, TuplesAndKeysOfMaps) {
  for (const auto &[text, expected] : {
           Case{"{{ (1, 2) }} {{ (1,) }} {{ () }} {{ (1, 2) == [1, 2] }} "
                "{{ (1, 2) + (3,) }} {{ (1, 2)[:1] }} {{ (1, 2) | list }}",
                "(1, 2) (1,) () False (1, 2, 3) (1,) [1, 2]"},
           Case{"{% set x = 1, 'a' %}{{ x }} {{ 'a=b'.partition('=') }} "
                "{{ {'a': 1}.items() | list }} {{ {'b': 1} | dictsort }}",
                "(1, 'a') ('a', '=', 'b') [('a', 1)] [('b', 1)]"},
           Case{"{{ {1: 'a', none: 2, (1, 2): 4, 1.5: 2, true: 3} }}",
                "{1: 3, None: 2, (1, 2): 4, 1.5: 2}"},
           Case{"{{ {1: 'a', none: 2, true: {2.5: 3}} | tojson }}",
                "{\"1\": {\"2.5\": 3}, \"null\": 2}"},
           Case{"{{ {3: 1, 20: 2} | dictsort }} {{ {1: 2}[1] }} "
                "{{ {1: 2}.get(1.0) }} {{ 1 in {1: 2} }} {{ '1' in {1: 2} }}",
                "[(3, 1), (20, 2)] 2 2 True False"},
           Case{"{{ {[1]: 2} }}", "t line 1: uses a list as a key"},
           Case{"{{ {([],): 2} }}", "t line 1: uses a tuple as a key"},
           Case{"{{ [1] + (2,) }}", "t line 1: has a list + a tuple"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, ArgumentsFromListsAndMaps) {
  const std::string macro = "{% macro m(a, b=2) %}{{ a }}{{ b }}{{ varargs }}"
                            "{{ kwargs }};{% endmacro %}";
  for (const auto &[text, expected] : {
           Case{"{{ m(*[1, 2, 3]) }}{{ m(1, **{'b': 5, 'c': 6}) }}"
                "{{ m(*[1], b=3) }}{{ m(b=3, *[1]) }}",
                "12(3,){};15(){'c': 6};13(){};13(){};"},
           Case{"{{ m(**1) }}",
                "t line 1: expected a map after '**', found an integer"},
           Case{"{{ m(*1) }}", "t line 1: goes through an integer"},
           Case{"{{ m(*[1], 2) }}", "t line 1: found an argument without a "
                                    "name behind one with a name"},
       })
    EXPECT_EQ(render(macro + text), expected) << text;
}

TEST(ChatLanguage, FormatsValues) {
  for (const auto &[text, expected] : {
           Case{"{{ '%s-%d' % ('a', 3) }} {{ '%05.2f|%-5s|%+d|%x|%%' % "
                "(3.14159, 'ab', 5, 255) }} {{ '%s' % 5 }} "
                "{{ '%(a)s' % {'a': 1} }} {{ '%r' % 'x' }} {{ '%s' % [1, 2] }}",
                "a-3 03.14|ab   |+5|ff|% 5 1 'x' [1, 2]"},
           Case{"{{ '%s %s' | format('a', 1) }} {{ '%(x)5s' | format(x=2) }}",
                "a 1     2"},
           Case{"{{ '{} {}'.format('a', 1) }} {{ '{0}{1}{0}'.format('a', 'b') "
                "}} {{ '{x}{{}}'.format(x=1) }} {{ '{!r}'.format('a') }} "
                "{{ '{0.role}{0[content]}'.format(messages[0]) | trim }}",
                "a 1 aba 1{} 'a' user Hi"},
           Case{
               "{{ '{:>5}|{:<5}|{:*^5}|{:05d}|{:.2f}|{:,}|{:.1%}|{:#x}|{:+}' "
               ".format('a', 'b', 'c', -42, 3.14159, 1234567, 0.25, 255, 1) }}",
               "    a|b    |**c**|-0042|3.14|1,234,567|25.0%|0xff|+1"},
           Case{"{{ '%d' % 'a' }}",
                "t line 1: expected a number for '%d', found a string"},
           Case{"{{ '%s %s' % 'a' }}",
                "t line 1: has more conversions than values"},
           Case{"{{ '%s' % ('a', 'b') }}",
                "t line 1: has more values than conversions"},
           Case{"{{ '%y' % 1 }}", "t line 1: has the conversion '%y', which is "
                                  "not supported"},
           Case{"{{ '%(b)s' % {'a': 1} }}",
                "t line 1: has no value for '%(b)'"},
           Case{"{{ '{1}'.format(1) }}", "t line 1: has no value for {1}"},
           Case{"{{ '{:d}'.format('a') }}",
                "t line 1: has the format ':d', which does not fit a string"},
           Case{"{{ '{'.format(1) }}",
                "t line 1: has a single '{' in the text of format()"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, ComparisonsInARow) {
  EXPECT_EQ(render("{{ 1 < 2 < 3 }} {{ 3 > 2 > 1 }} {{ 1 < 3 < 2 }} "
                   "{{ 1 == 1 != 2 }} {{ 1 in [1] == true }} "
                   "{{ [1, 2] < [1, 3] }} {{ (1, 2) >= (1,) }}"),
            "True True False True False True True");
}

TEST(ChatLanguage, LoopsKnowTheirPlace) {
  for (const auto &[text, expected] : {
           Case{"{% for x in [1, 2, 3] %}{{ loop.cycle('a', 'b') }}"
                "{{ loop.depth }}{{ loop.depth0 }}{{ loop.changed(x > 1) }} "
                "{% endfor %}",
                "a10True b10True a10False "},
           Case{"{% for x in [[1, [2]], [3]] recursive %}{% if x is iterable "
                "%}<{{ loop(x) }}>{% else %}{{ x }}{{ loop.depth }}{% endif %}"
                "{% endfor %}",
                "<12<23>><32>"},
           Case{"{% for x in range(2) %}{% macro m() %}{{ x }}{% endmacro %}"
                "{{ m() }}{% endfor %}",
                "01"},
           Case{"{% for x in [[1]] recursive %}{{ loop([x]) }}{% endfor %}",
                "t line 1: calls loops more than 50 levels deep"},
           Case{"{% for x in [1] %}{{ loop([x]) }}{% endfor %}",
                "t line 1: calls 'loop', which is not a supported function"},
           Case{"{% for x in [1] %}{{ loop.cycle() }}{% endfor %}",
                "t line 1: expected values for loop.cycle()"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, FiltersOfGroupsAndAttributes) {
  for (const auto &[text, expected] : {
           Case{"{{ [1, 2, 3, 4, 5] | batch(2) | list }} "
                "{{ [1, 2, 3] | batch(2, 'x') | list }} "
                "{{ [1, 2, 3, 4, 5] | slice(2) | list }} "
                "{{ [1, 2, 3, 4, 5] | slice(3, 'x') | list }}",
                "[[1, 2], [3, 4], [5]] [[1, 2], [3, 'x']] [[1, 2, 3], [4, 5]] "
                "[[1, 2], [3, 4], [5, 'x']]"},
           Case{"{% for g in [{'a': 1, 'b': 2}, {'a': 0, 'b': 3}, {'a': 1, "
                "'b': 4}] | groupby('a') %}{{ g.grouper }}:{{ g.list | "
                "map(attribute='b') | join('+') }} {% endfor %}"
                "{% for k, v in ['b', 'B', 'a'] | map('list') | groupby(0) %}"
                "{{ k }}{{ v | length }}{% endfor %}",
                "0:3 1:2+4 a1b2"},
           Case{"{{ [{'a': {'b': 2}}, {'a': {'b': 1}}] | map(attribute='a.b') "
                "| list }} {{ [[1, 2], [3, 4]] | map(attribute=1) | list }} "
                "{{ [{}, {'a': 1}] | map(attribute='a', default='z') | list }}",
                "[2, 1] [2, 4] ['z', 1]"},
           Case{"{{ [{'a': 2, 'b': 1}, {'a': 1, 'b': 2}, {'a': 1, 'b': 1}] | "
                "sort(attribute='a,b') | map(attribute='b') | join }} "
                "{{ messages | join(',', attribute='role') }} "
                "{{ [{'r': 'x'}, {'r': 'X'}] | unique(attribute='r') | list | "
                "length }} [{{ messages[0] | attr('role') }}]",
                "121 user 1 []"},
           Case{"{{ [1] | batch(0) }}",
                "t line 1: expected a number of elements for batch"},
           Case{"{{ [1] | slice(0) }}",
                "t line 1: expected a number of lists for slice"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, FiltersOfTextAndNumbers) {
  for (const auto &[text, expected] : {
           Case{"{{ '<a&\"\\'>' | e }} {{ 'a b&c/\u00e9?' | urlencode }} "
                "{{ {'a': 1, 'b': 'x y'} | urlencode }}",
                "&lt;a&amp;&#34;&#39;&gt; a%20b%26c/%C3%A9%3F a=1&b=x+y"},
           Case{"{{ 'abc' | center(9) }}|{{ 'abc'.center(8, '*') }}|"
                "{{ 'a'.ljust(3) }}|{{ 'a'.rjust(3, '-') }}|"
                "{{ '-7'.zfill(4) }}",
                "   abc   |**abc***|a  |--a|-007"},
           Case{
               "{{ 'foo bar baz' | truncate(7) }}|{{ 'foo bar baz qux' | "
               "truncate(9) }}|{{ 'foo bar baz' | truncate(7, true, '~', 0) }}",
               "foo bar baz|foo...|foo ba~"},
           Case{"{{ '42abc' | int }} {{ '42abc' | int(7) }} {{ '3.9' | int }} "
                "{{ true | int }} {{ none | int }} {{ '0x1f' | int(0, 16) }} "
                "{{ 'zz' | int(base=36) }} {{ 'x' | float(2.5) }} "
                "{{ ' 5 ' | int }} {{ '1_0' | int }} {{ -5 | abs }}",
                "0 7 3 1 0 31 1295 2.5 5 10 5"},
           Case{"{{ 2.675 | round(2) }} {{ 1234 | round(-2) }} "
                "{{ 7 | round(1) }} {{ 7.123 | round(1, 'floor') }} "
                "{{ true + 1 }} {{ 2 * 'ab' }} {{ [1] * 2 }}",
                "2.67 1200 7 7.1 2 abab [1, 1]"},
           Case{"{{ 'hello, big-world x' | wordcount }} "
                "{{ 'abc'.replace('', '-') }} {{ 'abc'.count('') }} "
                "{{ 'abcabc'.find('c', 3) }} {{ 'abcabc'.count('a', 1) }} "
                "{{ 'abc'.startswith('b', 1) }} {{ 'a' | replace('a', 1) }}",
                "4 -a-b-c- 4 5 1 True 1"},
           Case{"{{ x is iterable }} {{ x is sequence }} {{ x is callable }} "
                "{{ [] is sameas [] }} {{ messages is sameas messages }} "
                "{{ [1, 2].index(2) }} {{ dict({'a': 1}, b=2) }} "
                "{{ dict([('a', 1)]) }} {{ 'a\\\nb\\101' }}",
                "True True True False True 1 {'a': 1, 'b': 2} {'a': 1} abA"},
           Case{"{{ [1].index(2) }}",
                "t line 1: finds no such element by index"},
           Case{"{{ 'a' | center(3, 4) }}{{ 'a'.center(3, 'bc') }}",
                "t line 1: expected one character for center to fill with"},
           Case{"{{ 'abcdefghijkl' | truncate(2) }}",
                "t line 1: expected a length of at least 3 for truncate"},
           Case{"{{ dict([1]) }}",
                "t line 1: expected a map or a list of pairs "
                "for dict()"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

/// Jinja does not look at filters of branches that are not taken.
TEST(ChatLanguage, UnknownFiltersInBranchesFailWhenApplied) {
  for (const auto &[text, expected] : {
           Case{"{% if tools %}{{ 1 | from_json }}{{ 1 is odder }}{% else %}a"
                "{% endif %}",
                "a"},
           Case{"{% if 'from_json' is filter %}{{ 1 | from_json }}"
                "{% elif 'odd' is test %}b{% endif %}",
                "b"},
           Case{"{% if true %}{{ 1 | from_json }}{% endif %}",
                "t line 1: uses the filter 'from_json', which is not "
                "supported"},
           Case{"{% if 0 %}{% else %}{{ 1 is odder }}{% endif %}",
                "t line 1: uses the test 'odder', which is not supported"},
           Case{"{% if 1 %}{% endif %}{{ 1 | from_json }}",
                "t line 1: uses the filter 'from_json', which is not "
                "supported"},
       })
    EXPECT_EQ(render(text), expected) << text;
}

TEST(ChatLanguage, SelectsNothingFromWhatIsFalse) {
  EXPECT_EQ(render("{{ none | selectattr('a') | list }}"
                   "{{ tools | map('upper') | list }}{{ self.block }}"),
            "[][]");
}

TEST(ChatLanguage, RefusesWhatItDoesNotUnderstand) {
  for (const auto &[text, expected] : {
           Case{"{% include 'x' %}",
                "t line 1: uses the statement 'include', which is not "
                "supported"},
           Case{"\n{{ 'x' | wordwrap }}",
                "t line 2: uses the filter 'wordwrap', which is not "
                "supported"},
           Case{"{{ 1 is prime }}",
                "t line 1: uses the test 'prime', which is not supported"},
           Case{"{{ 'x'.encode() }}",
                "t line 1: calls the method 'encode' of a string, which is not "
                "supported"},
           Case{"{{ [1, 'a'] | sort }}",
                "t line 1: compares an integer with a string"},
           Case{"{{ ['nan' | float, 1] | sort }}", "t line 1: sorts by nan"},
           Case{"{{ [1] | dictsort }}",
                "t line 1: sorts the members of a list"},
           Case{"{{ {} | dictsort(by='x') }}",
                "t line 1: expected 'key' or 'value' for dictsort to sort by"},
           Case{"{{ messages | first.role }}",
                "t line 1: expected }}, found '.'"},
           Case{"{{ lipsum() }}",
                "t line 1: calls 'lipsum', which is not a supported "
                "function"},
           Case{"{% if 1 %}",
                "t line 1: expected {% endif %} for '{% if %}' of "
                "line 1, found the end of the template"},
           Case{"{% for a in b %}\n{% if 1 %}\n{% elif 2 %}\n{% endfor %}",
                "t line 4: expected {% endif %} for '{% if %}' of line 2, "
                "found '{% endfor %}'"},
           Case{"{% endfor %}",
                "t line 1: found '{% endfor %}' without its beginning"},
           Case{"{{ 1 ", "t line 1: a tag has no }}"},
           Case{R"({{ '\ud800' }})", "t line 1: a string has the escape "
                                     "'\\ud800', which is not a character"},
           Case{R"({{ '\u12' }})", "t line 1: a string has the escape "
                                   "'\\u12' ', which is not a character"},
           Case{"{{ 'a }}", "t line 1: a string has no end"},
           Case{"{{ 1 1 }}", "t line 1: expected }}, found '1'"},
           Case{"{{ }}", "t line 1: expected an expression, found }}"},
           Case{"{{ x.y }}", "t line 1: takes 'y' of 'x', which is undefined"},
           Case{"{{ [][0].y }}", "t line 1: takes 'y' of an undefined value"},
           Case{"{{ 1 // 0 }}", "t line 1: divides by 0"},
           Case{"{{ 9223372036854775807 + 1 }}",
                "t line 1: has an integer that is too large"},
           Case{"{{ raise_exception('no system') }}",
                "t line 1: the template refuses this: no system"},
           Case{"{% for i in range(1000000000) %}{% endfor %}",
                "t line 1: takes more than 1000000 steps"},
           Case{"{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
                "t line 1: calls macros more than 50 levels deep"},
           Case{"{% set n = namespace() %}{% set n.n = n %}",
                "t line 1: puts a namespace into a namespace"},
       })
    EXPECT_EQ(render(text), expected) << text;
  EXPECT_EQ(render("{{ " + std::string(1000, '(') + "1" +
                   std::string(1000, ')') + "}}"),
            "t line 1: is nested more than 200 levels deep");
}

/// Chained operators form a tree as deep as the chain is long.
TEST(ChatLanguage, OperatorsInARowAreCounted) {
  const auto repeat = [](std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
      all += text;
    return all;
  };
  const std::string tooDeep = "t line 1: is nested more than 200 levels deep";
  for (const auto &[front, link, back] :
       {std::array{"", "1 + ", "1"}, std::array{"", "'a' ~ ", "'b'"},
        std::array{"", "0 or ", "1"}, std::array{"", "1 == ", "1"},
        std::array{"'a'", " | upper", ""}, std::array{"x", ".y", ""},
        std::array{"x", "[0]", ""}, std::array{"x", "()", ""},
        std::array{"x", "[0:1]", ""}, std::array{"1", " is odd", ""},
        std::array{"1", " is not odd", ""}, std::array{"1", " if 1", ""},
        std::array{"", "- ", "1"}, std::array{"", "not ", "1"}})
    for (int times : {300, 100000})
      EXPECT_EQ(render("{{ " + (front + repeat(link, times) + back) + " }}"),
                tooDeep)
          << link;
  EXPECT_EQ(render("{{ " + repeat("1 + ", 150) + "1 }}"), "151");
}

TEST(ChatLanguage, MacrosThatNestAreCounted) {
  std::string text = "{% macro f() %}";
  for (int i = 0; i < 150; ++i)
    text += "{% if 1 %}";
  text += "{{ f()";
  for (int i = 0; i < 150; ++i)
    text += " | upper";
  text += " }}";
  for (int i = 0; i < 150; ++i)
    text += "{% endif %}";
  EXPECT_EQ(render(text + "{% endmacro %}{{ f() }}"),
            "t line 1: runs more than 1000 levels deep");
}

} // namespace
