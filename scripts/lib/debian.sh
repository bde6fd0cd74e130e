# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Packages on Debian and its relatives. To be sourced after common.sh.
#
# Sources of packages and backports are read through temporary copies of the machine's own apt sources: nothing in
# /etc/apt is changed, and the signatures are checked as always.

have_apt() { have apt-get && [[ -e /etc/debian_version ]]; }

# A prefix that runs a command as root, or failure where that needs a password.
root_prefix() {
  if ((EUID == 0)); then
    echo env
  elif have sudo && sudo -n true 2>/dev/null; then
    echo "sudo -n env"
  else
    return 1
  fi
}

# install_packages <package>...: with apt, as root.
install_packages() {
  local root
  if ! have_apt || ! root=$(root_prefix); then
    return 1
  fi
  note "apt-get install $*"
  local log
  log=$(mktemp)
  $root apt-get -qq update >"$log" 2>&1 || note "apt-get update reported: $(tail -n 1 "$log")"
  # shellcheck disable=SC2086 # $root is several words
  run_logged "$log" $root DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@"
}

# The version that apt would install, or nothing.
candidate_version() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: \([^(].*\)/\1/p'; }

# write_sources <folder> <deb|deb-src> [<suffix>]
#
# The machine's apt sources as <folder>/parts, for packages or sources; with a suffix (-backports) only those of the
# distribution's main suite, turned to that suite.
write_sources() {
  local parts=$1/parts type=$2 suffix=${3:-} codename file
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
  mkdir -p "$parts"
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -e $file ]] || continue
    awk -v RS= -v ORS='\n\n' -v type="$type" -v codename="$codename" -v suffix="$suffix" '
      /(^|\n)Enabled:[ \t]*no/ || !/(^|\n)Types:/ { next }
      {
        sub(/(^|\n)Types:[^\n]*/, "\nTypes: " type)
        if (suffix != "") {
          if (!match($0, "\nSuites:[^\n]*[ \t]" codename "([ \t\n]|$)")) next
          sub(/\nSuites:[^\n]*/, "\nSuites: " codename suffix)
        }
        sub(/^\n/, "")
        print
      }' "$file" >"$parts/$(basename "$file")"
  done
  # One-line format: deb [options] uri suite components
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -e $file ]] || continue
    sed -nE 's/^[ \t]*deb(-src)?[ \t]+(\[[^]]*\][ \t]+)?([^ \t]+)[ \t]+([^ \t]+)([ \t].*)/\2\3 \4\5/p' "$file" | sort -u |
      awk -v type="$type" -v codename="$codename" -v suffix="$suffix" '
        {
          suite = 2 # the field after the uri; options in brackets come before
          if ($1 ~ /^\[/) { for (i = 1; $i !~ /\]$/; ++i) {}; suite = i + 2 }
          if (suffix != "") { if ($suite != codename) next; $suite = codename suffix }
          print type, $0
        }' >"$parts/$(basename "$file" .list).list"
  done
}

# private_apt <folder> <arguments of apt-get>...: apt-get with the sources and the state of that folder only.
private_apt() {
  local dir=$1
  shift
  mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
  apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$dir/parts" \
    -o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir/cache" \
    -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}
