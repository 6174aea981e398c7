// Turn by turn: the whole conversation is formatted again, and the KV cache
// keeps the common prefix.
#include "Chat.h"
#include "Prompt.h"
#include "Terminal/Console.h"
#include <algorithm>
#include <iostream>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

/// Truncates the session to the common prefix with `ids`, at least one id
/// shorter than `ids`, since a step needs one.
/// \param held  the ids in the KV cache of the session.
/// \returns the ids that remain to be computed.
static std::span<const int32_t> keepCommon(runtime::Session &session,
                                           std::span<const int32_t> held,
                                           std::span<const int32_t> ids) {
  const auto cached =
      held.first(std::min(held.size(), size_t(session.length(0))));
  const auto [ours, same] = std::ranges::mismatch(cached, ids);
  const size_t common = std::min(size_t(ours - cached.begin()), ids.size() - 1);
  session.truncate(0, int64_t(common));
  return ids.subspan(common);
}

Result<int> run::talk(const Options &options, runtime::Session &session,
                      const runtime::ChatTemplate &format,
                      const runtime::Tokenizer &tokenizer,
                      std::span<const int32_t> endOfText, Report &report) {
  const bool isTerminal = ::isatty(STDIN_FILENO) && ::isatty(STDERR_FILENO);
  std::vector<runtime::ChatMessage> messages;
  std::vector<int32_t> held;
  std::string line;
  for (;;) {
    if (isTerminal)
      std::cerr << "> " << std::flush;
    if (!std::getline(std::cin, line))
      return 0;
    if (line.empty())
      continue;
    if (messages.empty())
      messages = beginChat(options, line);
    else
      messages.push_back({"user", line});
    const auto ids = encodeChat(format, messages, tokenizer);
    if (!ids)
      return tl::unexpected(ids.error());
    if (int64_t(ids->size()) > session.capacity())
      return makeError(ErrorCode::OutOfRange, "chat: ", ids->size(),
                       " tokens do not fit in a context of ",
                       session.capacity(), "; begin anew");
    std::vector<int32_t> answer;
    const auto code = generateText(options, session, &tokenizer,
                                   keepCommon(session, held, *ids), endOfText,
                                   report, &answer);
    if (!code || *code != 0 || report.stopReason == "output closed")
      return code;
    if (!::isatty(STDOUT_FILENO))
      if (auto written = writeOutput("\n"); !written || !*written)
        return written ? Result<int>(0) : tl::unexpected(written.error());
    auto text = tokenizer.decode(answer);
    if (!text)
      return tl::unexpected(text.error());
    messages.push_back({"assistant", std::move(*text)});
    held = *ids;
    held.insert(held.end(), answer.begin(), answer.end());
  }
}
