# Sourced by ./run and ./test from the project's root: packages and build, quiet when all is there.

LOCKSTEP_PACKAGES="cmake ninja-build g++ pkg-config git python3 ccache libsystemc-dev libyaml-cpp-dev
libcli11-dev libfmt-dev nlohmann-json3-dev libsqlite3-dev"
LOCKSTEP_OPTIONAL_PACKAGES="verilator libgtest-dev libgmock-dev libbenchmark-dev libmpfr-dev clang-format
iverilog yosys"

# Installs the packages of "$@" that dpkg does not know as installed.
install_missing() {
  missing=""
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  as_root=""
  [ "$(id -u)" -eq 0 ] || as_root="sudo"
  echo "installing:$missing" >&2
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing" >&2
}

# build_preset PRESET [TARGET...]
build_preset() {
  preset="$1"
  shift
  # shellcheck disable=SC2086
  install_missing $LOCKSTEP_PACKAGES $LOCKSTEP_OPTIONAL_PACKAGES
  log="build/$preset.log"
  mkdir -p build
  echo "building ($preset; the log is $log)" >&2
  if ! { cmake --preset "$preset" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache &&
    cmake --build --preset "$preset" ${1:+--target "$@"}; } >"$log" 2>&1; then
    grep -nE 'error|Error' "$log" >&2 || tail -n 40 "$log" >&2
    echo "the build failed; its log is $log" >&2
    exit 3
  fi
}
