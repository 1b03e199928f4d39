#!/usr/bin/env bash
# QEMU 7.2: a saved machine that is restored has lost the addresses of its device `edu`, without an error.
#
# Behaviour: the firmware gives the device (1234:11e8, the usual one for teaching and for tests of interrupts) a place in
# memory. After `migrate` and `-incoming`, which both succeed, it has none, while another PCI device of the same machine
# has kept its own. A guest's driver goes on using the old place, and interrupts from the device never arrive.
# Matters: machines that start from a saved state are how kernels are tested quickly. A test that waits for this device
# then hangs, or reports a fault of the kernel; the guest has to write the addresses back itself.
source "$(dirname "$0")/lib.sh"
debian_packages qemu-system-x86=1:7.2+dfsg-7+deb12u18+b3 qemu-system-data qemu-system-common seabios libaio1 libbpf1 \
  libcapstone4 libdaxctl1 libelf1 libfdt1 libglib2.0-0 libgnutls30 libibverbs1 libjpeg62-turbo libkmod2 libndctl6 \
  libnl-route-3-200 libnuma1 libpixman-1-0 libpmem1 libpng16-16 librdmacm1 libsasl2-2 libseccomp2 libslirp0 liburing2 \
  libvdeplug2

machine=("$folder/usr/bin/qemu-system-x86_64" -L "$folder/usr/share/seabios" -L "$folder/usr/share/qemu" -accel tcg
  -machine q35 -m 64 -nodefaults -display none -device edu -device pvpanic-pci -monitor stdio)
places() { # title, file
  for device in 1234:11e8 1b36:0011; do
    grep --text --after-context=4 "PCI device $device" "$2" | grep --text --only-matching --max-count=1 \
      'BAR0: 32 bit memory at 0x[0-9a-f]*' | sed "s/^/$1, $device: /"
  done
}
{
  sleep 10
  printf '%s\n' stop 'info pci' "migrate \"exec:cat > $folder/state\""
  sleep 5
  echo quit
} | "${machine[@]}" > "$folder/before"
{
  sleep 3
  printf '%s\n' 'info pci' quit
} | "${machine[@]}" -incoming "exec:cat $folder/state" > "$folder/after"
expect "saved, 1234:11e8: BAR0: 32 bit memory at 0xfea00000
saved, 1b36:0011: BAR0: 32 bit memory at 0xfeb00000
restored, 1234:11e8: BAR0: 32 bit memory at 0xffffffffffffffff
restored, 1b36:0011: BAR0: 32 bit memory at 0xfeb00000" "$(places saved "$folder/before")
$(places restored "$folder/after")"
