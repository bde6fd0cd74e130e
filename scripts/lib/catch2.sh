# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Catch2 3, where no installed one was found. To be sourced after common.sh and debian.sh.

# Debian 12 has Catch2 2 only, but its backports have 3: that package is unpacked into the cache, not installed.
unpack_catch2_backport() {
  local dir=$1 package version
  note "downloading libcatch2-dev from the backports of this distribution"
  write_sources "$dir" deb -backports
  run_logged "$dir/log" private_apt "$dir" update || return 1
  (cd "$dir" && run_logged "$dir/log" private_apt "$dir" download libcatch2-dev) || return 1
  package=$(echo "$dir"/libcatch2-dev_*.deb)
  version=$(dpkg-deb -f "$package" Version)
  dpkg-deb -x "$package" "$dir/unpacked"
  catch2_prefix=$cache_dir/catch2-${version%%-*}-$(dpkg --print-architecture)
  rm -rf "$catch2_prefix"
  mv "$dir/unpacked/usr" "$catch2_prefix"
  note "unpacked into $catch2_prefix"
}

# provide_catch2_source <work folder>: sets catch2_source to the sources that the distribution's package, or the one in its
# backports, is made of; a folder in the cache.
provide_catch2_source() {
  local dir=$1 suffix archive
  catch2_source=$(find "$cache_dir" -maxdepth 1 -type d -name "catch2-source-3*" | sort -V | tail -n 1)
  [[ ! $catch2_source ]] || return 0
  have_apt || { note "no sources of Catch2: this is no Debian"; return 1; }
  for suffix in -backports ""; do
    rm -rf "$dir" && mkdir "$dir"
    write_sources "$dir" deb-src $suffix
    run_logged "$dir/log" private_apt "$dir" update || continue
    (cd "$dir" && run_logged "$dir/log" private_apt "$dir" source --download-only catch2) || continue
    archive=$(echo "$dir"/catch2_3*.orig.tar.*)
    [[ -e $archive ]] || continue
    mkdir "$dir/unpacked" && tar xf "$archive" -C "$dir/unpacked"
    archive=${archive##*/catch2_}
    catch2_source=$cache_dir/catch2-source-${archive%.orig.tar.*}
    mv "$dir"/unpacked/* "$catch2_source"
    return
  done
  return 1
}

# provide_catch2 <work folder>: sets catch2_prefix (empty where the package is installed or left to CMake).
provide_catch2() {
  local dir=$1/catch2 package
  catch2_prefix=
  if have_apt; then
    catch2_prefix=$(find "$cache_dir" -maxdepth 1 -type d -name "catch2-3*-$(dpkg --print-architecture)" | sort -V |
      tail -n 1)
    if [[ $catch2_prefix ]]; then
      note "Catch2: $catch2_prefix"
      return
    fi
    say "Catch2 3"
    mkdir "$dir"
    for package in libcatch2-dev catch2; do
      if [[ $(candidate_version $package) == 3* ]] && install_packages $package; then
        return
      fi
    done
    unpack_catch2_backport "$dir" && return
  fi
  note "Catch2 3 is not installed: CMake will download its pinned release, or install it by hand"
}
