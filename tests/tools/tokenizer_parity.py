#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares Ridgepoint's tokenizer with the `tokenizers` library and prints the number of differences.

    tokenizer_parity.py --binary build/debug/tests/checkpoint/tokenizer_ids [FOLDER...]

Each FOLDER holds a tokenizer.json. Small vocabularies of every kind that Ridgepoint reads are trained here as well, so
the comparison needs no download. Exit status 1 when anything differs.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|"
          r"\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")

TEXTS = [
    "", " ", "  ", "\n", "\r\n", "\t\tx", "a", " a", "a ", "Hello, world!", "  two  spaces  ", "trailing   ",
    "I'm sure they'll say it's what we've done, I'd bet you're right, don't", "I'M SURE THEY'LL'VE 'S'T", "'ſ 'ſt",
    "1234567890 3.14159 1,000,000 0x1F", "x1y22z333 ٣٤٥ १२३ Ⅷ ½ ²", "line one\nline two\n\n\nline three\r\n\r\nend",
    "    indented\n        more\n", "def f(x):\n    return x ** 2  # square\n", "a\u00a0b\u2003c\u3000d\u0085e\u2028f",
    "Größe, façade, naïve, Ångström, Łódź, İstanbul, ĲSSEL", "Быстрая коричневая лиса прыгает", "Η γρήγορη αλεπού",
    "敏捷的棕色狐狸跳过了懒狗。", "素早い茶色の狐、カタカナ、ひらがな", "빠른 갈색 여우", "الثعلب البني السريع", "השועל החום",
    "तेज़ भूरी लोमड़ी", "สุนัขจิ้งจอกสีน้ำตาล", "நரி", "ქართული ენა", "Հայերեն", "አማርኛ", "ខ្មែរ", "བོད་ཡིག",
    "🙂🙃 👩‍👩‍👧‍👦 🇫🇷 ✈️", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛", "a\u0301e\u0308 combining", "zero\u200bwidth\u200djoiner\ufeff",
    "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n", "<|im_start|><|im_start|>  <|im_end|>", "<|im_start", "<s> x </s>",
    "\x00\x01\x1f\x7f", "\x1c\x1d\x1e\x1f a", "!!!???...---___***", "http://example.org/a?b=c&d=%20#e", "a_b-c.d,e;f:g", "▁ ▁▁ a▁b",
    "word " * 50, "ab" * 200, "\n \n  \n   x", " \n", "x \n", "x\n y", " \r y", "\u180e\u1680x", "٠'s", "''s", " 's", "<mask> a<mask>b",
    "<0x41> <unk>",
]


def random_texts(count):
    source = random.Random(20240229)
    spans = [(0x20, 0x7F), (0x20, 0x7F), (0xA0, 0x250), (0x370, 0x530), (0x590, 0x800), (0x900, 0xE80), (0x1E00, 0x2100),
             (0x2100, 0x2C00), (0x3000, 0x3100), (0x4E00, 0x4F00), (0xAC00, 0xAD00), (0x1D400, 0x1D800),
             (0x1F300, 0x1F700), (0x09, 0x0E)]
    for _ in range(count):
        pieces = []
        for _ in range(source.randrange(1, 12)):
            first, last = source.choice(spans)
            pieces.append("".join(chr(source.randrange(first, last)) for _ in range(source.randrange(1, 6))))
            pieces.append(source.choice(["", " ", "  ", "\n", "'s", "'LL", "7", "123456", "<|im_end|>", "\r\n "]))
        yield "".join(pieces)


def trained():
    """(name, tokenizer) of every kind, from the texts above."""
    corpus = [text for text in TEXTS if text] * 2
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    specials = ["<|im_start|>", "<|im_end|>"]

    def byte_level(steps, **options):
        tokenizer = Tokenizer(models.BPE(**options))
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=900, initial_alphabet=alphabet,
                                                                  special_tokens=specials, show_progress=False))
        return tokenizer

    flat = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    yield "llama3", byte_level([pre_tokenizers.Split(Regex(LLAMA3), "isolated"), flat])
    removed = byte_level([pre_tokenizers.Split(Regex(LLAMA3), "removed", invert=True), flat], ignore_merges=True)
    removed.post_processor = processors.TemplateProcessing(single="<|im_start|> $A", special_tokens=[("<|im_start|>", 0)])
    yield "llama3-ignore-merges", removed
    yield "qwen2", byte_level([pre_tokenizers.Split(Regex(QWEN2), "isolated"), flat])
    yield "gpt2-prefix", byte_level([pre_tokenizers.ByteLevel(add_prefix_space=True)])
    digits = byte_level([pre_tokenizers.Digits(), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    digits.add_special_tokens([AddedToken("<mask>", lstrip=True, rstrip=True, normalized=False)])
    digits.add_tokens([AddedToken("word", single_word=True), AddedToken("ab")])
    yield "digits-added", digits

    pieces = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]

    def spaced():
        tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=True)
        tokenizer.train_from_iterator(corpus, trainers.BpeTrainer(vocab_size=700, limit_alphabet=200, special_tokens=pieces,
                                                                  show_progress=False))
        data = json.loads(tokenizer.to_str())
        # Byte pieces belong to the vocabulary, not to the added tokens, as in published files.
        data["added_tokens"] = [entry for entry in data["added_tokens"] if not entry["content"].startswith("<0x")]
        return data

    data = spaced()
    data["pre_tokenizer"] = None
    data["normalizer"] = {"type": "Sequence", "normalizers": [
        {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]}
    data["decoder"] = {"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
    yield "llama2-legacy", Tokenizer.from_str(json.dumps(data))
    for scheme, split in (("first", False), ("always", True), ("never", True)):
        data = spaced()
        data["pre_tokenizer"] = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": split}
        data["decoder"] = {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]
            + ([{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if scheme != "never" else [])}
        yield f"metaspace-{scheme}", Tokenizer.from_str(json.dumps(data))
    data = spaced()
    data["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    data["pre_tokenizer"] = {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False}
    data["decoder"] = {"type": "Sequence", "decoders": [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]}
    yield "gemma", Tokenizer.from_str(json.dumps(data))

    unigram = Tokenizer(models.Unigram())
    unigram.pre_tokenizer = pre_tokenizers.Metaspace()
    unigram.decoder = decoders.Metaspace()
    unigram.train_from_iterator(corpus, trainers.UnigramTrainer(vocab_size=500, special_tokens=["<unk>"], unk_token="<unk>",
                                                                show_progress=False))
    yield "unigram", unigram


def compare(name, reference, binary, folder, texts):
    answers = subprocess.run([binary, folder], input="".join(json.dumps(text) + "\n" for text in texts), text=True,
                             encoding="utf-8", capture_output=True)
    if answers.returncode != 0:
        print(f"{name}: {answers.stderr.strip()}")
        return len(texts)
    lines = [json.loads(line) for line in answers.stdout.split("\n") if line]
    differences = 0
    for text, ours in zip(texts, lines, strict=True):
        ids = reference.encode(text, add_special_tokens=False).ids
        decoded = reference.decode(ids, skip_special_tokens=False)
        wrong = [what for what, same in (("ids", ours["ids"] == ids), ("decode", ours["text"] == decoded),
                                         ("stream", ours["streamed"].lstrip(" ") == ours["text"].lstrip(" ")))
                 if not same]
        if wrong:
            differences += 1
            if differences <= 5:
                print(f"{name}: {wrong} differ for {text!r}\n   ours   {ours['ids']} {ours['text']!r}\n"
                      f"   theirs {ids} {decoded!r}")
    print(f"{name}: {differences} of {len(texts)} differ")
    return differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--random", type=int, default=400, help="random strings besides the fixed ones")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    texts = TEXTS + list(random_texts(options.random))
    total = 0
    for folder in options.folders:
        total += compare(folder.name, Tokenizer.from_file(str(folder / "tokenizer.json")), options.binary, str(folder), texts)
    for name, tokenizer in trained():
        with tempfile.TemporaryDirectory() as folder:
            tokenizer.save(f"{folder}/tokenizer.json")
            total += compare(name, tokenizer, options.binary, folder, texts)
    print(f"{total} differences")
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
