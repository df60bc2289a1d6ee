#!/usr/bin/env bash
# random_sizes.sh SEED FOLDER [COUNT]
#
# Writes a program into FOLDER for each of the five kernels and each element type: the kernel as it stands in kernels/,
# an oracle of scalar loops, and COUNT checks (60) whose sizes the seed draws from 0, 1, the tile's extent, one less and
# one more, multiples of it, primes. Every dimension is 0 once before. Sizes stay within what the reference evaluates in
# a fraction of a second. Then
#
#   tilec check FOLDER/matmul_f16.tile                 # on the reference or the GPU of this machine
#   gpu.sh export BUNDLES FOLDER/*.tile                # for a GPU elsewhere
#
# The same seed gives the same programs everywhere.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
kernels=$here/../../kernels
[ $# -ge 2 ] || { sed -n '2,3s/^# \?//p' "$0" >&2; exit 2; }
seed=$1 folder=$2 count=${3:-60}
mkdir -p "$folder"

# Knuth's generator (MMIX) in the 64 bits of shell arithmetic; the low bits are poor, so the high ones choose.
state=$((seed * 2862933555777941757 + 3037000493))
next() { state=$((state * 6364136223846793005 + 1442695040888963407)); }
# draw VARIABLE CHOICE…
draw() {
  local -n result=$1
  shift
  next
  local index=$((((state >> 33) & 0x3fffffff) % $#))
  shift "$index"
  result=$1
}

# The kernel's text without what it tests and builds, then the oracle named $3 if it is not there.
program() {
  awk '/^tune/ { skip = 1 } !skip && !/^(check|bench|instantiate) / { print } skip && /}$/ { skip = 0 }' "$kernels/$1.tile"
  [ -z "${2:-}" ] || awk -v start="oracle kernel $2<" 'index($0, start) == 1 { on = 1 } on { print } /^}/ { on = 0 }' \
    "$here/Inputs/oracles.tile"
}

tolerance() { # TYPE F16 BF16
  if [ "$1" = f16 ]; then echo "$2"; else echo "$3"; fi
}

vector_add() { # TYPE
  program vector_add vector_add_naive
  local n i
  for ((i = -1; i < count; ++i)); do
    draw n 0 1 2 3 7 31 32 33 127 1009 2047 4095 4096 4097 4099 8191 8192 8193 12289 20000 65537 100003
    [ $i -ge 0 ] || n=0
    echo "check vector_add<T = $1> { N = $n } against vector_add_naive tolerance 0;"
  done
}

# Three extents whose product is small enough; the first three times one of them is 0.
extents() {
  while :; do
    draw m 0 1 2 7 16 31 63 64 65 97 127 128 129 131 191 211 255 256 257 307
    draw n 0 1 3 8 15 33 63 64 65 101 127 128 129 137 193 199 255 256 257 311
    draw k 0 1 2 5 16 31 32 33 47 63 64 65 95 96 97 113 127 128 129 157 255 257
    [ "$1" != -3 ] || m=0
    [ "$1" != -2 ] || n=0
    [ "$1" != -1 ] || k=0
    [ $((m * n * k)) -gt 10000000 ] || return 0
  done
}

matmul() { # TYPE
  program matmul
  local m n k i
  for ((i = -3; i < count; ++i)); do
    extents $i
    # Whole numbers are added without rounding; every second time the numbers are of any kind.
    if [ $((i & 1)) -eq 0 ]; then
      echo "check matmul<T = $1> { M = $m, N = $n, K = $k, A in range(-8, 8), B in range(-8, 8) } against matmul_naive tolerance 0;"
    else
      echo "check matmul<T = $1> { M = $m, N = $n, K = $k } against matmul_naive tolerance $(tolerance "$1" 2e-3 1.6e-2);"
    fi
  done
}

matmul_bias_gelu() { # TYPE
  program matmul_bias_gelu matmul_bias_gelu_naive
  local m n k i data
  for ((i = -3; i < count; ++i)); do
    extents $i
    # Far below zero gelu cancels all digits. Among many elements that does not count, among few it must not happen.
    data=
    [ $((m * n)) -gt 1000 ] || data=", X in range(0, 3), W in range(0, 3), bias in range(0, 8)"
    echo "check matmul_bias_gelu<T = $1> { M = $m, N = $n, K = $k$data }" \
      "against matmul_bias_gelu_naive tolerance $(tolerance "$1" 2e-3 1.6e-2);"
  done
}

softmax() { # TYPE
  program softmax softmax_naive
  local r c rows i
  for ((i = -2; i < count; ++i)); do
    while :; do
      draw r 0 1 2 3 5 7 8 31 33
      draw c 0 1 2 3 31 32 257 1009 4095 4096 4097 4099 8191 8192 8193 12289 50257
      draw rows 1 1 2
      [ $i != -2 ] || r=0
      [ $i != -1 ] || c=0
      [ $((r * c)) -gt 70000 ] || break
    done
    echo "check softmax<ROWS = $rows, T = $1> { R = $r, C = $c } against softmax_naive tolerance $(tolerance "$1" 2e-3 1.6e-2);"
  done
}

flash_attention() { # TYPE
  program flash_attention
  local b h s l d causal i
  for ((i = -4; i < count; ++i)); do
    while :; do
      draw b 0 1 1 2 3
      draw h 0 1 1 2 3
      draw s 0 1 2 7 31 64 97 127 128 129 131 200 255 256 257
      draw l 0 1 3 8 33 64 101 127 128 129 137 199 255 256 257
      draw d 64 128
      draw causal true false
      [ $i != -4 ] || s=0
      [ $i != -3 ] || l=0
      [ $i != -2 ] || b=0
      [ $i != -1 ] || h=0
      [ $((b * h * s * l)) -gt 35000 ] || break
    done
    echo "check flash_attention<D = $d, CAUSAL = $causal, T = $1> { B = $b, H = $h, S = $s, L = $l," \
      "scale = $([ $d = 64 ] && echo 0.125 || echo 0.0883883) }" \
      "against attention_naive tolerance $(tolerance "$1" 3e-3 2e-2);"
  done
}

for kernel in vector_add matmul matmul_bias_gelu softmax flash_attention; do
  types="f16 bf16"
  [ $kernel != vector_add ] || types="f32 f16 bf16"
  for type in $types; do $kernel "$type" >"$folder/${kernel}_$type.tile"; done
done
