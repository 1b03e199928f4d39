#!/usr/bin/env bash
# QEMU 7.2: a saved machine that is restored has lost the addresses of its device `edu`, without an error.
#
# Behaviour: the firmware gives the device (1234:11e8, the usual one for teaching and for tests of interrupts) an address
# in memory. After `migrate` and `-incoming`, which both complete, it has none and does not answer at the old one, while
# another PCI device of the same machine has kept its own.
# Matters: machines that start from a saved state are how kernels are tested quickly. A guest's driver goes on using the
# old address. A test that waits for this device can then hang, or report a fault of the kernel; the guest has to write
# the addresses back itself.
source "$(dirname "$0")/lib.sh"
debian_packages qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 qemu-system-data qemu-system-common seabios libaio1 libbpf1 \
  libcapstone4 libdaxctl1 libelf1 libfdt1 libglib2.0-0 libgnutls30 libibverbs1 libjpeg62-turbo libkmod2 libndctl6 \
  libnl-route-3-200 libnuma1 libpixman-1-0 libpmem1 libpng16-16 librdmacm1 libsasl2-2 libseccomp2 libslirp0 liburing2 \
  libvdeplug2

machine=("$folder/usr/bin/qemu-system-x86_64" -L "$folder/usr/share/seabios" -L "$folder/usr/share/qemu" -accel tcg
  -machine q35 -m 64 -nodefaults -display none -device edu -device pvpanic-pci -monitor stdio)
places() { # file
  for device in 1234:11e8 1b36:0011; do
    grep --text --after-context=4 "PCI device $device" "$1" | grep --text --only-matching \
      'BAR0: 32 bit memory at 0x[0-9a-f]*' | tail --lines=1 | sed "s/^/$device: /"
  done
}
have_places() { (($(places "$1" | grep --count --invert-match ffffffffffffffff) == 2)); }
completed() { grep --text --quiet 'Migration status: completed' "$1"; }
# Repeats a command of the monitor until its answers meet a condition, for at most a minute.
repeat_until() { # condition, file, command
  for ((tries = 0; tries < 120; tries++)); do
    echo "$3"
    sleep 0.5
    if "$1" "$2"; then return; fi
  done
  echo "QEMU never met the condition: $1" >&2
}
seen() { # title, file
  {
    grep --text --only-matching 'Migration status: [a-z]*' "$2" | tail --lines=1
    places "$2"
    # The first register of the device says what it is.
    grep --text --only-matching '00000000fea00000: [0-9A-Za-z ]*' "$2"
  } | sed "s/^/$1, /"
}
{
  repeat_until have_places "$folder/before" 'info pci'
  printf '%s\n' stop 'xp /1wx 0xfea00000' "migrate \"exec:cat > $folder/state\""
  repeat_until completed "$folder/before" 'info migrate'
  echo quit
} | "${machine[@]}" > "$folder/before"
{
  repeat_until completed "$folder/after" 'info migrate'
  printf '%s\n' 'info pci' 'xp /1wx 0xfea00000' quit
} | "${machine[@]}" -incoming "exec:cat $folder/state" > "$folder/after"
expect "saved, Migration status: completed
saved, 1234:11e8: BAR0: 32 bit memory at 0xfea00000
saved, 1b36:0011: BAR0: 32 bit memory at 0xfeb00000
saved, 00000000fea00000: 0x010000ed
restored, Migration status: completed
restored, 1234:11e8: BAR0: 32 bit memory at 0xffffffffffffffff
restored, 1b36:0011: BAR0: 32 bit memory at 0xfeb00000
restored, 00000000fea00000: Cannot access memory" "$(seen saved "$folder/before")
$(seen restored "$folder/after")"
