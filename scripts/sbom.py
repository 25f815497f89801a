# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes the bill of materials of a release as SPDX 2.3 in JSON: the files that are released with their hashes,
the sources, and the libraries inside of the wheels and of the static program.

usage: sbom.py FOLDER VERSION COMMIT EPOCH LIBRARY...    LIBRARY: "NAME VERSION HASH-OF-DSC", as static-libs.sh has it
"""
import datetime
import hashlib
import json
import pathlib
import re
import sys

LICENSES = {"zlib": "Zlib", "libdeflate": "MIT", "libzstd": "BSD-3-Clause OR GPL-2.0-only", "bzip2": "bzip2-1.0.6",
            "elfutils": "LGPL-3.0-or-later OR GPL-2.0-or-later", "sqlite3": "blessing",
            "libmicrohttpd": "LGPL-2.1-or-later", "xz-utils": "LicenseRef-xz-public-domain",
            "libarchive": "BSD-2-Clause"}
NONE = "NOASSERTION"

folder = pathlib.Path(sys.argv[1])
version, commit, epoch = sys.argv[2:5]
static = re.compile(r".*-linux-[a-z0-9_]+\.tar\.xz$|.*\.whl$")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def package(name, number, licence, **more):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": number, "licenseDeclared": licence,
            "licenseConcluded": NONE, "copyrightText": NONE, "downloadLocation": NONE, "filesAnalyzed": False, **more}


packages = [package("tdat", version, "GPL-2.0-or-later AND LGPL-2.1-or-later", sourceInfo=f"git commit {commit}")]
relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-tdat")]
for line in sys.argv[5:]:
    name, number, digest = line.split()
    packages.append(package(name, number, LICENSES[name], supplier="Organization: Debian",
                            checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
                            comment="The hash is that of the .dsc file of Debian's source package."))
files = []
for number, path in enumerate(sorted(p for p in folder.rglob("*") if p.is_file())):
    name = path.relative_to(folder).as_posix()
    if name in ("SHA256SUMS", f"tdat-{version}.spdx.json"):
        continue
    identity = f"SPDXRef-File-{number}"
    files.append({"SPDXID": identity, "fileName": f"./{name}", "licenseConcluded": NONE, "copyrightText": NONE,
                  "checksums": [{"algorithm": "SHA256", "checksumValue": sha256(path)},
                                {"algorithm": "SHA1", "checksumValue": hashlib.sha1(path.read_bytes()).hexdigest()}]})
    relations.append((identity, "GENERATED_FROM", "SPDXRef-tdat"))
    if static.match(name):
        held = [p["name"] for p in packages[1:]]
        if name.endswith(".whl"):
            held = [n for n in held if n not in ("bzip2", "xz-utils", "libarchive")]
        relations += [(identity, "STATIC_LINK", f"SPDXRef-{n}") for n in held]

json.dump({
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"tdat-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/tdat-{version}-{commit}",
    "creationInfo": {"created": datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
                     .strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: scripts/release"]},
    "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-xz-public-domain",
                                    "extractedText": "liblzma is in the public domain."}],
    "packages": packages, "files": files,
    "relationships": [{"spdxElementId": a, "relationshipType": r, "relatedSpdxElement": b} for a, r, b in relations],
}, sys.stdout, indent=1)
print()
