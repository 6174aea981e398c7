// The callback of the generation loop: converts tokens to text, matches stop
// strings, and handles signals and closed output.
#include "Generate.h"
#include "Terminal/Console.h"
#include "Terminal/Interrupt.h"
#include "TileGPT/Runtime/Text/StopMatcher.h"
#include "TileGPT/Runtime/Text/StreamDecoder.h"
#include <algorithm>
#include <limits>
#include <random>
#include <unistd.h>

using namespace tilegpt;
using namespace tilegpt::run;
using runtime::Result;

namespace {

/// Writes the tokens of one generation to stdout, as text or as ids.
class TokenWriter {
public:
  TokenWriter(const Options &options, const runtime::Tokenizer *tokenizer,
              runtime::StopMatcher stops)
      : tokenizer(tokenizer), stops(std::move(stops)),
        printIds(options.printIds) {}

  /// \returns false if generation ends: a stop string, or the output is closed.
  Result<bool> writePrompt(std::span<const int32_t> prompt) {
    runtime::StreamDecoder whole;
    std::string text;
    for (const int32_t token : prompt)
      text += whole.push(bytesOf(token));
    text += whole.finish();
    // Tokens added by encoding.
    const size_t spaces = std::min(
        {tokenizer->spacesInFront(), text.find_first_not_of(' '), text.size()});
    return show(text.substr(spaces));
  }

  Result<bool> write(int32_t token) {
    if (printIds)
      return show((std::exchange(first, false) ? "" : " ") +
                  std::to_string(token));
    const Result<bool> written = show(stops.push(decoder.push(bytesOf(token))));
    return written && stops.stopped() ? false : written;
  }

  /// Writes held-back text.
  Result<bool> finish() {
    if (printIds)
      return show("\n");
    const std::string rest = stops.push(decoder.finish()) + stops.finish();
    // A terminal gets a final newline; a file gets only the text.
    return show(::isatty(STDOUT_FILENO) ? rest + "\n" : rest);
  }

  bool foundStopString() const { return stops.stopped(); }

private:
  /// Special tokens are not text.
  std::string_view bytesOf(int32_t token) const {
    return tokenizer->isSpecial(token)
               ? std::string_view()
               : tokenizer->bytes(token).value_or(std::string_view());
  }

  Result<bool> show(const std::string &text) {
    reading = reading.value_or(false) ? writeOutput(text) : reading;
    return reading;
  }

  const runtime::Tokenizer *tokenizer;
  runtime::StreamDecoder decoder;
  runtime::StopMatcher stops;
  bool printIds;
  bool first = true;
  Result<bool> reading = true;
};

} // namespace

static Result<runtime::Sampler>
createSampler(const Options &options, const runtime::Session &session,
              std::span<const int32_t> endOfText, Report &report) {
  runtime::SamplerOptions sampler = options.sampler;
  sampler.seed = options.seed ? *options.seed : std::random_device()();
  if (sampler.temperature != 0)
    report.seed = sampler.seed;
  if (options.ignoreEndOfText)
    for (const int32_t token : endOfText)
      sampler.logitBias.emplace_back(token,
                                     -std::numeric_limits<float>::infinity());
  return runtime::Sampler::create(sampler, session.vocabulary());
}

static std::string describe(runtime::StopReason reason,
                            const TokenWriter &writer,
                            const InterruptGuard &interrupt) {
  switch (reason) {
  case runtime::StopReason::EndOfText:
    return "end of text";
  case runtime::StopReason::Length:
    return "length";
  case runtime::StopReason::Stopped:
    break;
  }
  if (interrupt.requested())
    return "interrupted";
  return writer.foundStopString() ? "reverse prompt" : "output closed";
}

Result<int> run::generateText(const Options &options, runtime::Session &session,
                              const runtime::Tokenizer *tokenizer,
                              std::span<const int32_t> prompt,
                              std::span<const int32_t> endOfText,
                              Report &report, std::vector<int32_t> *tokens) {
  auto sampler = createSampler(options, session, endOfText, report);
  if (!sampler)
    return tl::unexpected(sampler.error());
  auto stops = runtime::StopMatcher::create(options.reversePrompts);
  if (!stops)
    return tl::unexpected(stops.error());

  TokenWriter writer(options, tokenizer, std::move(*stops));
  if (options.displayPrompt && !options.chat && !options.printIds && tokenizer)
    if (auto shown = writer.writePrompt(prompt); !shown)
      return tl::unexpected(shown.error());

  const InterruptGuard interrupt;
  Result<bool> writing = true;
  const auto onToken = [&](size_t, int32_t token) {
    writing = writer.write(token);
    return writing.value_or(false) && !interrupt.requested();
  };
  runtime::GenerationRequest request;
  request.prompt = prompt;
  request.sampler = &*sampler;
  request.maxTokens = options.predict;
  request.endOfText = endOfText;
  auto generations = runtime::generate(session, {&request, 1}, onToken,
                                       &report.generation.emplace());
  if (!writing)
    return tl::unexpected(writing.error());
  if (auto finished = writer.finish(); !finished)
    return tl::unexpected(finished.error());
  if (!generations)
    return tl::unexpected(generations.error());
  report.stopReason = describe(generations->front().reason, writer, interrupt);
  if (tokens)
    *tokens = std::move(generations->front().tokens);
  return interrupt.exitCode();
}
