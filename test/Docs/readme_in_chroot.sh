#!/usr/bin/env bash
# Runs the README's shell blocks on a bare Debian 12: a fresh chroot with nothing but a base system, git and the
# CUDA Toolkit's folder. Exits 0 if every block does. Needs root, debootstrap and about 6 GB; takes as long as a
# first build does.
#
#   test/Docs/readme_in_chroot.sh [FOLDER]     FOLDER: the chroot, made if it is missing (default: a temporary one)
#
# Environment: CUDAToolkit_ROOT (default: /usr/local/cuda), KEEP=1 keeps a temporary chroot.
set -euo pipefail
repo=$(git -C "$(dirname "$(readlink -f "$0")")" rev-parse --show-toplevel)
cuda=$(readlink -f "${CUDAToolkit_ROOT:-/usr/local/cuda}")
root=${1:-}
temporary=
if [ -z "$root" ]; then
  root=$(mktemp -d /var/tmp/tilec-chroot.XXXXXX)
  temporary=$root
fi
mounts=(usr/local/cuda dev/null dev/zero dev/urandom dev/pts proc)
clean_up() {
  local mount
  for mount in "${mounts[@]}"; do umount -l "$root/$mount" 2>/dev/null || true; done
  [ -n "$temporary" ] && [ -z "${KEEP:-}" ] && rm -rf "$temporary"
  return 0
}
trap clean_up EXIT

if [ ! -e "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase --include=ca-certificates,git bookworm "$root" http://deb.debian.org/debian
fi
printf 'deb http://deb.debian.org/debian bookworm main\ndeb http://deb.debian.org/debian-security bookworm-security main\n' \
  >"$root/etc/apt/sources.list"
# How this machine reaches the archive (proxies and the like), and name resolution.
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir -p "$root/usr/local/cuda" "$root/root"
mount --bind "$cuda" "$root/usr/local/cuda"
for device in null zero urandom; do
  touch "$root/dev/$device" 2>/dev/null || true
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t proc proc "$root/proc"
# Terminals: a test looks at what goes to one.
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -sf pts/ptmx "$root/dev/ptmx"

rm -rf "$root/root/tilec"
git clone -q "$repo" "$root/root/tilec"
# Every ```sh block, in order, in one shell.
awk '/^```sh$/ {on = 1; next} /^```$/ {on = 0} on' "$repo/README.md" >"$root/root/blocks.sh"
[ -s "$root/root/blocks.sh" ] || { echo "README.md has no sh blocks" >&2; exit 1; }
echo "== README blocks in $root"
cat "$root/root/blocks.sh"
chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 ${http_proxy:+http_proxy=$http_proxy} \
  bash -euxo pipefail -c 'cd /root/tilec && . /root/blocks.sh'
echo "== every block ended well"
