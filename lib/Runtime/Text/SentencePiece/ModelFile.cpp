// Reads the protocol buffer of a SentencePiece file.
#include "ModelFile.h"
#include "ProtocolBuffer.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <cmath>

using namespace tilegpt::runtime;

namespace {

Piece readPiece(ProtocolBuffer message, bool &isMalformed) {
  Piece piece;
  while (message.next())
    switch (message.number) {
    case 1:
      piece.text = message.bytes;
      break;
    case 2:
      piece.score = message.real();
      break;
    case 3:
      piece.kind = PieceKind(message.integer);
      isMalformed |= message.integer < 1 || message.integer > 6;
      break;
    default:
      break;
    }
  isMalformed |= message.malformed() || piece.text.empty() ||
                 findInvalidUtf8(piece.text) || !std::isfinite(piece.score);
  return piece;
}

void readTrainer(ProtocolBuffer message, ModelFile &file, bool &isMalformed) {
  while (message.next())
    switch (message.number) {
    case 3:
      file.algorithm = ModelFile::Algorithm(message.integer);
      break;
    case 24:
      file.treatsSpaceAsSuffix = message.integer != 0;
      break;
    case 41:
      file.beginOfText = int64_t(message.integer);
      break;
    default:
      break;
    }
  isMalformed |= message.malformed();
}

void readNormalization(ProtocolBuffer message, ModelFile &file,
                       bool &isMalformed) {
  while (message.next())
    switch (message.number) {
    case 2:
      file.characterMap = message.bytes;
      break;
    case 3:
      file.addsSpaceInFront = message.integer != 0;
      break;
    case 4:
      file.removesExtraSpaces = message.integer != 0;
      break;
    case 5:
      file.escapesSpaces = message.integer != 0;
      break;
    default:
      break;
    }
  isMalformed |= message.malformed();
}

} // namespace

Result<ModelFile> tilegpt::runtime::readModelFile(std::string_view bytes,
                                                  std::string_view where) {
  ModelFile file;
  bool isMalformed = false;
  ProtocolBuffer message(bytes);
  while (message.next())
    switch (message.number) {
    case 1:
      file.pieces.push_back(
          readPiece(ProtocolBuffer(message.bytes), isMalformed));
      break;
    case 2:
      readTrainer(ProtocolBuffer(message.bytes), file, isMalformed);
      break;
    case 3:
      readNormalization(ProtocolBuffer(message.bytes), file, isMalformed);
      break;
    default:
      break;
    }
  if (isMalformed || message.malformed() || file.pieces.empty())
    return makeError(ErrorCode::BadInput, where,
                     " is not a complete SentencePiece file; download "
                     "it again, or use a tokenizer.json");
  if (file.algorithm != ModelFile::Algorithm::Unigram &&
      file.algorithm != ModelFile::Algorithm::Bpe)
    return makeError(ErrorCode::BadInput, where,
                     " is a SentencePiece file that splits text by "
                     "neither BPE nor a unigram model, which is not "
                     "supported");
  if (file.treatsSpaceAsSuffix || !file.escapesSpaces)
    return makeError(
        ErrorCode::BadInput, where, " is a SentencePiece file with '",
        file.treatsSpaceAsSuffix ? "treat_whitespace_as_suffix = true"
                                 : "escape_whitespaces = false",
        "', which is not supported");
  return file;
}
