# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the folder tdat-VERSION.dist-info of an installed package, as pip would, from pyproject.toml:
for systems whose packages come from CMake and not from a wheel (python/CMakeLists.txt, component python-site).

usage: dist_info.py PYPROJECT FOLDER
"""
import pathlib
import sys
import tomllib

source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
project = tomllib.loads(source.read_text())["project"]
lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
         f"Summary: {project['description']}", f"License: {project['license']}",
         f"Requires-Python: {project['requires-python']}"]
for extra, needed in project["optional-dependencies"].items():
    lines.append(f"Provides-Extra: {extra}")
    for one in needed:
        name, _, marker = one.partition(";")
        marker = f"({marker.strip()}) and " if marker else ""
        lines.append(f"Requires-Dist: {name.strip()}; {marker}extra == '{extra}'")
folder.mkdir(parents=True, exist_ok=True)
(folder / "METADATA").write_text("\n".join(lines) + "\n")
(folder / "INSTALLER").write_text("CMake\n")
(folder / "top_level.txt").write_text(project["name"] + "\n")
