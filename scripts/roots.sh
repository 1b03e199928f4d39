# Clean roots of Debian, for scripts that source this file under `set -euo pipefail`, with what they try and then the
# suites as arguments. `$work` is a folder that is removed when the script ends.

suites=("${@:2}")
((${#suites[@]})) || suites=(bookworm trixie forky)

# Runs the script again in namespaces of its own. All its processes and mounts end with them, so nothing writes to the
# folder or is mounted in it when it is removed; `kill -9` leaves the folder only.
in_namespaces() {
  local status=0
  export ROOTS_WORK
  ROOTS_WORK=$(mktemp -d)
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'end_script; rm -rf --one-file-system "$ROOTS_WORK"' EXIT
  setpriv --pdeathsig KILL \
    unshare --mount --mount-proc --pid --fork --kill-child "$BASH" "$0" "$@" &
  wait "$!" || status=$?
  exit "$status"
}
# Kills the first process of the namespaces. `unshare` ends when all others have ended, too.
end_script() {
  while kill -0 "${!-}" 2> /dev/null; do pkill -KILL --parent "$!" || sleep 0.1; done
}
[[ -n ${ROOTS_WORK-} ]] || in_namespaces "$@"
work=$ROOTS_WORK

need() { # program package...
  local program=$1
  shift
  command -v "$program" > /dev/null || {
    echo "${0##*/}: $program is missing; on Debian: apt-get install $*" >&2
    exit 2
  }
}

with_kernel_files() { # root
  for name in proc sys dev; do
    mkdir -p "$1/$name"
    mount --rbind --make-rslave "/$name" "$1/$name"
  done
}

# Makes $work/SUITE, with an ordinary user. APT_OPTION is one option for apt, such as
# 'Acquire::Check-Valid-Until "false"' for a mirror that lags behind.
make_debian() { # suite packages
  local root=$work/$1
  mmdebstrap --quiet --variant=minbase --include="$2" \
    ${APT_OPTION:+"--aptopt=$APT_OPTION"} "$1" "$root" http://deb.debian.org/debian
  with_kernel_files "$root"
  chroot "$root" useradd --create-home user
}

# Runs commands as the user of a root, with this machine's proxy.
run_as_user() { # suite commands
  chroot "$work/$1" su --whitelist-environment=http_proxy,https_proxy,no_proxy - user -c "$2"
}
