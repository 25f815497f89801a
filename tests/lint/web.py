#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The modules of web/ keep to the rules of docs/view-api.md by which a report joins them to one.

usage: web.py SOURCE_DIR
"""
import pathlib
import re
import sys

web = pathlib.Path(sys.argv[1]) / "web"
names = (web / "modules.list").read_text().split()
problems = []
declared = {}


def problem(file, what):
    problems.append(f"web/{file}: {what}")


def check_module(file, before):
    text = (web / file).read_text()
    if "SPDX-License-Identifier: GPL-2.0-or-later" not in text.split("\n", 1)[0]:
        problem(file, "does not name its licence in its first line")
    if not re.match(r"// [A-Z][^\n]*", text.split("\n", 1)[1]):
        problem(file, "does not open with a sentence")
    if len(text.splitlines()) > 400:
        problem(file, "has more than 400 lines")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line.expandtabs(4)) > 120:
            problem(file, f"line {number} is longer than 120 columns")
    taken = set()
    for statement in re.findall(r"^import [^;]*;$", text, re.M):
        found = re.fullmatch(r"import \{([\w,\s]+)\} from '\./([\w.]+)';", statement)
        if not found:
            problem(file, f"imports in another way than {{ names }} from './file.js': {statement}")
            continue
        taken.update(re.findall(r"\w+", found.group(1)))
        if " as " in found.group(1):
            problem(file, "gives an import another name")
        if found.group(2) not in before:
            problem(file, f"imports {found.group(2)}, which does not stand before it in modules.list")
    body = re.sub(r"^import [^;]*;\n", "", text, flags=re.M)
    for name in taken:
        if not re.search(rf"\b{name}\b", body):
            problem(file, f"imports {name} and does not use it")
    if re.search(r"^\s*import\b|\bimport\(|\bimport\.meta|^export (default|\{|\*)", body, re.M):
        problem(file, "has an import or export that a report cannot join")
    pattern = r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var) ([\w$]+|[\[{])"
    for name in re.findall(pattern, body, re.M):
        if name in declared:
            problem(file, f"declares {name}, as {declared[name]} does")
        declared[name] = file
    for what, why in ((r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", "markup"),
                      (r"\beval\(|new Function", "code"),
                      (r"setAttribute\('style'", "a style attribute, which the policy forbids")):
        if re.search(what, body):
            problem(file, f"makes {why} of text")


for at, name in enumerate(names):
    check_module(name, names[:at])
there = {path.name for path in web.glob("*.js")}
for name in there - set(names):
    problem(name, "is not in modules.list")
if names[-1] != "main.js" or len(names) < 10:
    problem("modules.list", "does not end with main.js")
page = (web / "index.html").read_text()
if page.count("<script") != 1 or '\n<script type="module" src="main.js"></script>\n' not in page:
    problem("index.html", "has another script than main.js, or not on a line of its own")
if page.count('\n<link rel="stylesheet" href="style.css">\n') != 1 or re.search(r"\sstyle=|\son\w+=", page):
    problem("index.html", "has styles or code of its own")
print("\n".join(problems) or f"{len(names)} modules, {len(declared)} names")
sys.exit(1 if problems else 0)
