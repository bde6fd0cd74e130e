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

# npm_package <package>@<version>: in $work/node_modules
npm_package() { (cd "$work" && npm install --silent --no-audit --no-fund --no-save "$@" >/dev/null); }

# seen <what> <output> <expected>: prints the output; the finding fails if it has changed.
failed=0
seen() {
  echo "$1: $2"
  [[ $2 == "$3" ]] || { echo "  CHANGED, it was: $3" && failed=1; }
}
finish() { exit "$failed"; }
