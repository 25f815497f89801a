#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the pages of the documentation site: Markdown of the tree, manual pages, headers, reports of sample traces.

A link to a file that is no page of the site becomes its name, without a link. "docs/sql.md" and "tdat-sql(1)" in
running text become links.

usage: pages.py TDAT SOURCE_DIR PAGES
"""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

TDAT, ROOT, PAGES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
VALID = ROOT / "tests/fixtures/valid"
# Markdown beside docs/ that has a page.
OTHERS = ("SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "user-events/README.md",
          "tests/README.md", "bench/README.md")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
MENTION = re.compile(r"`?\b(docs/[\w./-]+\.md|SECURITY\.md|ARCHITECTURE\.md|CONTRIBUTING\.md)`?(?![\w`/])|`?\b((?:lib)?tdat(?:-[a-z-]+)?)\(([135])\)`?")


def page_of(path):
    """The page of a path of the tree, or None."""
    if path.suffix in (".md", ".png") and path.parts[0] == "docs":
        return path.relative_to("docs")
    if str(path) in OTHERS:
        return path
    if path.parts[0] == "man":
        return pathlib.Path("man", path.name + ".md")
    if path.parts[:2] == ("include", "tdat"):
        return pathlib.Path("api", path.name + ".md")
    if str(path) == "docs/decisions":
        return pathlib.Path("decisions/README.md")
    return None


def relative(target, page):
    return os.path.relpath(target, page.parent)


def convert(text, source, page):
    """Markdown of `source` for `page`: links lead to pages."""
    def link(match):
        mark, label, target = match.groups()
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match[0]
        name, _, anchor = target.partition("#")
        path = pathlib.Path(os.path.normpath(source.parent / name))
        if not (ROOT / path).exists():
            sys.exit(f"{source}: {target} is not there")
        to = page_of(path)
        return f"{mark}[{label}]({relative(to, page)}{'#' + anchor if anchor else ''})" if to else label

    def mention(match):
        path = pathlib.Path(match[1]) if match[1] else pathlib.Path("man", f"{match[2]}.{match[3]}")
        to = page_of(path)
        if not to or not (ROOT / path).exists() or to == page:
            return match[0]
        return f"[{match[0]}]({relative(to, page)})"

    out, fenced = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(("    ", "#")):
            parts, at = [], 0
            for found in LINK.finditer(line):
                parts += [MENTION.sub(mention, line[at:found.start()]), link(found)]
                at = found.end()
            line = "".join(parts) + MENTION.sub(mention, line[at:])
        out.append(line)
    return "\n".join(out) + "\n"


def write(page, text):
    path = PAGES / page
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy_markdown():
    for path in [*sorted((ROOT / "docs").rglob("*.md")), *(ROOT / name for name in OTHERS)]:
        source = path.relative_to(ROOT)
        page = page_of(source)
        write(page, convert(path.read_text(encoding="utf-8"), source, page))
    for path in (ROOT / "docs").rglob("*.png"):
        place = PAGES / path.relative_to(ROOT / "docs")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    shutil.copy(ROOT / "site/style.css", PAGES)


def manual_page(path):
    """A page of mandoc's HTML; its sections are headings of Markdown, so that they are in the table of contents."""
    made = subprocess.run(["mandoc", "-Thtml", "-O", "fragment,man=%N.%S", path], check=True, capture_output=True,
                          text=True).stdout
    made = re.sub(r'<a class="Xr" href="([\w.-]+)">(.*?)</a>',
                  lambda m: f'<a href="{m[1]}.html">{m[2]}</a>' if (ROOT / "man" / m[1]).exists() else m[2], made, flags=re.S)
    parts = [f"# {path.name[:-2]}({path.name[-1]})\n"]
    for section in re.split(r'<section class="Sh">', made)[1:]:
        head, body = re.match(r'\s*<h1 class="Sh" id="([^"]+)">.*?</h1>(.*)', section, re.S).groups()
        body = re.sub(r"</section>\s*(</div>\s*<table class=\"foot\">.*)?\Z", "", body, flags=re.S)
        body = body.replace('<h2 class="Ss"', '<h3 class="Ss"').replace("</h2>", "</h3>")
        title = head.replace("_", " ").capitalize()
        # No blank line within: Markdown leaves such a block alone.
        body = re.sub(r"<pre>(.*?)</pre>", lambda m: "<pre>" + m[1].replace("\n", "&#10;") + "</pre>", body, flags=re.S)
        body = re.sub(r"\n\s*\n", "\n", body)
        parts.append(f'## {title} {{#{head}}}\n\n<div class="man">{body.strip()}</div>\n')
    return "\n".join(parts)


def summary_of(page):
    return " ".join(re.search(r"^\.Nd (.*)$", page.read_text(encoding="utf-8"), re.M)[1].split())


def manual():
    rows = []
    for path in sorted((ROOT / "man").glob("*.[1-9]"), key=lambda p: (p.suffix, p.name)):
        write(pathlib.Path("man", path.name + ".md"), manual_page(path))
        rows.append(f"| [{path.name[:-2]}({path.name[-1]})]({path.name}.md) | {summary_of(path)} |")
    write("man/README.md", "# Manual pages\n\nThe same pages are installed: `man tdat`.\n\n| Page | About |\n|---|---|\n" +
          "\n".join(rows) + "\n")


def header_page(path):
    """A header: its opening comment as text, the functions with links to their lines, the source."""
    text = path.read_text(encoding="utf-8")
    opening = re.search(r"/\*\n(.*?)\*/", text, re.S)[1]
    prose = re.sub(r"^ \* ?", "", opening, flags=re.M).rstrip()
    lines = text.splitlines()
    name = f"line-0-{{}}"
    functions = {}
    for number, line in enumerate(lines, 1):
        found = line.startswith("TDAT_API") and re.search(r"\b(tdat_\w+)\(", line + " " + lines[min(number, len(lines) - 1)])
        if found:
            functions[found[1]] = number
    listed = "".join(f"- [`{f}`](#{name.format(n)})\n" for f, n in functions.items())
    return (f"# tdat/{path.name}\n\n{html.escape(prose, quote=False)}\n\n" +
            (f"## Functions\n\n{listed}\n" if functions else "") +
            f"## Source\n\n```c linenums=\"1\"\n{text}```\n"), prose.split("\n\n")[0].replace("\n", " ")


def headers():
    rows = []
    for path in sorted([*(ROOT / "include/tdat").glob("*.h"), ROOT / "user-events/include/tdat/user_events.h"]):
        page, about = header_page(path)
        write(f"api/{path.name}.md", page)
        rows.append(f"| [tdat/{path.name}]({path.name}.md) | {html.escape(about, quote=False)} |")
    write("api/README.md", "# Headers of libtdat\n\nThe comments in the headers are the reference. [libtdat(3)](../man/libtdat.3.md) "
          "lists all functions by group.\n\n| Header | About |\n|---|---|\n" + "\n".join(rows) + "\n")


# Name, what it shows, the command that makes it.
SAMPLES = (
    ("script.html", "A shell script on a virtual machine with two CPUs: switches, wakeups, forks (x86-64, Linux 6.1)",
     "tdat view -o script.html x64-61-conv-v7-zstd.dat"),
    ("syscalls.html", "System calls of a script and of the recorder (x86-64, Linux 6.1)",
     "tdat view -o syscalls.html x64-61-syscalls.dat"),
    ("mainframe.html", "Interrupts, softirqs and the scheduler of a mainframe (s390x, big-endian, Linux 6.1)",
     "tdat view -o mainframe.html s390x-61-v7-zstd-sched.dat"),
    ("calls.html", "Kernel functions with their durations, by function_graph (i386, Linux 6.1)",
     "tdat view -o calls.html i386-61-fgraph.dat"),
    ("lost.html", "A recorder that was too slow: events are lost in many places (x86-64, Linux 6.12)",
     "tdat view -o lost.html x64-lab612-lost-v6.dat"),
    ("flame.svg", "Where tasks waited: an off-CPU flame graph (arm64, Linux 6.12)",
     "tdat flame --of off-cpu -o flame.svg arm64-16k-612-kstack.dat"),
    ("diff.html", "What differs between a script on one machine and on another one",
     "tdat diff --html i386-61-v6-sched.dat s390x-61-v6-sched.dat >diff.html"),
    ("picture.svg", "The CPUs of the first recording as a still picture", "tdat view -o picture.svg x64-61-conv-v7-zstd.dat"),
)


def samples():
    folder = (PAGES / "samples").resolve()
    folder.mkdir()
    rows = []
    for name, about, command in SAMPLES:
        run = re.sub(r"^tdat", '"$TDAT"', re.sub(r"(\S+\.dat)", rf"{VALID}/\1", command))
        run = re.sub(r"(-o |>)(\S+)", rf"\1{folder}/\2", run)
        done = subprocess.run(["sh", "-c", run], env={**os.environ, "TDAT": TDAT}, capture_output=True, text=True)  # pylint: disable=subprocess-run-check
        if done.returncode or not (folder / name).stat().st_size:
            sys.exit(f"{command}: {done.stderr}")
        text = (folder / name).read_text(encoding="utf-8")
        (folder / name).write_text(text.replace(f"{VALID}/", ""), encoding="utf-8")
        rows.append(f"| [{name}](samples/{name}) | {about} | `{command}` |")
    write("samples.md", "# Sample reports\n\nClick one. Each is a single file that needs neither tdat nor a network, made from a recording in "
          "`tests/fixtures/valid` by the command beside it.\n\n| Report | Shows | Made by |\n|---|---|---|\n" + "\n".join(rows) + "\n")


shutil.rmtree(PAGES, ignore_errors=True)
PAGES.mkdir(parents=True)
copy_markdown()
manual()
headers()
samples()
