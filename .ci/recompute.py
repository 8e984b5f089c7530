#!/usr/bin/env python3
"""Computes every figure of exported evaluations again, from their units, and compares it with the tables.

    .ci/recompute.py FILE.json...

It shares no code with the program: formulas are written out here a second time, with the standard library alone. It ends with 1 if a figure
differs by more than the rounding of sums, and if a table, a row or a way is missing that the units speak of, or there is one of which they do not.
"""

import functools
import json
import math
import sys

WORDS, SCORE = 200, 0.5
# Stands for a cell that names something.
NAME = object()


# --- statistics -----------------------------------------------------------------------------------------------------------------------

def add(numbers):
    """One after the other, as the program adds: sum() compensates for rounding."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def beta_part(a, b, x):
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - beta_part(b, a, 1.0 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 10_000):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1.0 + term * d
            c = 1.0 + term / c
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            value *= d * c
        if abs(d * c - 1.0) < 1e-16:
            break
    return front * value


def beyond_t(t, freedom):
    """The probability of a t above this one, of either sign."""
    return beta_part(freedom / 2.0, 0.5, freedom / (freedom + t * t))


@functools.cache
def t_of_95(freedom):
    low, high = 0.0, 1e3
    for _ in range(200):
        middle = (low + high) / 2.0
        if beyond_t(middle, freedom) > 0.05:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0


def mean_of(numbers, interval=True):
    if not numbers:
        return None
    n = len(numbers)
    # Of equal numbers the rounding of their sum is no spread.
    mean = numbers[0] if all(value == numbers[0] for value in numbers) else add(numbers) / n
    sd = math.sqrt(add([(number - mean) ** 2 for number in numbers]) / (n - 1)) if n > 1 else None
    reach = t_of_95(n - 1) * sd / math.sqrt(n) if n > 1 and interval else None
    return {"kind": "mean", "mean": mean, "sd": sd, "n": n,
            "low": None if reach is None else mean - reach, "high": None if reach is None else mean + reach}


def share_of(part, of):
    if of == 0:
        return None
    z, share = 1.959964, part / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    reach = z / (1 + z * z / of) * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return {"kind": "share", "part": part, "of": of, "share": 100 * share,
            "low": 100 * max(middle - reach, 0), "high": 100 * min(middle + reach, 1)}


def number(value):
    return None if value is None else {"kind": "number", "value": value}


def chance(value):
    return None if value is None else {"kind": "chance", "value": value}


def by_ranks(differences):
    sizes = sorted((d for d in differences if d != 0), key=abs)
    n = len(sizes)
    if n < 2:
        return None
    ranks, ties, at = [], 0, 0
    while at < n:
        end = at
        while end < n and abs(sizes[end]) == abs(sizes[at]):
            end += 1
        ranks += [at + end + 1] * (end - at)  # twice the middle of their ranks
        ties += (end - at) ** 3 - (end - at)
        at = end
    positive = sum(rank for size, rank in zip(sizes, ranks) if size > 0)
    if n > 100:
        spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
        return min(1.0, math.erfc(abs(positive / 2 - n * (n + 1) / 4) / spread / math.sqrt(2)))
    ways = [1] + [0] * sum(ranks)
    for rank in ranks:
        for total in range(len(ways) - 1, rank - 1, -1):
            ways[total] += ways[total - rank]
    smaller = min(positive, sum(ranks) - positive)
    return min(1.0, 2 * sum(ways[: smaller + 1]) / 2 ** n)


def mcnemar(first_only, second_only):
    n = first_only + second_only
    if n == 0:
        return None
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(min(first_only, second_only) + 1)) / 2 ** n)


# --- stories --------------------------------------------------------------------------------------------------------------------------

def ratio(part, whole):
    return None if part is None or not whole else part / whole


def similar(unit):
    return ratio(unit["similar"], unit["claims"])


def matched(unit):
    return ratio(unit["verified"], unit["claims"])


def is_long(unit):
    return (unit["words"] or 0) > WORDS


def over(score):
    return score is not None and score > SCORE


COUNTED = {
    "success": lambda unit: unit["passed"] and is_long(unit) and over(similar(unit)),
    "success_by_match": lambda unit: unit["passed"] and is_long(unit) and over(matched(unit)),
    "passed": lambda unit: unit["passed"],
    "long": is_long,
    "similar": lambda unit: over(similar(unit)),
}


def tokens(unit, place):
    return float(sum(both[place] for both in unit["tokens"].values())) if unit["tokens"] else None


AVERAGED = {
    "score_by_similarity": similar,
    "score_by_match": matched,
    "flesch": lambda unit: unit["flesch"],
    "words": lambda unit: unit["words"],
    "rounds": lambda unit: unit["rounds"] if unit["seconds"] else None,
    "seconds": lambda unit: unit["seconds"] or None,
    "calls": lambda unit: unit["calls"] or None,
    "tokens_in": lambda unit: tokens(unit, 0),
    "tokens_out": lambda unit: tokens(unit, 1),
}
OF_DESKS = ["score_by_similarity", "score_by_match", "flesch", "words", "rounds", "seconds"]


def grouped(units):
    """By variant, by story, in the order of repetitions."""
    variants = {}
    for unit in units:
        variants.setdefault(unit["variant"], {}).setdefault(unit["story"], []).append(unit)
    for topics in variants.values():
        for of in topics.values():
            of.sort(key=lambda unit: unit["repetition"])
    return variants


def topic_means(topics, of):
    means = {}
    # The order of the program's map, which compares bytes.
    for story in sorted(topics, key=lambda name: name.encode()):
        numbers = [value for value in map(of, topics[story]) if value is not None]
        if numbers:
            means[story] = add(numbers) / len(numbers)
    return means


def counted(topics, of):
    """Topics, by their first repetition: the others are not independent of it."""
    firsts = [units[0] for units in topics.values()]
    return share_of(sum(1 for unit in firsts if of(unit)), len(firsts))


def measure_of(key):
    if key.startswith("cost_"):
        return lambda unit: unit["cost"].get(key[len("cost_"):])
    return AVERAGED[key]


def story_cells(table, key, columns, variants):
    """What must stand in a row of a table of stories."""
    kind = table["key"]
    names = {name.replace("-", " "): topics for name, topics in variants.items()}
    if kind == "stories":
        beside = [names.get(column, {}) for column in columns]
        if key in COUNTED:
            return [counted(topics, COUNTED[key]) for topics in beside]
        return [mean_of(list(topic_means(topics, measure_of(key)).values())) for topics in beside]
    if kind == "agents":
        cells = []
        for column in columns[::3]:
            topics = names.get(column.rsplit(": ", 1)[0], {})
            if not any(key in unit["tokens"] for units in topics.values() for unit in units):
                cells += [None] * 3
                continue

            def each(of):
                """Over the stories whose tokens were counted, as the rows of all agents."""
                means = list(topic_means(topics, lambda unit: of(unit["tokens"]) if unit["tokens"] else None).values())
                return add(means) / len(means)

            whole = each(lambda tokens: sum(map(sum, tokens.values())))
            own = [each(lambda tokens: tokens.get(key, [0, 0])[place]) for place in (0, 1)]
            cells += [number(own[0]), number(own[1]), number(100 * sum(own) / whole if whole else None)]
        return cells
    if kind == "desks":
        desk, variant = key.rsplit("|", 1)
        own = {story: units for story, units in variants[variant].items() if units[0]["desk"] == desk}
        cells = [NAME, number(sum(map(len, own.values()))), counted(own, COUNTED["success"])]
        return cells + [mean_of(list(topic_means(own, AVERAGED[one]).values()), interval=False) for one in OF_DESKS]
    if kind == "tests":
        first, second, measure = key.split("|")
        ones, twos = variants[first], variants[second]
        both = [story for story in ones if story in twos]
        if measure in COUNTED:
            of = COUNTED[measure]
            succeeded = [(of(ones[story][0]), of(twos[story][0])) for story in both]
            only_first, only_second = succeeded.count((True, False)), succeeded.count((False, True))
            said = f"{only_second} of {len(both)} only by the second, {only_first} only by the first"
            p = mcnemar(only_first, only_second) if len(both) > 1 else None
            return [NAME, {"kind": "text", "text": said}, None, None, chance(p)]
        ones, twos = topic_means(ones, AVERAGED[measure]), topic_means(twos, AVERAGED[measure])
        differences = [round_half_away((twos[story] - one) * 1e9) / 1e9 for story, one in ones.items() if story in twos]
        difference = mean_of(differences)
        by_t = None
        if difference["sd"]:
            t = difference["mean"] / (difference["sd"] / math.sqrt(len(differences)))
            by_t = beyond_t(abs(t), len(differences) - 1)
        return [NAME, difference, chance(by_t), chance(by_ranks(differences)), None]
    if kind == "repetitions":
        cells = []
        for column in columns:
            repeated = [units for units in names.get(column, {}).values() if len(units) > 1]
            if key == "articles":
                differ = [units for units in repeated if len({unit["article"] for unit in units}) > 1]
                cells.append(share_of(len(differ), len(repeated)))
                continue
            squares, freedom = [], 0
            for units in repeated:
                numbers = [value for value in map(AVERAGED[key], units) if value is not None]
                if len(numbers) > 1:
                    mean = add(numbers) / len(numbers)
                    squares += [(value - mean) ** 2 for value in numbers]
                    freedom += len(numbers) - 1
            cells.append(number(math.sqrt(add(squares) / freedom)) if freedom else None)
        return cells
    raise KeyError(kind)


def round_half_away(value):
    return math.copysign(math.floor(abs(value) + 0.5), value)


# --- load -----------------------------------------------------------------------------------------------------------------------------

def spread_mean(spread):
    return spread["sum"] / spread["count"] if spread["count"] else None


def percentile(spread, percent):
    wanted, seen = max(1, -(-spread["count"] * percent // 100)), 0
    for size, many in sorted((int(size), many) for size, many in spread["sizes"].items()):
        seen += many
        if seen >= wanted:
            return size
    return None


LOAD = {
    "stories": lambda unit: unit["stories"],
    "succeeded": lambda unit: unit["succeeded"],
    "failed": lambda unit: unit["failed"],
    "stories_per_minute": lambda unit: 60 * (unit["succeeded"] + unit["failed"]) / unit["seconds"],
    "story_seconds_mean": lambda unit: ratio(unit["story_ms"]["sum"], 1000 * unit["story_ms"]["count"]),
    "queue_ms_mean": lambda unit: spread_mean(unit["queue_ms"]),
    "queue_ms_p95": lambda unit: percentile(unit["queue_ms"], 95),
    "calls": lambda unit: unit["calls"],
    "tokens_per_story": lambda unit: unit["tokens"] / unit["stories"] if unit["tokens"] else None,
    "dead_letters": lambda unit: unit["dead_letters"],
    "retries_per_story": lambda unit: unit["retries"] / unit["stories"],
    "tool_calls": lambda unit: unit["tool_calls"],
    "tool_failure_rate": lambda unit: ratio(100 * unit["tool_failures"], unit["tool_calls"]),
    "tool_ms_mean": lambda unit: spread_mean(unit["tool_ms"]),
    "output_tokens_mean": lambda unit: ratio(unit["contexts"]["output_tokens"], unit["contexts"]["tasks"]),
    "context_tokens_mean": lambda unit: ratio(unit["contexts"]["context_tokens"], unit["contexts"]["tasks"]),
    "context_reduction": lambda unit: None if not unit["contexts"]["context_tokens"] else
    1 - unit["contexts"]["output_tokens"] / unit["contexts"]["context_tokens"],
    "uncounted_answers": lambda unit: unit["uncounted_answers"],
}


# --- judged data ----------------------------------------------------------------------------------------------------------------------

def percent(part, whole):
    return number(100 * part / whole if whole else None)


def accuracy(texts, silent=None):
    """Balanced accuracy, precision and recall of calling a text inconsistent."""
    called = [any(rule != silent for rule in text["rules"]) for text in texts]
    caught = sum(1 for text, call in zip(texts, called) if call and not text["consistent"])
    left = sum(1 for text, call in zip(texts, called) if not call and text["consistent"])
    wrong = sum(1 for text in texts if not text["consistent"])
    shares = [ratio(caught, wrong), ratio(left, len(texts) - wrong)]
    known = [share for share in shares if share is not None]
    return sum(known) / len(known), ratio(caught, sum(called)), shares[0]


def mean_accuracy(units, silent=None):
    files = {}
    for unit in units:
        files.setdefault(unit["file"], []).append(unit)
    return sum(accuracy(texts, silent)[0] for texts in files.values()) / len(files)


def proof_cells(table, key, units):
    if table["key"] == "files":
        if key == "":
            return [None, percent(mean_accuracy(units), 1), None, None]
        texts = [unit for unit in units if unit["file"] == key]
        return [number(len(texts))] + [number(None if share is None else 100 * share) for share in accuracy(texts)]
    fired = [unit for unit in units if key in unit["rules"]]
    right = sum(1 for unit in fired if not unit["consistent"])
    adds = 100 * (mean_accuracy(units) - mean_accuracy(units, key))
    return [NAME, number(len(fired)), number(right), percent(right, len(fired)), number(adds)]


def newsroom_cells(table, key, units):
    if "counts" in units[0]:
        counts = units[0]["counts"]
        if table["key"] == "rules":
            return [number(count) for count in counts["rules"][key]]
        if key == "false_findings":
            return [number(counts[key])]
        share = counts["kinds"][key[len("kind_"):]] if key.startswith("kind_") else counts[key]
        return [share_of(share["part"], share["of"])]
    errors = [unit["error"] for unit in units if "error" in unit]
    truths = [unit["true_article"] for unit in units if "true_article" in unit]
    raised = [error for error in errors if error["raised"]]

    def among(errors):
        return [share_of(sum(1 for error in errors if error["raised"]), len(errors))]

    if table["key"] == "rules":
        right = sum(error["raised"].count(key) for error in errors)
        wrong = sum(1 for truth in truths for rule, _ in truth["raised"] if rule == key)
        return [number(right), number(wrong)]
    if key.startswith("kind_"):
        return among([error for error in errors if error["kind"] == key[len("kind_"):]])
    if key == "raised":
        return among(errors)
    if key == "outside_quotations":
        return among([error for error in errors if error["kind"] != "quotation"])
    if key == "right_passage":
        return [share_of(sum(1 for error in raised if error["right_passage"]), len(raised))]
    if key == "assured":
        return [share_of(sum(1 for error in errors if error["assured"]), len(errors))]
    if key == "matching":
        return [share_of(sum(truth["rows"].get("matches", 0) for truth in truths),
                         sum(sum(truth["rows"].values()) for truth in truths))]
    if key == "false_findings":
        return [percent(sum(len(truth["raised"]) for truth in truths), sum(truth["sentences"] for truth in truths))]
    raise KeyError(key)


def nearest_rank(numbers, share):
    """As the program takes a percentile: the number at that place of the sorted ones."""
    numbers = sorted(numbers)
    return numbers[max(0, math.ceil(share * len(numbers)) - 1)]


def retrieval_cells(key, units):
    asked = [unit for unit in units if unit["mode"] == key and "ms" in unit]
    measured = [unit["measures"] for unit in asked if unit["measures"] is not None]
    index = next(unit["index_s"] for unit in units if unit["mode"] == key and "index_s" in unit)
    means = [add([one[name] for one in measured]) / len(measured) for name in ("ndcg@10", "recall@5", "recall@10", "mrr@10")]
    times = [unit["ms"] for unit in asked]
    return [number(len(measured))] + [number(mean) for mean in means] + \
        [number(index), number(nearest_rank(times, 0.5)), number(nearest_rank(times, 0.95))]


def change(before, after):
    return number(100 * (after / max(before, 1) - 1))


def context_cells(table, key, units):
    if table["key"] == "shapes":
        unit = next(unit for unit in units if unit.get("shape") == key)
        toon = unit["toon"]
        changes = [None, None] if toon is None else [change(unit["pretty"], toon), change(unit["json"], toon)]
        return [number(unit["pretty"]), number(unit["json"]), number(toon)] + changes
    if table["key"] == "conversation":
        record = next(unit["record"] for unit in units if str(unit.get("budget")) == key)
        before, after = record["tokens_before"], record["tokens_after"]
        return [number(record["exchanges"]), number(before), number(after), change(before, after)]
    if table["key"] == "relevance":
        task, limit = key.split("|")
        of = [unit["relevance"] for unit in units if "relevance" in unit]
        one = next(one for one in of if one["task"] == task and one["limit"] == int(limit))
        shares = [share_of(one[name]["part"], one[name]["of"]) for name in ("passages", "passages_of_beginning")]
        return [number(one["tokens"]), number(one["tokens_kept"]), change(one["tokens"], one["tokens_kept"])] + shares
    if table["key"] == "first_prompts":
        one = next(unit["first_prompt"] for unit in units if "first_prompt" in unit and unit["first_prompt"]["prompt"] == key)
        cells = [number(one["names"]), number(one["all"]), change(one["all"], one["names"])]
        return cells + [number(one["opened"]), change(one["all"], one["opened"])]
    one = next(unit["skills"] for unit in units if "skills" in unit and unit["skills"]["agent"] == key)
    counts = [number(one[name]) for name in ("skills", "names", "one", "all")]
    return counts + [change(one["all"], one["one"])]


# --- comparing ------------------------------------------------------------------------------------------------------------------------

def expected(evaluation, table, key, columns):
    units, name = evaluation["units"], evaluation["name"]
    if name in ("pipeline", "ablation"):
        return story_cells(table, key, columns, grouped(units))
    if name == "load":
        return [number(LOAD[key](unit)) for unit in units]
    if name == "proof":
        return proof_cells(table, key, units)
    if name == "newsroom":
        return newsroom_cells(table, key, units)
    if name == "retrieval":
        return retrieval_cells(key, units)
    if name == "context":
        return context_cells(table, key, units)
    raise KeyError(name)


def story_tables(evaluation, variants):
    """What tables of stories there must be: the names of their columns and the keys of their rows."""
    units, tables = evaluation["units"], {table["key"]: table for table in evaluation["tables"]}
    measured = [unit for topics in variants.values() for of in topics.values() for unit in of]
    # A way of which nothing is measured yet has a column as well.
    names = [column["name"] for column in tables["stories"]["columns"]] if "stories" in tables else []
    names += [name.replace("-", " ") for name in variants if name.replace("-", " ") not in names]
    keys = [name.replace(" ", "-") for name in names]
    currencies = sorted({currency for unit in units for currency in unit["cost"]})
    wanted = {"stories": (names, list(COUNTED) + list(AVERAGED) + [f"cost_{currency}" for currency in currencies])}
    agents = sorted({agent for unit in measured for agent in unit["tokens"]})
    if agents:
        parts = [f"{name}: {part}" for name in names for part in ("sent", "received", "of all")]
        wanted["agents"] = (parts, agents)
    desks = {(of[0]["desk"], key) for key, topics in variants.items() for of in topics.values()}
    wanted["desks"] = (None, [f"{desk}|{key}" for desk, key in desks])
    rows = []
    for second, two in enumerate(keys):
        for one in keys[:second] if evaluation["name"] == "pipeline" else keys[:1] if second else []:
            ones, twos = variants.get(one, {}), variants.get(two, {})
            if set(ones) & set(twos):
                rows += [f"{one}|{two}|{measure}" for measure in list(COUNTED)[:2]]
            rows += [f"{one}|{two}|{measure}" for measure, of in AVERAGED.items() if set(topic_means(ones, of)) & set(topic_means(twos, of))]
    if rows:
        wanted["tests"] = (None, rows)
    if any(len(of) > 1 for topics in variants.values() for of in topics.values()):
        wanted["repetitions"] = (names, ["articles"] + list(AVERAGED))
    return wanted


def wanted_tables(evaluation):
    """Each table that must be there by its key, with the names of its columns, if the units say them, and the keys of its rows."""
    units, name = evaluation["units"], evaluation["name"]
    if name in ("pipeline", "ablation"):
        return story_tables(evaluation, grouped(units))
    if name == "load":
        return {"load": ([f"{unit['at_once']} at once" for unit in units], list(LOAD))}
    if name == "proof":
        return {"files": (None, sorted({unit["file"] for unit in units}) + [""]),
                "rules": (None, {rule for unit in units for rule in unit["rules"]})}
    if name == "newsroom":
        sums = ["raised", "outside_quotations", "right_passage", "assured", "matching", "false_findings"]
        if "counts" in units[0]:
            kinds, rules = units[0]["counts"]["kinds"], units[0]["counts"]["rules"]
        else:
            errors = [unit["error"] for unit in units if "error" in unit]
            raised = [rule for unit in units if "true_article" in unit for rule, _ in unit["true_article"]["raised"]]
            kinds, rules = {error["kind"] for error in errors}, {rule for error in errors for rule in error["raised"]} | set(raised)
        return {"errors": (None, [f"kind_{kind}" for kind in kinds] + sums), "rules": (None, rules)}
    if name == "retrieval":
        return {"modes": (None, {unit["mode"] for unit in units})}
    if name == "context":
        relevance = [unit["relevance"] for unit in units if "relevance" in unit]
        return {"shapes": (None, [unit["shape"] for unit in units if "shape" in unit]),
                "conversation": (None, [str(unit["budget"]) for unit in units if "budget" in unit]),
                "relevance": (None, [f"{one['task']}|{one['limit']}" for one in relevance]),
                "skills": (None, [unit["skills"]["agent"] for unit in units if "skills" in unit]),
                "first_prompts": (None, [unit["first_prompt"]["prompt"] for unit in units if "first_prompt" in unit])}
    raise KeyError(name)


def differences(what, found, wanted):
    found, wanted = sorted(found), sorted(wanted)
    if found == wanted:
        return []
    missing, more = [one for one in wanted if one not in found], [one for one in found if one not in wanted]
    return [f"{what}: missing {missing}, too many {more or [one for one in found if found.count(one) > wanted.count(one)]}"]


def lacks(evaluation):
    """What of tables, rows and columns is missing, or is there without a unit."""
    wanted = wanted_tables(evaluation)
    lines = differences("tables", [table["key"] for table in evaluation["tables"]], wanted)
    for table in evaluation["tables"]:
        columns, rows = wanted.get(table["key"], (None, []))
        lines += differences(f"rows of {table['key']}", [row["key"] for row in table["rows"]], rows)
        if columns is not None:
            lines += differences(f"columns of {table['key']}", [column["name"] for column in table["columns"]], columns)
    return lines


def agree(found, wanted):
    if wanted is NAME or wanted is None:
        return found["kind"] == ("text" if wanted is NAME else "none")
    if found["kind"] != wanted["kind"]:
        return False
    if found["kind"] == "text":
        return found["text"] == wanted["text"]

    def same(one, other):
        if one is None or other is None:
            return one is other
        return abs(one - other) <= 1e-6 * max(1.0, abs(one))

    return all(same(found.get(part), value) for part, value in wanted.items() if part != "kind")


def check(path):
    with open(path, encoding="utf-8") as file:
        evaluation = json.load(file)
    figures, lacking = 0, lacks(evaluation)
    wrong = len(lacking)
    for line in lacking:
        print(f"{path}: {line}")
    for table in evaluation["tables"]:
        columns = [column["name"] for column in table["columns"]]
        for row in table["rows"]:
            try:
                wanted = expected(evaluation, table, row["key"], columns)
            except (KeyError, TypeError, ValueError, ZeroDivisionError, StopIteration) as error:
                print(f"{path}: {table['key']}, {row['key']}: cannot be computed here ({error!r})")
                wrong += 1
                continue
            if len(wanted) != len(row["cells"]):
                print(f"{path}: {table['key']}, {row['key']}: {len(row['cells'])} cells, {len(wanted)} were expected")
                wrong += 1
                continue
            for column, found, value in zip(columns, row["cells"], wanted):
                figures += found["kind"] not in ("none", "text")
                if not agree(found, value):
                    print(f"{path}: {table['key']}, {row['key']}, {column}: it says {found}, computed was {value}")
                    wrong += 1
    if not evaluation["tables"] or not figures:
        print(f"{path}: it has no figure")
        wrong += 1
    print(f"{path}: {figures} figures computed again, {wrong} differ")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: recompute.py FILE.json...")
    sys.exit(1 if sum([check(path) for path in sys.argv[1:]]) else 0)
