"""Write a GGUF of the llama architecture with random weights: half a megabyte, for .ci/peers.

It says nothing sensible; with it a real llama.cpp server runs that needs no weights from anywhere. The seed is fixed, so
that the same numpy writes the same file.
"""
import sys

import gguf
import numpy as np

SEED, CONTEXT, EMBD, HEADS, LAYERS, FF = 20240229, 32768, 64, 4, 2, 128

# Vocabulary: SentencePiece with byte fallback, so any prompt can be encoded.
T = gguf.TokenType
VOCAB = [("<unk>", T.UNKNOWN), ("<s>", T.CONTROL), ("</s>", T.CONTROL)]
VOCAB += [(f"<0x{b:02X}>", T.BYTE) for b in range(256)]
VOCAB += [("<|im_start|>", T.CONTROL), ("<|im_end|>", T.CONTROL)]
# "▁" is SentencePiece's space; without it a space would be three byte tokens that never turn back into one.
VOCAB += [("▁", T.NORMAL)]
VOCAB += [(chr(c), T.NORMAL) for c in range(0x21, 0x7F)]
# A few characters from outside ASCII, so that answers hold some.
VOCAB += [(c, T.NORMAL) for c in "éïß–—“”…😀"]
# A letter and a closing quote in one token, as large vocabularies have them: noise then leaves a JSON string after a few
# characters.
VOCAB += [(chr(c) + '"', T.NORMAL) for c in range(ord("a"), ord("z") + 1)]

# Known to llama-cpp-python as "chatml".
CHATML = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n'"
    " + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def bias(text: str, kind: int) -> float:
    """How much likelier, as a logit, a token is than by chance."""
    if text == "</s>":
        return 2.0
    if kind != T.NORMAL:
        # Never a lone byte: llama-cpp-python's JSON grammar lets raw control characters into strings, which strict
        # readers refuse, and its streams stall at bytes that are not UTF-8. A trained model writes neither.
        return -40.0
    if text == '"':
        return -4.0  # few empty strings
    # Closing tokens are favoured, so that JSON ends even without length limits.
    return 1.0 if text[-1] in '"]}' else 0.0


def main(path: str) -> None:
    w = gguf.GGUFWriter(path, "llama")
    w.add_name("random-weights")
    w.add_context_length(CONTEXT)
    w.add_embedding_length(EMBD)
    w.add_block_count(LAYERS)
    w.add_feed_forward_length(FF)
    w.add_head_count(HEADS)
    w.add_head_count_kv(HEADS)
    w.add_rope_dimension_count(EMBD // HEADS)
    w.add_layer_norm_rms_eps(1e-5)
    w.add_vocab_size(len(VOCAB))
    w.add_file_type(gguf.LlamaFileType.ALL_F32)

    w.add_tokenizer_model("llama")
    w.add_token_list([text.encode() for text, _ in VOCAB])
    w.add_token_scores([0.0] * len(VOCAB))
    w.add_token_types([int(kind) for _, kind in VOCAB])
    w.add_unk_token_id(0)
    w.add_bos_token_id(1)
    w.add_eos_token_id(2)
    w.add_add_bos_token(True)
    w.add_add_space_prefix(False)
    w.add_chat_template(CHATML)

    rng = np.random.default_rng(SEED)

    def tensor(name: str, rows: int, cols: int, scale=None, row0=None, col0=None) -> None:
        m = rng.standard_normal((rows, cols)) * (scale or cols**-0.5)
        if row0 is not None:
            m[0, :] = row0
        if col0 is not None:
            m[:, 0] = col0
        w.add_tensor(name, m.astype(np.float32))

    def norm(name: str, dim0: float = 1.0) -> None:
        m = np.ones(EMBD, dtype=np.float32)
        m[0] = dim0
        w.add_tensor(name, m)

    # This architecture has no output bias, so hidden dimension 0 serves as one: every token starts it at 1, the layers
    # neither read nor write it, and the output matrix multiplies it by the token's bias.
    tensor("token_embd.weight", len(VOCAB), EMBD, scale=1.0, col0=1.0)
    for i in range(LAYERS):
        b = f"blk.{i}"
        norm(f"{b}.attn_norm.weight", dim0=0.0)
        for part in ("q", "k", "v"):
            tensor(f"{b}.attn_{part}.weight", EMBD, EMBD)
        tensor(f"{b}.attn_output.weight", EMBD, EMBD, row0=0.0)
        norm(f"{b}.ffn_norm.weight", dim0=0.0)
        tensor(f"{b}.ffn_gate.weight", FF, EMBD)
        tensor(f"{b}.ffn_up.weight", FF, EMBD)
        tensor(f"{b}.ffn_down.weight", EMBD, FF, row0=0.0)
    norm("output_norm.weight")
    tensor("output.weight", len(VOCAB), EMBD, col0=[bias(*t) for t in VOCAB])

    w.write_header_to_file()
    w.write_kv_data_to_file()
    w.write_tensors_to_file()
    w.close()


if __name__ == "__main__":
    main(sys.argv[1])
