#!/usr/bin/env bash
# The checks of all programs on a GPU that has no compiler beside it.
#
#   gpu.sh export [--targets=LIST] [--random=SEED] FOLDER [FILE.tile…]   where tilec is
#   gpu.sh run [--timeout=SECONDS] FOLDER                                where the GPU is
#
# `export` writes a bundle of every program for every target into FOLDER, with tile-runner and this script. The programs
# are those of kernels/, test/EndToEnd and test/conformance that have checks, or the FILEs; --random adds what
# random_sizes.sh draws. TILEC and TILE_RUNNER name the tools (default: those of PATH). Of a program that does not
# compile each kernel is exported alone; one that does not is a row of the table like others. `run` needs a shell and
# the driver; its table has a row a program and target:
#
#   program          target      checks  passed  failed
#
# where a target that this GPU does not execute has '-'. Under the table stands every failure. Exit status of both: 0 if
# nothing failed, else 1; 3 without tools or a GPU.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

usage() {
  sed -n '2,18s/^# \?//p' "$0" >&2
  exit 2
}

# FILE TARGET OUT: a bundle in the folder OUT, or the compiler's message in OUT/error.
bundle() {
  mkdir -p "$3"
  "$TILEC" check "$1" --device=gpu --target="$2" --bundle="$3" >"$3/error" 2>&1 && rm "$3/error"
}

# FILE NAME: the file with one of its kernels, that one's checks, and what is no kernel or an oracle. Lines stay.
only_kernel() {
  awk -v name="$2" '
    /^kernel / { skip = $2 !~ "^" name "[(<]" }
    /^check /  { skip = $2 !~ "^" name "([<{]|$)" }
    /^instantiate / { skip = $2 !~ "^" name "(<|$)" }
    /^tune / { skip = 1 }
    /^(oracle|fn|const|import) / { skip = 0 }
    { print skip ? "" : $0 }
    /^}/ || /;[ ]*$/ && !/^ / || /^    against/ { skip = 0 }' "$1"
}

# FILE TARGET FOLDER: a bundle of the program, or if it does not compile one of each kernel, so that one that the
# compiler does not know yet hides no other.
export_one() {
  local file=$1 target=$2 folder=$3 program out name
  program=$(basename "$file" .tile)
  out=$folder/bundles/$program.$target
  bundle "$file" "$target" "$out" && return
  mapfile -t names < <(sed -n 's/^check \([A-Za-z0-9_]*\).*/\1/p' "$file" | sort -u)
  if [ ${#names[@]} -gt 1 ]; then
    rm -rf "$out"
    for name in "${names[@]}"; do
      mkdir -p "$folder/programs/$program+$name.$target"
      only_kernel "$file" "$name" >"$folder/programs/$program+$name.$target/$program.tile"
      out=$folder/bundles/$program+$name.$target
      bundle "$folder/programs/$program+$name.$target/$program.tile" "$target" "$out" || complain "$program+$name" "$target" "$out"
    done
  else
    complain "$program" "$target" "$out"
  fi
}

complain() {
  printf '%s does not compile for %s: %s\n' "$1" "$2" "$(grep -m 1 'error:' "$3/error" || head -n 1 "$3/error")" >&2
}

export_all() {
  local targets=sm_80,sm_90a,compute_80 seed= folder= files=() file
  while [ $# -gt 0 ]; do
    case $1 in
    --targets=*) targets=${1#*=} ;;
    --random=*) seed=${1#*=} ;;
    -*) usage ;;
    *) if [ -z "$folder" ]; then folder=$1; else files+=("$1"); fi ;;
    esac
    shift
  done
  [ -n "$folder" ] || usage
  export TILEC=${TILEC:-tilec}
  local runner
  runner=$(command -v "${TILE_RUNNER:-tile-runner}") || { echo "gpu.sh: no tile-runner: name it with TILE_RUNNER" >&2; exit 3; }
  command -v "$TILEC" >/dev/null || { echo "gpu.sh: no tilec: name it with TILEC" >&2; exit 3; }
  if [ ${#files[@]} -eq 0 ]; then
    local root=$here/../..
    mapfile -t files < <(grep -l '^check ' "$root"/kernels/*.tile "$root"/test/EndToEnd/*.tile "$here"/*.tile)
  fi
  rm -rf "$folder/bundles" "$folder/programs"
  mkdir -p "$folder/bundles" "$folder/programs"
  if [ -n "$seed" ]; then
    "$here/random_sizes.sh" "$seed" "$folder/random"
    for file in "$folder"/random/*.tile; do
      mv "$file" "$folder/random/random_$(basename "$file")"
    done
    files+=("$folder"/random/*.tile)
  fi
  # Benches are large and not asked for here. Lines keep their numbers.
  for file in "${files[@]}"; do
    sed 's/^bench .*//' "$file" >"$folder/programs/$(basename "$file")"
  done
  rm -rf "$folder/random"
  export -f bundle only_kernel export_one complain
  local target
  for target in ${targets//,/ }; do
    for file in "$folder"/programs/*.tile; do printf '%s\0%s\0' "$file" "$target"; done
  done | xargs -0 -n 2 -P "$(nproc)" bash -c 'export_one "$1" "$2" "$0"' "$folder"
  cp "$runner" "$folder/tile-runner"
  cp "$here/gpu.sh" "$folder/gpu.sh"
  ! compgen -G "$folder/bundles/*/error" >/dev/null
}

run_all() {
  local timeout=60 folder= status=0
  while [ $# -gt 0 ]; do
    case $1 in
    --timeout=*) timeout=${1#*=} ;;
    -*) usage ;;
    *) folder=$1 ;;
    esac
    shift
  done
  [ -d "$folder/bundles" ] || usage
  local details=$folder/failures bundle program target total
  : >"$details"
  printf '%-34s %-12s %7s %7s %7s\n' program target checks passed failed
  for bundle in "$folder"/bundles/*; do
    program=$(basename "$bundle")
    target=${program##*.} program=${program%.*}
    if [ -e "$bundle/error" ]; then
      printf '%-34s %-12s %7s %7s %7s\n' "$program" "$target" "does" not compile
      { printf '\n%s %s does not compile\n' "$program" "$target"; cat "$bundle/error"; } >>"$details"
      status=1
      continue
    fi
    "$folder/tile-runner" check --timeout="$timeout" "$bundle" >"$folder/output" 2>&1 || true
    total=$(sed -n 's/^\([0-9]*\) of \([0-9]*\) checks passed.*/\1 \2/p' "$folder/output" | tail -n 1)
    if [ -z "$total" ]; then
      cat "$folder/output" >&2
      exit 3
    elif grep -q 'nothing in the image runs on a device' "$folder/output"; then
      printf '%-34s %-12s %7s %7s %7s\n' "$program" "$target" "${total#* }" - -
    else
      printf '%-34s %-12s %7s %7s %7s\n' "$program" "$target" "${total#* }" "${total% *}" $((${total#* } - ${total% *}))
      if [ "${total#* }" != "${total% *}" ]; then
        status=1
        { printf '\n%s %s\n' "$program" "$target"; grep FAILED "$folder/output" || cat "$folder/output"; } >>"$details"
      fi
    fi
  done
  rm -f "$folder/output"
  cat "$details"
  return $status
}

[ $# -ge 1 ] || usage
command=$1
shift
case $command in
export) export_all "$@" ;;
run) run_all "$@" ;;
*) usage ;;
esac
