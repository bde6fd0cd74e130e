# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the findings share: . "$(dirname "$0")/lib.sh"
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root # packages of Debian are unpacked here
mkdir "$root"

# debian <package>=<version>...: downloads packages and unpacks them in $root; installs nothing.
debian() {
  (cd "$work" && apt-get -o APT::Sandbox::User=root download -qq "$@" >/dev/null && for file in *.deb; do dpkg -x "$file" "$root"; done && rm ./*.deb)
}

# MPICH of Debian 12: provide_mpich, compile_mpich <name> ($work/<name>.c), run_mpich <argument of mpiexec>...
libraries=$root/usr/lib/$(gcc -print-multiarch)
provide_mpich() {
  debian mpich=4.0.2-3+b1 libmpich-dev=4.0.2-3+b1 libmpich12=4.0.2-3+b1 libslurm38=22.05.8-4+deb12u3 libhwloc15=2.9.0-1 \
    libucx0=1.13.1-1 libgfortran5=12.2.0-14+deb12u1 libibverbs1=44.0-2 librdmacm1=44.0-2 libnl-3-200=3.7.0-0.2+b1 \
    libnl-route-3-200=3.7.0-0.2+b1 libnuma1=2.0.16-1
}
compile_mpich() {
  gcc -I"$libraries/mpich/include" "$work/$1.c" -o "$work/$1" -L"$libraries" -l:libmpich.so.12 -Wl,--allow-shlib-undefined
}
run_mpich() { LD_LIBRARY_PATH=$libraries "$root/usr/bin/mpiexec.hydra" "$@"; }

# npm_package <package>@<version>: in $work/node_modules
npm_package() { (cd "$work" && npm install --silent --no-audit --no-fund --no-save "$@" >/dev/null); }

# seen <what> <output> <expected>: prints the output; the finding fails if it has changed.
failed=0
seen() {
  echo "$1: $2"
  [[ $2 == "$3" ]] || { echo "  CHANGED, it was: $3" && failed=1; }
}
finish() { exit "$failed"; }
