"""The peer of `cargo bench --bench throughput`: the same review loop in LangGraph, each step checkpointed to SQLite or PostgreSQL.

A story has 17 calls and 21 steps: the writer, then twice a review, its parsing, a mapping, five specialists, feedback and a revision.
Parsing and feedback ask no model. `.ci/benchmarks` starts it with the package versions that it names.

usage: langgraph_peer.py --base URL --db FILE|URL --stories N --conc N [--warm N]

Prints one line of JSON: stories_per_min, cpu_ms_per_step, peak_rss_mib. The start and the warm stories are not counted.
"""

import argparse
import asyncio
import json
import re
import resource
import time
import uuid
from contextlib import asynccontextmanager
from operator import add
from typing import Annotated, Literal, TypedDict

from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from pydantic import BaseModel

ROUNDS = 2
STEPS = 1 + 10 * ROUNDS
SOURCE = " ".join(f"Paragraph {number}: the council discussed the renovation of Miller Park and voted." for number in range(60))


class Article(BaseModel):
    headline: str
    alternativeHeadline: str
    articleBody: str
    description: str


class Mapping(BaseModel):
    concern_id: int
    concern_type: str
    selected_agent: Literal["fact_check", "evidence_finding", "opinion", "attribution", "style_review"]
    confidence: Literal["high", "medium", "low"]
    reason: str


class Mappings(BaseModel):
    mappings: list[Mapping]


class Verdict(BaseModel):
    concern_id: int
    misleading: bool
    status: Literal["KEEP", "REWRITE", "REMOVE"]
    rationale: str
    suggested_fix: str | None = None
    evidence: str | None = None
    citations: list[str] | None = None


class Story(TypedDict, total=False):
    slug: str
    round: int
    article: dict
    bullets: str
    concerns: list[dict]
    mappings: list[dict]
    verdicts: list[dict]
    feedback: dict
    reports: Annotated[list[dict], add]


def graph(model):
    async def ask(agent, story, *parts):
        about = f"TOPIC_SLUG: {story['slug']}\nROUND: {story.get('round', 0)}\nSOURCE_TEXT: {SOURCE}\n" + "\n".join(parts)
        return (await model.ainvoke([("system", agent), ("user", about)])).content

    def draft(story):
        return "ARTICLE: " + json.dumps(story["article"])

    async def writer(story):
        article = Article.model_validate_json(await ask("You are the Writer.", story))
        return {"article": article.model_dump(), "round": 1}

    async def review(story):
        return {"bullets": await ask("You are the Article-Review agent.", story, draft(story))}

    async def parse(story):
        bullets = [line[2:] for line in story["bullets"].splitlines() if line.startswith(("- ", "* "))]
        concerns = []
        for number, bullet in enumerate(bullets, 1):
            quoted = re.search("“([^”]*)”", bullet)
            concerns.append({"concern_id": number, "excerpt": quoted[1] if quoted else bullet, "review_note": bullet})
        return {"concerns": concerns}

    async def mapping(story):
        told = await ask("You are the Concern-Mapping agent.", story, draft(story), "CONCERNS: " + json.dumps(story["concerns"]))
        return {"mappings": Mappings.model_validate_json(told).model_dump()["mappings"], "verdicts": []}

    async def specialist(story):
        task = story["mappings"][len(story["verdicts"])]
        concern = next(concern for concern in story["concerns"] if concern["concern_id"] == task["concern_id"])
        parts = [draft(story), f"CONCERN_ID: {concern['concern_id']}", json.dumps(concern)]
        told = await ask(f"You are the specialist {task['selected_agent']}.", story, *parts)
        return {"verdicts": [*story["verdicts"], Verdict.model_validate_json(told).model_dump()]}

    async def feedback(story):
        todo = [verdict["suggested_fix"] for verdict in story["verdicts"] if verdict["status"] != "KEEP" and verdict["suggested_fix"]]
        kept = [verdict["rationale"] for verdict in story["verdicts"] if verdict["status"] == "KEEP"][:5]
        told = {"todo_list": todo, "improvement_suggestions": kept, "verdicts": story["verdicts"]}
        report = {"concerns": story["concerns"], "mappings": story["mappings"], "feedback": told, "article": story["article"]}
        return {"feedback": told, "reports": [report]}

    async def revise(story):
        told = await ask("You are the Writer (revision).", story, draft(story), "FEEDBACK: " + json.dumps(story["feedback"]))
        return {"article": Article.model_validate_json(told).model_dump(), "round": story["round"] + 1}

    nodes = {"writer": writer, "review": review, "parse": parse, "mapping": mapping}
    nodes |= {"specialist": specialist, "give_feedback": feedback, "revise": revise}
    graph = StateGraph(Story)
    for name, node in nodes.items():
        graph.add_node(name, node)
    graph.add_edge(START, "writer")
    graph.add_edge("writer", "review")
    graph.add_edge("review", "parse")
    graph.add_edge("parse", "mapping")
    graph.add_edge("mapping", "specialist")
    graph.add_conditional_edges(
        "specialist",
        lambda story: "specialist" if len(story["verdicts"]) < len(story["mappings"]) else "give_feedback",
        ["specialist", "give_feedback"],
    )
    graph.add_edge("give_feedback", "revise")
    graph.add_conditional_edges("revise", lambda story: END if story["round"] > ROUNDS else "review", ["review", END])
    return graph


@asynccontextmanager
async def saver_at(place, at_once):
    if not place.startswith("postgres"):
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with AsyncSqliteSaver.from_conn_string(place) as saver:
            yield saver
        return
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    # As its documentation has it, with a connection for each story at once.
    settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(place, min_size=1, max_size=at_once + 1, kwargs=settings) as pool:
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        yield saver


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", required=True)
    parser.add_argument("--db", required=True)
    parser.add_argument("--stories", type=int, required=True)
    parser.add_argument("--conc", type=int, required=True)
    parser.add_argument("--warm", type=int, default=0)
    asked = parser.parse_args()
    model = ChatOpenAI(model="mock", base_url=asked.base, api_key="none", max_retries=1, timeout=60)

    # A server keeps the stories of earlier runs.
    of_run = uuid.uuid4()
    async with saver_at(asked.db, asked.conc) as saver:
        app = graph(model).compile(checkpointer=saver)

        async def run(slug):
            settings = {"configurable": {"thread_id": f"{of_run} {slug}"}, "recursion_limit": 200}
            told = await app.ainvoke({"slug": slug, "reports": []}, settings, durability="sync")
            assert len(told["reports"]) == ROUNDS, told["round"]

        for number in range(asked.warm):
            await run(f"warm-{number}")
        before, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        waiting = iter(range(asked.stories))

        async def worker():
            for number in waiting:
                await run(f"story-{number}")

        await asyncio.gather(*(worker() for _ in range(asked.conc)))
        seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    cpu = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    figures = {
        "stories_per_min": 60 * asked.stories / seconds,
        "cpu_ms_per_step": 1000 * cpu / (asked.stories * STEPS),
        "peak_rss_mib": after.ru_maxrss / 1024,
    }
    print(json.dumps(figures))


asyncio.run(main())
