// Makes a tokenizer that encodes like SentencePiece from the contents of a
// tokenizer.model.
#include "SentencePiece/ModelFile.h"
#include "TileGPT/Runtime/Data/StringIndex.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include "TokenizerSettings.h"
#include "TokenizerSource.h"
#include <algorithm>
#include <utility>

using namespace tilegpt::runtime;

namespace {

/// U+2581, which stands for a space.
constexpr std::string_view spaceMark = "\xe2\x96\x81";

/// The pieces, of which control and user-defined ones are added tokens.
Result<void> addPieces(const ModelFile &file, TokenizerSource &source) {
  StringIndex texts(file.pieces.size());
  for (const auto &[text, score, kind] : file.pieces) {
    const size_t id = source.tokens.size();
    if (const auto [first, isNew] = texts.add(text); !isNew)
      return badTokenizer(source.vocabWhere, "gives the token '", text,
                          "' the ids ", first, " and ", id);
    const bool isUserDefined = kind == PieceKind::UserDefined;
    source.tokens.push_back({text, int64_t(id), score});
    source.hasByteTokens |= kind == PieceKind::Byte;
    if (kind == PieceKind::Unknown)
      source.unknown = text;
    if (kind == PieceKind::Control || kind == PieceKind::Unknown ||
        isUserDefined) {
      TokenizerSource::Added added = {text, int64_t(id), !isUserDefined};
      added.isNormalForm = isUserDefined;
      source.added.push_back(added);
    }
  }
  return {};
}

/// Merges of normal pieces in the order of their scores: all pairs of pieces
/// that make a piece.
void addMerges(const ModelFile &file, TokenizerSource &source) {
  StringIndex normal(file.pieces.size());
  std::vector<size_t> order;
  for (size_t id = 0; id < file.pieces.size(); ++id)
    if (file.pieces[id].kind == PieceKind::Normal) {
      normal.add(file.pieces[id].text);
      order.push_back(id);
    }
  std::ranges::sort(order, {}, [&](size_t id) {
    return std::pair(-file.pieces[id].score, id);
  });
  for (const size_t id : order) {
    const std::string_view text = file.pieces[id].text;
    for (size_t at = firstCharacter(text).bytes; at < text.size();
         at += firstCharacter(text.substr(at)).bytes)
      if (normal.find(text.substr(0, at)) && normal.find(text.substr(at)))
        source.merges.push_back({text.substr(0, at), text.substr(at), id});
  }
}

Result<void> addNormalization(const ModelFile &file,
                              const TokenizerSettings &settings,
                              TokenizerSource &source) {
  using Kind = NormalizerStep::Kind;
  std::vector<NormalizerStep> steps;
  if (!file.characterMap.empty()) {
    auto step = NormalizerStep::mapBy(file.characterMap,
                                      CharacterMap::Sequences::Longest);
    if (!step)
      return badTokenizer(source.vocabWhere,
                          "has a 'precompiled_charsmap' that ",
                          step.error().message);
    steps.push_back(std::move(*step));
  }
  const auto replace = [&](Pattern pattern, std::string_view by) {
    steps.push_back({Kind::Replace, std::string(by), std::move(pattern)});
  };
  if (file.removesExtraSpaces) {
    replace(Pattern::regex("\\A +| +\\z").value(), "");
    replace(Pattern::regex(" {2,}").value(), " ");
  }
  if (file.addsSpaceInFront && settings.isLegacy)
    steps.push_back({Kind::Prepend, std::string(spaceMark)});
  replace(Pattern::literal(" "), spaceMark);
  source.pipeline.normalizer = Normalizer(std::move(steps));
  if (file.addsSpaceInFront && !settings.isLegacy) {
    SplitStep step;
    step.kind = SplitStep::Kind::Metaspace;
    step.mark = spaceMark;
    step.prepend = SplitStep::Prepend::First;
    step.splits = false;
    std::vector<SplitStep> splits;
    splits.push_back(std::move(step));
    source.pipeline.preTokenizer = PreTokenizer(std::move(splits));
  }
  source.pipeline.decoder.replacements.emplace_back(spaceMark, " ");
  source.pipeline.decoder.stripSpaces = file.addsSpaceInFront;
  return {};
}

} // namespace

Result<TokenizerSource>
tilegpt::runtime::parseSentencePiece(std::string_view bytes,
                                     std::string_view where,
                                     const TokenizerSettings &settings) {
  const auto file = readModelFile(bytes, where);
  if (!file)
    return tl::unexpected(file.error());
  TokenizerSource source;
  source.vocabWhere = where;
  source.mergesWhere = concat(where, " piece ");
  source.isUnigram = file->algorithm == ModelFile::Algorithm::Unigram;
  source.sumsSingle = true;
  source.fusesUnknown = true;
  if (auto good = addPieces(*file, source); !good)
    return tl::unexpected(std::move(good.error()));
  if (!source.isUnigram)
    addMerges(*file, source);
  if (auto good = addNormalization(*file, settings, source); !good)
    return tl::unexpected(std::move(good.error()));
  if (file->beginOfText >= 0 &&
      size_t(file->beginOfText) < file->pieces.size() &&
      file->pieces[size_t(file->beginOfText)].kind == PieceKind::Control)
    source.pipeline.before.emplace_back(
        file->pieces[size_t(file->beginOfText)].text);
  return source;
}
