# Clean roots of Debian, for scripts that source this file under `set -euo pipefail`, with the suites
# as arguments. `$work` is a folder that is removed when the script ends.

suites=("$@")
(($#)) || suites=(bookworm trixie forky)

need() { # program package...
  local program=$1
  shift
  command -v "$program" > /dev/null || {
    echo "${0##*/}: $program is missing; on Debian: apt-get install $*" >&2
    exit 2
  }
}

work=$(mktemp -d)
mounted=()
clean() {
  for place in "${mounted[@]}"; do umount --recursive --lazy "$place"; done
  # Whatever is still mounted is not removed with it.
  rm -rf --one-file-system "$work"
}
trap clean EXIT

with_kernel_files() { # root
  for name in proc sys dev; do
    mkdir -p "$1/$name"
    mount --rbind --make-rslave "/$name" "$1/$name"
    mounted=("$1/$name" "${mounted[@]}")
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
