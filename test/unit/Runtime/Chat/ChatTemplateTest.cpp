// Chat formats of published models, with templates that behave like theirs, and
// where templates are found.
#include "TileGPT/Runtime/Chat/ChatTemplate.h"
#include "../TemporaryFolder.h"
#include <gtest/gtest.h>

using namespace tilegpt::runtime;

namespace {

const std::vector<ChatMessage> conversation = {{"system", "Be brief. "},
                                               {"user", " Hello"},
                                               {"assistant", "Hi!"},
                                               {"user", "Who are you?\n"}};
const std::vector<ChatMessage> question = {{"user", "Hello"}};

std::string render(std::string_view text,
                   std::span<const ChatMessage> messages) {
  const auto parsed = ChatTemplate::parse(
      text, "chat: 't'", {{"bos_token", "<bos>"}, {"eos_token", "<eos>"}});
  if (!parsed)
    return parsed.error().message;
  const auto result = parsed->render(messages);
  return result ? *result : result.error().message;
}

TEST(ChatTemplate, Llama3) {
  const char *text = R"({{- bos_token }}
{%- if not date is defined %}
    {%- set date = "1 Jan 2026" %}
{%- endif %}

{#- The system message comes first. #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\n\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\n" }}
{%- endif %}
{{- "Today: " + date + "\n\n" + system + "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' }}
    {%- else %}
        {{- raise_exception("no tools") }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif %}
)";
  EXPECT_EQ(render(text, conversation),
            "<bos><|start_header_id|>system<|end_header_id|>\n\nToday: 1 Jan "
            "2026\n\nBe brief.<|eot_id|><|start_header_id|>user<|end_header_id|"
            ">\n\nHello<|eot_id|><|start_header_id|>assistant<|end_header_id|>"
            "\n\nHi!<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nWho "
            "are you?<|eot_id|><|start_header_id|>assistant<|end_header_id|>"
            "\n\n");
}

TEST(ChatTemplate, QwenWithThoughts) {
  const char *text = R"({%- if tools %}
    {{- '# Tools' }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}
{%- endif %}
{%- set ns = namespace(open=true, last=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.open and message.role == "user" and not(message.content.startswith('<tool>') and message.content.endswith('</tool>')) %}
        {%- set ns.open = false %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
    {%- elif message.role == "assistant" %}
        {%- set content = message.content %}
        {%- if '</think>' in content %}
            {%- set content = content.split('</think>')[-1].lstrip('\n') %}
        {%- endif %}
        {{- '<|im_start|>assistant\n' + content + '<|im_end|>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\n\n</think>\n\n' }}
    {%- endif %}
{%- endif %})";
  auto thoughtful = conversation;
  thoughtful[2].content = "<think>\nhm\n</think>\n\nHi!";
  EXPECT_EQ(render(text, thoughtful),
            "<|im_start|>system\nBe brief. <|im_end|>\n<|im_start|>user\n "
            "Hello<|im_end|>\n<|im_start|>assistant\nHi!<|im_end|>\n<|im_start|"
            ">user\nWho are you?\n<|im_end|>\n<|im_start|>assistant\n");
}

TEST(ChatTemplate, GemmaTakesNoSystemMessage) {
  const char *text =
      "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ "
      "raise_exception('no system role') }}{% endif %}{% for message in "
      "messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) "
      "%}{{ raise_exception('roles must take turns') }}{% endif %}{% if "
      "(message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% "
      "set role = message['role'] %}{% endif %}{{ '<start_of_turn>' + role + "
      "'\n' + message['content'] | trim + '<end_of_turn>\n' }}{% endfor %}{% "
      "if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}";
  EXPECT_EQ(render(text, std::span(conversation).subspan(1)),
            "<bos><start_of_turn>user\nHello<end_of_turn>\n<start_of_turn>model"
            "\nHi!<end_of_turn>\n<start_of_turn>user\nWho are "
            "you?<end_of_turn>\n<start_of_turn>model\n");
  EXPECT_EQ(render(text, conversation),
            "chat: 't' line 1: the template refuses this: no system role");
}

TEST(ChatTemplate, SmolLMHasADefaultSystemMessage) {
  const char *text =
      "{% for message in messages %}{% if loop.first and messages[0]['role'] "
      "!= 'system' %}{{ '<|im_start|>system\nYou are helpful<|im_end|>\n' }}"
      "{% endif %}{{'<|im_start|>' + message['role'] + '\n' + "
      "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if "
      "add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";
  EXPECT_EQ(render(text, question),
            "<|im_start|>system\nYou are helpful<|im_end|>\n<|im_start|>user\n"
            "Hello<|im_end|>\n<|im_start|>assistant\n");
}

TEST(ChatTemplate, Mistral) {
  const char *text = R"t({%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{%- set user_messages = loop_messages | selectattr("role", "equalto", "user") | list %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if message["role"] == "user" %}
        {%- if loop.last and system_message is defined %}
            {{- "[INST] " + system_message + "\n\n" + message["content"] + "[/INST]" }}
        {%- else %}
            {{- "[INST] " + message["content"] + "[/INST]" }}
        {%- endif %}
    {%- elif message["role"] == "assistant" %}
        {{- " " + message["content"]|trim + eos_token}}
    {%- endif %}
{%- endfor %}
{{- "(" ~ user_messages|length ~ ")" }}
)t";
  EXPECT_EQ(render(text, conversation),
            "<bos>[INST]  Hello[/INST] Hi!<eos>[INST] Be brief. \n\nWho are "
            "you?\n[/INST](2)");
}

TEST(ChatTemplate, Phi) {
  const char *text =
      "{% for message in messages %}{% if message['role'] == 'system' and "
      "message['content'] %}{{'<|system|>\n' + message['content'] + "
      "'<|end|>\n'}}{% elif message['role'] == 'user' %}{{'<|user|>\n' + "
      "message['content'] + '<|end|>\n'}}{% elif message['role'] == "
      "'assistant' %}{{'<|assistant|>\n' + message['content'] + "
      "'<|end|>\n'}}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ "
      "'<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}";
  EXPECT_EQ(render(text, question), "<|user|>\nHello<|end|>\n<|assistant|>\n");
}

TEST(ChatTemplate, IsFoundInTheFolder) {
  const tilegpt::TemporaryFolder folder;
  const auto write = [&](const char *name, std::string_view text) {
    folder.write(name, text);
  };
  const auto opened = [&] {
    const auto found = ChatTemplate::open(folder.path);
    if (!found)
      return found.error().message;
    return *found->render(question) + "|" + found->endToken();
  };
  EXPECT_NE(opened().find("found none; the model is not made for --chat"),
            std::string::npos);
  write("tokenizer_config.json", "[]");
  EXPECT_NE(opened().find("tokenizer_config.json' expected an object, got an "
                          "array"),
            std::string::npos);
  write("tokenizer_config.json",
        R"({"chat_template": "{{ bos_token }}{{ messages[0].content }}",
            "bos_token": {"content": "<b>"}, "eos_token": "<e>"})");
  EXPECT_EQ(opened(), "<b>Hello|<e>");
  // Tokens that it lacks are in another file; those in neither are undefined.
  write("tokenizer_config.json",
        R"({"chat_template": "{{ [bos_token, pad_token, unk_token, sep_token]|)"
        R"(join('.') }}", "bos_token": "<b>", "unk_token": null,
            "pad_token": "<p>"})");
  write("special_tokens_map.json",
        R"({"bos_token": "<x>", "eos_token": "<e>", "unk_token":
            {"content": "<u>"}, "additional_special_tokens": ["<a>"]})");
  EXPECT_EQ(opened(), "<b>.<p>.<u>.|<e>");
  write("special_tokens_map.json", "1");
  EXPECT_NE(opened().find("special_tokens_map.json' expected an object, got an "
                          "integer"),
            std::string::npos);
  write("special_tokens_map.json", "{}");
  write("tokenizer_config.json",
        R"({"chat_template": [{"name": "rag", "template": "r"},
            {"name": "default", "template": "d"}]})");
  EXPECT_EQ(opened(), "d|");
  // So does a processor's file, if the others have no template.
  write("chat_template.json", R"({"chat_template": "p"})");
  EXPECT_EQ(opened(), "d|");
  write("tokenizer_config.json", R"({"eos_token": "<e>"})");
  EXPECT_EQ(opened(), "p|<e>");
  write("tokenizer_config.json", R"({"chat_template": "d"})");
  // A separate file takes precedence.
  write("chat_template.jinja", "j\n");
  EXPECT_EQ(opened(), "j|");
  write("chat_template.jinja", "{% do x %}");
  EXPECT_NE(opened().find("chat_template.jinja' line 1: uses the statement "
                          "'do', which is not supported"),
            std::string::npos);
}

} // namespace
