# Makes the tokenizers of SentencePiece in test/data/tokenizers: tokenizer.model files with the ids of SentencePiece, and
# unigram models as tokenizer.json with the ids of the tokenizers library. Small vocabularies, trained on this project's
# own documents. Usage: make_sentencepiece.py ROOT, with the Python packages sentencepiece (0.2.3 made what is there),
# protobuf and tokenizers (0.23.3).
import io
import json
import pathlib
import random
import sys

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

# A small table for "Precompiled": ligatures, white space, composed and full-width characters.
RULES = {"ﬁ": "fi", "\t": " ", "\n": " ", "\r": " ", "e\u0301": "é", "Å": "A\u030a", "\u3000": " ", "²": "2", "ⅷ": "viii",
         "\u1100\u1161": "가"}
# Sequences that begin with others of the table, and characters that combine with any before them.
OVERLAPS = dict(RULES, **{"x": "y", "xa": "z", "xab": "w", "\u0301": "", "☺": " ", "☺\ufe0f": ":)"})
KEEPS_TEXT = dict(normalization_rule_name="identity", remove_extra_whitespaces=False)
METASPACE = dict(replacement="▁", prepend_scheme="always")


def train(corpus, **options):
    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(corpus), model_writer=file, minloglevel=2, vocab_size=900, **options)
    return file.getvalue()


def train_mapped(root, corpus, rules, **options):
    """Trained with a table of rules."""
    path = root / "rules.tsv"
    path.write_text("".join("\t".join(" ".join(f"{ord(c):X}" for c in side) for side in rule) + "\n"
                            for rule in rules.items()), "utf-8")
    model = train(corpus, normalization_rule_tsv=str(path), **options)
    path.unlink()
    return model


def read(model):
    message = sentencepiece_model_pb2.ModelProto()
    message.ParseFromString(model)
    return message


def unigram(message, byte_fallback, normalizer, pre_tokenizer, decoder):
    pieces = [(piece.piece, piece.score) for piece in message.pieces]
    tokenizer = Tokenizer(models.Unigram(pieces, message.trainer_spec.unk_id, byte_fallback))
    tokenizer.normalizer, tokenizer.pre_tokenizer, tokenizer.decoder = normalizer, pre_tokenizer, decoder
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in ("<unk>", "<s>", "</s>")])
    return tokenizer


def write(path, values):
    lines = ",\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values)
    path.write_text(f"[{lines}]\n", "utf-8")


def write_json(folder, name, tokenizer, texts):
    """The text of a special token is a special token here, as in the library; TileGPT keeps it as text unless asked."""
    tokenizer.save(str(folder / f"{name}.json"), pretty=False)
    write(folder / f"{name}.cases.json", [
        {"text": text, "ids": ids, "special": True, "decoded": tokenizer.decode(ids, skip_special_tokens=True)}
        for text in texts for ids in [tokenizer.encode(text).ids]])


def write_model(folder, name, model, texts):
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "tokenizer.model").write_bytes(model)
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    write(folder / name / "cases.json", [
        {"text": text, "ids": ids, "decoded": processor.decode(ids)}
        for text in texts for ids in [processor.encode(text, add_bos=True)]])


def random_texts(characters, count):
    generator = random.Random(1)
    return ["".join(generator.choices(characters, k=generator.randint(1, 20))) for _ in range(count)]


def main(root):
    texts = [case["text"] for case in json.loads((root / "test/data/gpt2-tokenizer/cases.json").read_text("utf-8"))]
    texts += ["Å e\u0301 ﬁ \u1100\u1161 \r\n", "a   b\n\n  c", "1234567 ١٢٣ ⅷ²", "日本語、テキスト", "x</s> <s> x", "a <tool>x</tool>"]
    corpus = [line for name in ("README.md", "docs/*.md") for path in sorted(root.glob(name))
              for line in path.read_text("utf-8").splitlines() if line]
    folder = root / "test/data/tokenizers"
    write_model(folder, "sentencepiece-bpe", train(corpus, model_type="bpe", byte_fallback=True, **KEEPS_TEXT), texts)
    write_model(folder, "sentencepiece-unigram", train(
        corpus, model_type="unigram", byte_fallback=True, add_dummy_prefix=False, user_defined_symbols=["<tool>", "\n"],
        **KEEPS_TEXT), texts)
    write_model(folder, "sentencepiece-mapped", train_mapped(root, corpus, OVERLAPS, model_type="bpe", byte_fallback=True),
                texts + random_texts("xab \u0301\ufe0f☺eﬁ\t\u1100\u1161 ", 100))
    mapped = read(train_mapped(root, corpus, RULES, model_type="unigram", character_coverage=0.999))
    write_json(folder, "xglm", unigram(
        mapped, False,
        normalizers.Sequence([normalizers.Precompiled(mapped.normalizer_spec.precompiled_charsmap),
                              normalizers.Strip(left=False, right=True), normalizers.Replace(Regex(" {2,}"), "▁")]),
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(**METASPACE)]),
        decoders.Metaspace(**METASPACE)), texts)
    write_json(folder, "helium", unigram(
        read(train(corpus, model_type="unigram", byte_fallback=True, **KEEPS_TEXT)), True,
        normalizers.Sequence([normalizers.Prepend(" "), normalizers.Replace(" ", "▁")]), pre_tokenizers.Split("\n", "contiguous"),
        decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])), texts)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
