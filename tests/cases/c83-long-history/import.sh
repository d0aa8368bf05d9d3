#!/usr/bin/env bash
# usage: [COUNT=10000] import.sh DEST   (COUNT commits on 200 notes; one note is renamed twice)
set -eu; mkdir -p "$1"; cd "$1"; git init -q -b main; git config user.name 'Ines Example'; git config user.email ines@example.org
python3 - "${COUNT:-10000}" <<'PY' | git fast-import --quiet
import sys
w=sys.stdout.write; n=int(sys.argv[1]); one=n*2//5; two=n*4//5
for c in range(n):
    m=f"Note {c%200}"; b=f"Version {c} of note {c%200}\n"+("steady line of the harbour rules\n"*12 if c%200==199 else "")
    w(f"commit refs/heads/main\ncommitter Ines Example <ines@example.org> {1700000000+c*60} +0000\ndata {len(m)}\n{m}\n")
    f=f"n{c%200}.md"
    if c%200==199: f="first.md" if c<one else "second.md" if c<two else "renamed.md"
    if c==one+199: w("R first.md second.md\n")
    if c==two+199: w("R second.md renamed.md\n")
    w(f"M 100644 inline {f}\ndata {len(b)}\n{b}\n")
PY
git reset -q --hard
