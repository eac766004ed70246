#!/bin/sh
# build.sh OUT [extra rustc args]
cd /tmp/tortmini; . /tmp/wt/tortf/scripts/env.sh
out=$1; shift
nice -n 19 rustc --edition=2024 main.rs --crate-name quell -o $out -C opt-level=2 -C codegen-units=16 -C incremental=/tmp/tortmini/inc -A warnings -L dependency=deps --extern serde=deps/libserde-969edd6eb64cc468.rlib --extern toml=deps/libtoml-55fd89da38394af3.rlib --extern anyhow=deps/libanyhow-45a9e7171ca7bf7a.rlib --extern bitvec=deps/libbitvec-ce9cd31655b5d81e.rlib --extern rand=deps/librand-46ca3bacdb58eccf.rlib "$@"
