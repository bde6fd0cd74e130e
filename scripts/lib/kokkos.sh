# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kokkos from sources into the cache, where no installed one was found. To be sourced after common.sh and debian.sh.

dependencies_file=$project_dir/cmake/TrackplexDependencies.cmake

# The file that marks an installation of position-independent code, which the Python module needs.
kokkos_mark=share/trackplex-position-independent

# cached_kokkos <backends> <version or *>: the newest in the cache for this compiler and CPU, or nothing.
cached_kokkos() {
  local found
  found=$(find "$cache_dir" -maxdepth 1 -type d -name "kokkos-$2-$1-$(machine_id)" | sort -V | tail -n 1)
  [[ ! -e $found/$kokkos_mark ]] || echo "$found"
}

# The version that a folder of Kokkos sources says it is.
kokkos_source_version() {
  sed -nE 's/^ *set *\(Kokkos_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)\).*/\2/Ip' "$1/CMakeLists.txt" | paste -sd.
}

# The address and the SHA-256 sum of the pinned release archive, those of the CMake files.
kokkos_release() {
  sed -nE '/^trackplex_declare\(Kokkos /{N; s/.*Kokkos +([^ ]+)\n +([0-9a-f]+)\)$/\1 \2/p}' "$dependencies_file"
}

fetch_kokkos_release() {
  local dir=$1 url sum
  read -r url sum < <(kokkos_release)
  note "downloading the release archive ${url##*/} from its public repository"
  have curl || { note "not possible: curl is not installed"; return 1; }
  if ! curl -fsSL --connect-timeout 5 --max-time 300 -o "$dir/kokkos.tar.gz" "$url" 2>"$dir/log"; then
    note "not possible: $(tail -n 1 "$dir/log")"
    return 1
  fi
  if ! echo "$sum  $dir/kokkos.tar.gz" | sha256sum --check --status; then
    note "not used: the checksum of the archive is not the pinned one"
    return 1
  fi
  mkdir "$dir/source"
  tar xzf "$dir/kokkos.tar.gz" -C "$dir/source" --strip-components=1
}

# The distribution's sources: Debian's package trilinos carries Kokkos (Debian 12: 3.4.01).
fetch_kokkos_distribution() {
  local dir=$1 archive
  note "downloading the distribution's source package trilinos, which carries Kokkos (166 MB)"
  have_apt || { note "not possible: this is no Debian"; return 1; }
  write_sources "$dir" deb-src
  run_logged "$dir/log" private_apt "$dir" update || return 1
  (cd "$dir" && run_logged "$dir/log" private_apt "$dir" source --download-only trilinos) || return 1
  archive=$(echo "$dir"/trilinos_*.orig.tar.*)
  mkdir "$dir/unpacked"
  tar xf "$archive" -C "$dir/unpacked" --wildcards '*/packages/kokkos/*' || return 1
  rm "$archive"
  mv "$dir"/unpacked/*/packages/kokkos "$dir/source"
}

# provide_kokkos_source <work folder>: sets kokkos_source: FETCHCONTENT_SOURCE_DIR_KOKKOS, which CMake knows too, else a folder
# in the cache, downloaded where it is missing.
provide_kokkos_source() {
  local dir=$1
  kokkos_source=${FETCHCONTENT_SOURCE_DIR_KOKKOS:-$(find "$cache_dir" -maxdepth 1 -type d -name "kokkos-source-*" | sort -V |
    tail -n 1)}
  [[ ! $kokkos_source ]] || return 0
  fetch_kokkos_release "$dir" || fetch_kokkos_distribution "$dir" || return 1
  kokkos_source=$cache_dir/kokkos-source-$(kokkos_source_version "$dir/source")
  mv "$dir/source" "$kokkos_source"
}

# install_with_cmake <work folder> <source folder> <installed to> <option of cmake>...: in one step, so that an interrupted
# set-up leaves no half installation.
install_with_cmake() {
  local dir=$1 source=$2 prefix=$3
  shift 3
  mkdir -p "$dir"
  run_logged "$dir/log" cmake -S "$source" -B "$dir/build" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_CXX_STANDARD=20 "$@" ||
    return 1
  run_logged "$dir/log" cmake --build "$dir/build" --parallel "$jobs" || return 1
  DESTDIR=$dir/stage run_logged "$dir/log" cmake --install "$dir/build" || return 1
  rm -rf "$prefix"
  mv "$dir/stage$prefix" "$prefix"
  note "installed in $prefix"
}

# build_kokkos <work folder> <source folder> <backends>: installs into the cache and sets kokkos_prefix.
build_kokkos() {
  local dir=$1 source=$2 backends=$3 openmp=OFF flags=-march=$march version
  version=$(kokkos_source_version "$source")
  [[ $backends == serial ]] || openmp=ON
  [[ $backends != openmp-tsan ]] || flags+=" -g1 -fsanitize=thread"
  kokkos_prefix=$cache_dir/kokkos-$version-$backends-$(machine_id)
  note "building Kokkos $version ($backends, Release, -march=$march)"
  install_with_cmake "$dir" "$source" "$kokkos_prefix" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="$flags" \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=$openmp -DKokkos_ENABLE_TESTS=OFF &&
    mkdir -p "$kokkos_prefix/share" && touch "$kokkos_prefix/$kokkos_mark"
}

# provide_kokkos <work folder> <backends>: sets kokkos_prefix. FETCHCONTENT_SOURCE_DIR_KOKKOS names sources to use instead of a
# download.
provide_kokkos() {
  local dir=$1/kokkos backends=$2
  if [[ ${FETCHCONTENT_SOURCE_DIR_KOKKOS:-} ]]; then
    kokkos_prefix=$(cached_kokkos "$backends" "$(kokkos_source_version "$FETCHCONTENT_SOURCE_DIR_KOKKOS")")
  else
    kokkos_prefix=$(cached_kokkos "$backends" "*")
  fi
  if [[ $kokkos_prefix ]]; then
    note "Kokkos: $kokkos_prefix"
    return
  fi
  say "Kokkos ($backends)"
  mkdir "$dir"
  if provide_kokkos_source "$dir"; then
    build_kokkos "$dir" "$kokkos_source" "$backends" && return
  fi
  fail "no Kokkos: neither an installed one nor the release archive nor the distribution's sources could be used" \
    "install Kokkos 3.4 or newer (Serial and OpenMP) and set Kokkos_ROOT to it, or unpack its sources and set" \
    "FETCHCONTENT_SOURCE_DIR_KOKKOS to them"
}
