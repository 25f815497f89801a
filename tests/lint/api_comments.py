#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each function of the public headers is named in the comment above it, or above its group.

A group are declarations without an empty line between them. Naming the function makes sure
that the comment is about it.

usage: api_comments.py SOURCE_DIR
"""
import pathlib
import re
import sys

# What matters in a header: comments, declarations of functions, empty lines.
TOKEN = re.compile(r"/\*.*?\*/|^TDAT_API\b[^;]*;|\n[ \t]*(?=\n)", re.S | re.M)


def complaints(path):
    text = path.read_text()
    comment = ""
    for token in TOKEN.finditer(text):
        what = token.group(0)
        if what.startswith("/*"):
            comment = what
        elif not what.strip():
            comment = ""
        else:
            name = re.search(r"\b(tdat_\w+)\(", what).group(1)
            line = text.count("\n", 0, token.start()) + 1
            if not re.search(rf"\b{name}\b", comment):
                yield f"{path}:{line}: no comment above {name} names it"


def main():
    headers = [header for folder in ("include", "user-events/include")
               for header in sorted(pathlib.Path(sys.argv[1], folder, "tdat").glob("*.h"))]
    found = [line for header in headers for line in complaints(header)]
    functions = sum(h.read_text().count("\nTDAT_API ") for h in headers)
    if functions < 100:
        found.append(f"only {functions} functions found")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
