// A SentencePiece file, tokenizer.model: its pieces and how it encodes text.
#ifndef TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_MODELFILE_H
#define TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_MODELFILE_H

#include "TileGPT/Runtime/Error.h"
#include <cstdint>
#include <string_view>
#include <vector>

namespace tilegpt::runtime {

/// What a piece is, as in sentencepiece_model.proto.
enum class PieceKind : uint8_t {
  Normal = 1,
  Unknown,
  Control,
  UserDefined,
  Unused,
  Byte,
};

struct Piece {
  std::string_view text;
  float score = 0;
  PieceKind kind = PieceKind::Normal;
};

/// The parts of a file that determine how it encodes; the defaults are those of
/// sentencepiece_model.proto. Views refer to the bytes of the file.
struct ModelFile {
  enum class Algorithm : uint64_t { Unigram = 1, Bpe, Word, Char };
  std::vector<Piece> pieces;
  Algorithm algorithm = Algorithm::Unigram;
  bool treatsSpaceAsSuffix = false;
  std::string_view characterMap;
  bool addsSpaceInFront = true;
  bool removesExtraSpaces = true;
  bool escapesSpaces = true;
  int64_t beginOfText = 1;
};

/// Reads the bytes of a file.
/// \param where  starts the messages: "tokenizer: 'tokenizer.model'".
/// \returns BadInput if the file is malformed or needs an unsupported feature.
Result<ModelFile> readModelFile(std::string_view bytes, std::string_view where);

} // namespace tilegpt::runtime

#endif // TILEGPT_LIB_RUNTIME_TEXT_SENTENCEPIECE_MODELFILE_H
