# Makes the tokenizer.json files in test/data/tokenizers and the ids that the tokenizers library gives for the texts of
# test/data/gpt2-tokenizer/cases.json. Small vocabularies in the styles of well-known families, trained on this
# project's own documents. Usage: make_tokenizers.py ROOT [STYLE …], with the Python package tokenizers (0.23.3 made what is there).
import json
import pathlib
import sys

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
          r"\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
ALPHABET = pre_tokenizers.ByteLevel.alphabet()
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def byte_level(split, digits=None, normalizer=None, **model):
    tokenizer = Tokenizer(models.BPE(**model))
    if normalizer:
        tokenizer.normalizer = normalizer
    parts = [digits] if digits else []
    if split:
        parts += [pre_tokenizers.Split(Regex(split), "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    else:
        parts += [pre_tokenizers.ByteLevel(add_prefix_space=False)]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(parts) if len(parts) > 1 else parts[0]
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer, dict(initial_alphabet=ALPHABET)


def falcon():
    """Splits the characters that stand for bytes again."""
    tokenizer, options = byte_level(None)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        pre_tokenizers.Digits(individual_digits=False), pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")])
    return tokenizer, options


def sentencepiece(normalizer, pre_tokenizer, decoder, specials, **model):
    tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True, **model))
    tokenizer.normalizer = normalizer
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoder
    return tokenizer, dict(special_tokens=specials + BYTES)


def first_gpt():
    """Words of small letters whose last characters are tokens of their own."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.BPEDecoder(suffix="</w>")
    return tokenizer, dict(special_tokens=["<unk>"], end_of_word_suffix="</w>")


def template(tokenizer, before, sequence=None):
    part = processors.TemplateProcessing(
        single=f"{before} $A", pair=f"{before} $A {before}:1 $B:1",
        special_tokens=[(before, tokenizer.token_to_id(before))])
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), part]) if sequence else part


def styles():
    yield "llama3", *byte_level(LLAMA3, ignore_merges=True), ["<|begin_of_text|>", "<|end_of_text|>"]
    yield "qwen2", *byte_level(QWEN, normalizer=normalizers.NFC()), ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    yield "smollm", *byte_level(None, digits=pre_tokenizers.Digits(individual_digits=True)), ["<|endoftext|>"]
    yield "gpt-neox", *byte_level(None, normalizer=normalizers.NFC()), ["<|endoftext|>", "<|padding|>"]
    yield "falcon3", *falcon(), ["<|endoftext|>"]
    yield "openai-gpt", *first_gpt(), []
    legacy = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    yield "llama2", *sentencepiece(
        normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]), None, legacy,
        ["<unk>", "<s>", "</s>"]), []
    yield "mistral", *sentencepiece(
        None, pre_tokenizers.Metaspace("▁", prepend_scheme="first", split=False),
        legacy, ["<unk>", "<s>", "</s>"]), []
    yield "gemma", *sentencepiece(
        normalizers.Replace(" ", "▁"), pre_tokenizers.Split(" ", "merged_with_previous"),
        decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]),
        ["<pad>", "<eos>", "<bos>", "<unk>"]), []


def drop_byte_merges(data):
    """The trainer marks its byte tokens as special; in the files of these families they are ordinary tokens."""
    keep = [token for token in data["added_tokens"] if token["content"] not in BYTES]
    data["added_tokens"] = keep
    return data


def main(root, wanted):
    texts = [case["text"] for case in json.loads((root / "test/data/gpt2-tokenizer/cases.json").read_text("utf-8"))]
    texts += ["Å e\u0301 ﬁ \u1100\u1161", "a   b\n\n  c", "1234567 ١٢٣ ⅷ²", "it'S I'LL ſ'ſ", "日本語、テキスト", "</s> <s> x"]
    corpus = [line for name in ("README.md", "docs/*.md") for path in sorted(root.glob(name))
              for line in path.read_text("utf-8").splitlines(keepends=True)]
    folder = root / "test/data/tokenizers"
    folder.mkdir(parents=True, exist_ok=True)
    for name, tokenizer, options, specials in styles():
        if wanted and name not in wanted:
            continue
        if "▁" in json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=False) and tokenizer.pre_tokenizer is None:
            # Without a pre-tokenizer whole lines would be words, so the trainer gets words.
            tokenizer.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
            tokenizer.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=900, show_progress=False, **options))
            data = json.loads(tokenizer.to_str())
            data["pre_tokenizer"] = None
        elif name == "mistral":
            real, tokenizer.pre_tokenizer = tokenizer.pre_tokenizer, pre_tokenizers.Metaspace("▁", prepend_scheme="first")
            tokenizer.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=900, show_progress=False, **options))
            tokenizer.pre_tokenizer = real
            data = json.loads(tokenizer.to_str())
        else:
            tokenizer.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=900, show_progress=False, **options))
            data = json.loads(tokenizer.to_str())
        tokenizer = Tokenizer.from_str(json.dumps(drop_byte_merges(data)))
        tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in specials])
        before = {"llama3": "<|begin_of_text|>", "llama2": "<s>", "mistral": "<s>", "gemma": "<bos>"}.get(name)
        if before:
            template(tokenizer, before, sequence=name == "llama3")
        if name == "qwen2":
            tokenizer.add_tokens([AddedToken("<tool>", special=False, normalized=False)])
        if name == "gpt-neox":  # runs of spaces, as in that family
            tokenizer.add_tokens([AddedToken(" " * count, special=False, normalized=False) for count in range(6, 1, -1)])
        data = json.loads(tokenizer.to_str())
        if name == "mistral":  # the older spelling of merges
            data["model"]["merges"] = [" ".join(pair) for pair in data["model"]["merges"]]
        data["cases"] = [{"text": text, "ids": ids, "special": special, "decoded": tokenizer.decode(ids, skip_special_tokens=True)}
                         for text in texts for special in (False, True)
                         for ids in [encode(tokenizer, text, special)]]
        cases = data.pop("cases")
        (folder / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), "utf-8")
        unique = [case for i, case in enumerate(cases) if not case["special"] or case["ids"] != cases[i - 1]["ids"]]
        (folder / f"{name}.cases.json").write_text(
            "[" + ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in unique) + "]\n", "utf-8")


def encode(tokenizer, text, special):
    tokenizer.encode_special_tokens = not special
    ids = tokenizer.encode(text).ids
    tokenizer.encode_special_tokens = False
    return ids


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
