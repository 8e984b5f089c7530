#!/usr/bin/env python3
"""One table of the stories of a desk: how each ended, how long its article is, and what its calls took.

usage: real_table.py COPYDESK    in the folder of the desk
"""
import json
import re
import subprocess
import sys
from datetime import datetime


def copydesk(*arguments):
    run = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False)
    return json.loads(run.stdout)


def seconds(run):
    opened, ended = (datetime.fromisoformat(run[key]) for key in ("opened_at", "updated_at"))
    return (ended - opened).total_seconds()


rows, calls_made, calls_bad, sent, cached, shares = [], 0, 0, 0, 0, []
for listed in copydesk("list", "--json"):
    story = copydesk("show", listed["story"], "--json")
    run, result, calls = story["run"], story["result"] or {}, story["calls"]
    article = (result.get("article") or {}).get("articleBody") or ""
    words = len(re.findall(r"\w+(?:['’.,-]\w+)*", article))
    target = (result.get("metadata") or {}).get("target_length_words", "")
    lower = int(re.match(r"\d+", target)[0]) if re.match(r"\d+", target) else 0
    bad = [call for call in calls if call.get("rejected") or call.get("state") == "rejected"]
    usage = [call.get("usage") or call for call in calls]
    tokens = [sum(one.get(key) or 0 for one in usage) for key in ("prompt_tokens", "cached_tokens", "completion_tokens")]
    calls_made, calls_bad, sent, cached = calls_made + len(calls), calls_bad + len(bad), sent + tokens[0], cached + tokens[1]
    if lower and words:
        shares.append(words / lower)
    rows.append([listed["story"], run["state"], run["rounds"], run["open_concerns"], f"{words} of {target}", len(calls), len(bad),
                 f"{tokens[0]:,}", f"{tokens[1]:,}", f"{tokens[2]:,}", f"{seconds(run):.0f} s", (run.get("error") or "")[:120]])

print("| story | result | rounds | open | words | calls | unusable | tokens sent | of these cached | received | time | error |")
print("|---|---|---|---|---|---|---|---|---|---|---|---|")
for row in rows:
    print("| " + " | ".join(str(cell) for cell in row) + " |")
if calls_made:
    shares.sort()
    print(f"\n{len(rows)} stories, {calls_made} calls, {calls_bad} unusable ({calls_bad / calls_made:.1%}); "
          f"{cached / max(sent, 1):.0%} of {sent:,} prompt tokens cached; "
          + (f"median article {shares[len(shares) // 2]:.0%} of its target's lower bound" if shares else "no article"))
