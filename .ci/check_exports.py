"""Holds each ninjs object against IPTC's schema, each page's JSON-LD against what schema.org asks of it, and each DOCX against pandoc. An
export of a researched story names its pages."""

import json
import pathlib
import re
import sys

import jsonschema
import pypandoc

schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
validator = jsonschema.validators.validator_for(schema)
checks = validator(schema, format_checker=validator.FORMAT_CHECKER)
faults = []


def article_of(page):
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.S)
    return json.loads(found.group(1)) if found else None


def faults_of_sources(name, told):
    """A researched story leads to each page that it rests on. Its writer's own note cites one of them, and no list cites that again."""
    found = re.findall(r"http://127\.0\.0\.1:\d+/(minutes|gazette)\.html", told)
    # The article as it is, and the copy that comes back from its reader.
    bare = name in ("researched-none.md", "researched-none.docx", "researched-none.json") or ".review." in name
    wanted = {"minutes"} if bare else {"minutes", "gazette"}
    faults = [f"{name}: leads to no {page}.html" for page in sorted(wanted - set(found))]
    if name == "researched-notes.md" and len(found) > len(set(found)):
        faults.append(f"{name}: cites a page twice")
    return faults


for file in sorted(pathlib.Path(sys.argv[2]).iterdir()):
    if file.name.endswith(".ninjs.json"):
        for error in checks.iter_errors(json.loads(file.read_text())):
            faults.append(f"{file.name}: {error.json_path}: {error.message}")
    elif file.suffix == ".html" and ".re" not in file.name and file.name != "check.html":
        article = article_of(file.read_text())
        wanted = {"@context", "@type", "headline", "dateCreated", "isBasedOn", "creativeWorkStatus"}
        if "withheld" not in file.name:
            wanted |= {"accountablePerson"}
        if "corrected" in file.name:
            wanted |= {"correction", "version", "dateModified"}
        lacking = wanted - set(article or {})
        if lacking:
            faults.append(f"{file.name}: its JSON-LD lacks {sorted(lacking)}")
    elif file.suffix == ".docx":
        text = pypandoc.convert_file(str(file), "markdown", extra_args=["--track-changes=all"])
        if ("withdrawn on" if file.name == "withdrawn.docx" else "ouncil") not in text:
            faults.append(f"{file.name}: pandoc finds no article")
        if "embargoed" in file.name and "embargo" not in text.lower():
            faults.append(f"{file.name}: says nothing of its embargo")
    if file.name.startswith("researched-"):
        faults += faults_of_sources(file.name, text if file.suffix == ".docx" else file.read_text())
print("\n".join(faults))
sys.exit(1 if faults else 0)
