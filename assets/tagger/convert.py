"""Packs the weights of textblob-aptagger 0.2.0 into english.tagger, the table that crates/copydesk-text/src/tagger.rs reads.

    pip download --no-deps textblob-aptagger==0.2.0 && tar xzf textblob-aptagger-0.2.0.tar.gz
    python3 convert.py textblob-aptagger-0.2.0/textblob_aptagger/trontagger-0.1.0.pickle english.tagger

The table, all numbers little-endian:
    u32 number of tags; for each tag a length in a byte and its name
    u32 number of slots (a power of two); for each slot u32 print, u32 place (0: the slot is empty)
    the lists of weights: at each place u8 count, then for each weight u8 tag, i16 weight in hundredths
A feature's slot is the low bits of its 64-bit FNV-1a hash, its print the high 32 bits; if a slot is taken, the next is tried.
A word that nearly always has one tag is the feature `only WORD`.
"""
import pickle
import struct
import sys

SMALLEST = 0.35


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


weights, only, tags = pickle.load(open(sys.argv[1], "rb"), encoding="latin1")
tags = sorted(tags)
number = {tag: at for at, tag in enumerate(tags)}
features = {f"only {word}": {tag: 1.0} for word, tag in only.items()}
for feature, row in weights.items():
    row = {tag: weight for tag, weight in row.items() if abs(weight) >= SMALLEST}
    if row:
        features[feature] = row
slots = 1
while slots * 3 < len(features) * 4:
    slots *= 2
table, lists = [(0, 0)] * slots, bytearray(b"\0")
for feature in sorted(features):
    row, value = features[feature], fnv(feature)
    slot = value % slots
    while table[slot][1]:
        assert table[slot][0] != value >> 32 or slot != value % slots, feature
        slot = (slot + 1) % slots
    table[slot] = (value >> 32, len(lists))
    lists.append(len(row))
    for tag in sorted(row):
        lists += struct.pack("<Bh", number[tag], max(-32767, min(32767, round(row[tag] * 100))))
out = bytearray(struct.pack("<I", len(tags)))
for tag in tags:
    out += bytes([len(tag)]) + tag.encode()
out += struct.pack("<I", slots)
for mark, place in table:
    out += struct.pack("<II", mark, place)
open(sys.argv[2], "wb").write(out + lists)
print(len(features), "features,", slots, "slots,", len(out) + len(lists), "bytes")
