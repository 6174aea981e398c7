// Converts the JSON of the pipeline to executable steps.
#include "TokenizerPipeline.h"
#include "JsonParts.h"
#include "TileGPT/Runtime/Data/Base64.h"
#include <algorithm>

using namespace tilegpt::runtime;

namespace {

/// {"String": "x"} or {"Regex": "x"}.
Pattern readPattern(JsonValue part, PartReader &reader) {
  const auto pattern = part.find("pattern");
  if (pattern && pattern->is(JsonKind::Object)) {
    const auto text = pattern->find("String"), regex = pattern->find("Regex");
    if (text && text->is(JsonKind::String) && !text->string().empty())
      return Pattern::literal(text->string());
    if (regex && regex->is(JsonKind::String)) {
      auto compiled = Pattern::regex(regex->string());
      if (compiled)
        return std::move(*compiled);
      reader.fail("has the pattern '", regex->string(), "' in the ",
                  reader.name, " '", typeOf(part), "', which ",
                  compiled.error().message);
      return {};
    }
  }
  reader.fail("expected 'pattern' of the ", reader.name, " '", typeOf(part),
              "' to be a String or a Regex");
  return {};
}

/// The replacement of a space in a Metaspace.
std::string readMark(JsonValue part, PartReader &reader) {
  std::string mark = reader.text(part, "replacement");
  if (mark.empty())
    reader.fail("expected 'replacement' of the ", reader.name,
                " 'Metaspace' to be a character");
  return mark;
}

// ---- normalizer

/// White space at the ends of a text vanishes.
void readStrip(JsonValue part, PartReader &reader,
               std::vector<NormalizerStep> &steps) {
  constexpr std::pair<std::string_view, std::string_view> sides[] = {
      {"strip_left", "\\A\\s+"}, {"strip_right", "\\s+\\z"}};
  for (const auto &[key, pattern] : sides)
    if (reader.flag(part, key, true))
      steps.push_back(
          {NormalizerStep::Kind::Replace, "", Pattern::regex(pattern).value()});
}

void readCharacterMap(JsonValue part, PartReader &reader,
                      std::vector<NormalizerStep> &steps) {
  const auto table = decodeBase64(reader.text(part, "precompiled_charsmap"));
  if (!table)
    return reader.fail("expected 'precompiled_charsmap' of the ", reader.name,
                       " 'Precompiled' to be base64");
  auto step = NormalizerStep::mapBy(*table, CharacterMap::Sequences::Graphemes);
  if (!step)
    return reader.fail("has a 'precompiled_charsmap' that ",
                       step.error().message);
  steps.push_back(std::move(*step));
}

/// BERT's normalizer: cleans up, isolates Chinese characters, removes accents
/// and makes letters small, each unless the file says otherwise. Characters of
/// escaped bytes (EscapedBytes.h) stay.
void readBert(JsonValue part, PartReader &reader,
              std::vector<NormalizerStep> &steps) {
  using Kind = NormalizerStep::Kind;
  const auto replace = [&](std::string_view pattern, std::string by,
                           Kind kind = Kind::Replace) {
    steps.push_back({kind, std::move(by), Pattern::regex(pattern).value()});
  };
  if (reader.flag(part, "clean_text", true)) {
    replace("(?![\t\n\r\U0010FF00-\U0010FFFF])[\\p{Cc}\\p{Cf}\\p{Co}\uFFFD]",
            "");
    replace("\\s", " ");
  }
  if (reader.flag(part, "handle_chinese_chars", true))
    replace("[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U0002A6DF"
            "\U0002A700-\U0002B81F\U0002B920-\U0002CEAF"
            "\U0002F800-\U0002FA1F]",
            " ", Kind::Surround);
  const bool isLower = reader.flag(part, "lowercase", true);
  if (reader.flag(part, "strip_accents", isLower)) {
    steps.push_back({Kind::Nfd});
    replace("\\p{Mn}", "");
  }
  if (isLower)
    steps.push_back({Kind::Lowercase});
}

void readNormalizer(JsonValue part, PartReader &reader,
                    std::vector<NormalizerStep> &steps) {
  using Kind = NormalizerStep::Kind;
  constexpr std::pair<std::string_view, Kind> plain[] = {
      {"NFC", Kind::Nfc},
      {"NFD", Kind::Nfd},
      {"NFKC", Kind::Nfkc},
      {"NFKD", Kind::Nfkd},
      {"Lowercase", Kind::Lowercase}};
  const std::string_view type = typeOf(part);
  for (const auto &[name, kind] : plain)
    if (type == name) {
      steps.push_back({kind});
      return;
    }
  if (type == "Prepend")
    steps.push_back({Kind::Prepend, reader.text(part, "prepend")});
  else if (type == "Replace")
    steps.push_back({Kind::Replace, reader.text(part, "content"),
                     readPattern(part, reader)});
  else if (type == "Strip")
    readStrip(part, reader, steps);
  else if (type == "Precompiled")
    readCharacterMap(part, reader, steps);
  else if (type == "BertNormalizer")
    readBert(part, reader, steps);
  else
    reader.unknown(part);
}

// ---- pre-tokenizer

SplitStep whiteSpaceRemoved() {
  SplitStep step;
  step.pattern = Pattern::regex("\\s+").value();
  step.behavior = SplitBehavior::Removed;
  return step;
}

/// Punctuation as the tokenizers library has it.
SplitStep punctuationSplit(SplitBehavior behavior) {
  SplitStep step;
  step.pattern = Pattern::regex("[\\p{P}$+<=>^`|~]").value();
  step.behavior = behavior;
  return step;
}

SplitBehavior readBehavior(JsonValue part, PartReader &reader) {
  constexpr std::pair<std::string_view, SplitBehavior> names[] = {
      {"Isolated", SplitBehavior::Isolated},
      {"Removed", SplitBehavior::Removed},
      {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
      {"MergedWithNext", SplitBehavior::MergedWithNext},
      {"Contiguous", SplitBehavior::Contiguous}};
  const std::string text = reader.text(part, "behavior");
  for (const auto &[name, behavior] : names)
    if (name == text)
      return behavior;
  reader.fail("has the behavior '", text, "' in the ", reader.name, " '",
              typeOf(part), "', which is not supported");
  return {};
}

SplitStep::Prepend readPrepend(JsonValue part, PartReader &reader) {
  const auto scheme = present(part, "prepend_scheme");
  if (!scheme) // the older spelling
    return reader.flag(part, "add_prefix_space", true)
               ? SplitStep::Prepend::Always
               : SplitStep::Prepend::Never;
  constexpr std::pair<std::string_view, SplitStep::Prepend> names[] = {
      {"always", SplitStep::Prepend::Always},
      {"first", SplitStep::Prepend::First},
      {"never", SplitStep::Prepend::Never}};
  const std::string text = reader.text(part, "prepend_scheme");
  for (const auto &[name, prepend] : names)
    if (name == text)
      return prepend;
  reader.fail("has the prepend_scheme '", text, "' in the ", reader.name, " '",
              typeOf(part), "', which is not supported");
  return {};
}

void readPreTokenizer(JsonValue part, PartReader &reader,
                      std::vector<SplitStep> &steps, bool &isByteLevel) {
  const std::string_view type = typeOf(part);
  if (isByteLevel && (type == "ByteLevel" || type == "Metaspace"))
    return reader.fail("has the ", reader.name, " '", type,
                       "' after ByteLevel, which is not supported");
  const size_t before = steps.size();
  const bool seesBytes = isByteLevel;
  if (type == "ByteLevel") {
    isByteLevel = true;
    // Files without 'use_regex' imply true.
    if (reader.flag(part, "add_prefix_space", true))
      steps.push_back({SplitStep::Kind::PrefixSpace});
    if (reader.flag(part, "use_regex", true))
      steps.push_back({SplitStep::Kind::Split, gpt2Pattern()});
  } else if (type == "Split") {
    SplitStep step;
    step.pattern = readPattern(part, reader);
    step.behavior = readBehavior(part, reader);
    step.invert = reader.flag(part, "invert", false);
    steps.push_back(std::move(step));
  } else if (type == "WhitespaceSplit") {
    steps.push_back(whiteSpaceRemoved());
  } else if (type == "BertPreTokenizer") {
    steps.push_back(whiteSpaceRemoved());
    steps.push_back(punctuationSplit(SplitBehavior::Isolated));
  } else if (type == "Whitespace") {
    // Words and what stands between white space and words; the letters in
    // circles and squares are parts of words.
    constexpr std::string_view word =
        "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\u200c\\u200d\\u24b6-\\u24e9"
        "\U0001F130-\U0001F149\U0001F150-\U0001F169\U0001F170-\U0001F189";
    SplitStep step;
    step.pattern =
        Pattern::regex(concat("[", word, "]+|[^\\s", word, "]+")).value();
    step.behavior = SplitBehavior::Removed;
    step.invert = true;
    steps.push_back(std::move(step));
  } else if (type == "Digits") {
    const bool one = reader.flag(part, "individual_digits", false);
    steps.push_back({SplitStep::Kind::Split,
                     Pattern::regex(one ? "\\p{N}" : "\\p{N}+").value()});
  } else if (type == "Punctuation") {
    // Files without 'behavior' imply this one.
    steps.push_back(punctuationSplit(present(part, "behavior")
                                         ? readBehavior(part, reader)
                                         : SplitBehavior::Isolated));
  } else if (type == "Metaspace") {
    SplitStep step;
    step.kind = SplitStep::Kind::Metaspace;
    step.mark = readMark(part, reader);
    step.pattern = Pattern::literal(step.mark);
    step.behavior = SplitBehavior::MergedWithNext;
    step.prepend = readPrepend(part, reader);
    step.splits = reader.flag(part, "split", true);
    steps.push_back(std::move(step));
  } else {
    reader.unknown(part);
  }
  for (size_t i = before; i < steps.size(); ++i)
    steps[i].seesBytes = seesBytes;
}

// ---- decoder

/// Components of a decoder in the required order.
class DecoderReader {
public:
  DecoderReader(PartReader &reader, TokenizerPipeline &pipeline)
      : reader(reader), pipeline(pipeline) {}

  void read(JsonValue part) {
    const std::string_view type = typeOf(part);
    if ((type == "ByteLevel") != pipeline.isByteLevel && type != "Fuse")
      return reader.fail(
          "has the decoder '", type, "', which does not fit a pre_tokenizer ",
          pipeline.isByteLevel ? "that is ByteLevel" : "without ByteLevel");
    if (type == "Fuse") {
      isFused = true;
    } else if (type == "Replace") {
      replacement(part);
    } else if (type == "Strip") {
      strip(part);
    } else if (type == "Metaspace") {
      pipeline.decoder.replacements.emplace_back(readMark(part, reader), " ");
      if (readPrepend(part, reader) != SplitStep::Prepend::Never)
        pipeline.decoder.stripSpaces = 1;
    } else if (type == "BPEDecoder") {
      const std::string suffix = reader.text(part, "suffix");
      if (suffix.empty())
        return reader.fail("expected 'suffix' of the decoder 'BPEDecoder' to "
                           "be what ends a word");
      pipeline.decoder.replacements.emplace_back(suffix, " ");
      pipeline.decoder.stripsLastSpace = true;
    } else if (type != "ByteLevel" && type != "ByteFallback") {
      reader.unknown(part);
    }
  }

private:
  void replacement(JsonValue part) {
    const auto pattern = part.find("pattern");
    const auto from = pattern && pattern->is(JsonKind::Object)
                          ? pattern->find("String")
                          : std::nullopt;
    if (!from || !from->is(JsonKind::String) || from->string().empty() ||
        isFused)
      return reader.fail("has a decoder 'Replace' that does not replace a "
                         "String in single tokens, which is not supported");
    pipeline.decoder.replacements.emplace_back(from->string(),
                                               reader.text(part, "content"));
  }

  void strip(JsonValue part) {
    if (!isFused || reader.text(part, "content") != " " ||
        reader.count(part, "stop") != 0)
      return reader.fail("has a decoder 'Strip' that does not take spaces from "
                         "the front of the whole text, which is not supported");
    pipeline.decoder.stripSpaces = reader.count(part, "start");
  }

  PartReader &reader;
  TokenizerPipeline &pipeline;
  bool isFused = false;
};

// ---- post-processor

/// The special tokens that a template adds around a single text.
void readTemplate(JsonValue part, PartReader &reader,
                  TokenizerPipeline &pipeline) {
  const auto single = part.find("single");
  bool behind = false;
  if (single && single->is(JsonKind::Array))
    for (const JsonValue piece : *single) {
      const bool isObject = piece.is(JsonKind::Object);
      const auto text = isObject ? piece.find("Sequence") : std::nullopt,
                 token = isObject ? piece.find("SpecialToken") : std::nullopt;
      const auto id = token && token->is(JsonKind::Object) ? token->find("id")
                                                           : std::nullopt;
      if (text && !behind)
        behind = true;
      else if (id && id->is(JsonKind::String))
        (behind ? pipeline.after : pipeline.before).emplace_back(id->string());
      else
        reader.fail("has a ", reader.name,
                    " 'TemplateProcessing' whose 'single' is not special "
                    "tokens around one text");
    }
  if (!behind)
    reader.fail("expected 'single' of the ", reader.name,
                " 'TemplateProcessing' to hold the text");
}

/// One token in front of a text and one behind it, each with its id.
void readEnds(JsonValue part, PartReader &reader, TokenizerPipeline &pipeline) {
  const auto add = [&](std::string_view key, std::vector<std::string> &side) {
    const auto pair = present(part, key);
    if (pair && pair->is(JsonKind::Array) && pair->size() == 2 &&
        (*pair->begin()).is(JsonKind::String))
      side.emplace_back((*pair->begin()).string());
    else
      reader.fail("expected '", key, "' of the ", reader.name, " '",
                  typeOf(part), "' to be a token and its id");
  };
  add("cls", pipeline.before);
  add("sep", pipeline.after);
}

} // namespace

Result<TokenizerPipeline>
tilegpt::runtime::parsePipeline(JsonValue root, std::string_view where) {
  TokenizerPipeline pipeline;
  std::string problem;
  const auto readAll = [&](std::string_view key, std::string_view list,
                           const auto &read) {
    const auto part = present(root, key);
    PartReader reader(key, problem);
    // Each component processes the whole text.
    constexpr int mostParts = 64;
    int count = 0;
    if (part && !reader.failed())
      forEachPart(*part, list, reader, [&](JsonValue part) {
        if (++count > mostParts)
          return reader.fail("has more than ", mostParts, " parts in its ",
                             key);
        read(part, reader);
      });
  };

  std::vector<NormalizerStep> normalizers;
  readAll("normalizer", "normalizers", [&](JsonValue part, PartReader &reader) {
    readNormalizer(part, reader, normalizers);
  });
  pipeline.normalizer = Normalizer(std::move(normalizers));

  std::vector<SplitStep> splits;
  readAll("pre_tokenizer", "pretokenizers",
          [&](JsonValue part, PartReader &reader) {
            readPreTokenizer(part, reader, splits, pipeline.isByteLevel);
          });
  pipeline.preTokenizer = PreTokenizer(std::move(splits));

  PartReader decoders("decoder", problem);
  DecoderReader decoder(decoders, pipeline);
  readAll("decoder", "decoders",
          [&](JsonValue part, PartReader &) { decoder.read(part); });

  // Without a decoder, tokens are words.
  if (!present(root, "decoder") && !pipeline.isByteLevel) {
    pipeline.decoder.separator = " ";
    pipeline.decoder.stripSpaces = 1;
  }

  readAll("post_processor", "processors",
          [&](JsonValue part, PartReader &reader) {
            if (typeOf(part) == "TemplateProcessing")
              readTemplate(part, reader, pipeline);
            else if (typeOf(part) == "RobertaProcessing" ||
                     typeOf(part) == "BertProcessing")
              readEnds(part, reader, pipeline);
            else if (typeOf(part) != "ByteLevel") // offsets only
              reader.unknown(part);
          });
  if (!problem.empty())
    return makeError(ErrorCode::BadInput, where, " ", problem);
  return pipeline;
}
