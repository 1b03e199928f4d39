//! Which hypervisor a machine runs under.

use crate::cpuinfo::line;
use crate::{Tree, Unfiled};

/// Returns the hypervisor; `unknown` if only the CPU's flag shows that there is one. On x86, the
/// processor says whether there is one; the maker's name does not, since makers of clouds also make
/// machines without a hypervisor.
pub(crate) fn of(tree: &Tree, cpuinfo: &str, unfiled: &Unfiled) -> Option<String> {
    let flags = line(cpuinfo, "flags");
    let flagged = flags.is_some_and(|flags| flags.split_whitespace().any(|f| f == "hypervisor"));
    if flagged || unfiled.architecture == "x86_64" {
        return unfiled.hypervisor.clone().or_else(|| flagged.then(|| "unknown".to_owned()));
    }
    let text = |path: &str| tree.text(path).seen();
    let dmi = |name: &str| text(&format!("/sys/class/dmi/id/{name}")).unwrap_or_default();
    let named = || virtual_maker(&dmi("sys_vendor"), &dmi("product_name")).map(str::to_owned);
    let by_tree = text("/proc/device-tree/hypervisor/compatible").map(|text| {
        text.split('\0').next().unwrap_or_default().trim_start_matches("linux,").to_uppercase()
    });
    let by_board = || is_virtual_board(tree).then(|| "unknown".to_owned());
    by_tree.or_else(|| text("/sys/hypervisor/type")).or_else(named).or_else(by_board)
}

/// Whether the device tree is that of the board which QEMU and other hypervisors made up.
fn is_virtual_board(tree: &Tree) -> bool {
    let names = ["model", "compatible"].map(|name| format!("/proc/device-tree/{name}"));
    let names = names.into_iter().filter_map(|file| tree.text(&file).seen());
    names.into_iter().any(|name| name.split('\0').any(|name| name == "linux,dummy-virt"))
}

/// Whether this machine says at all that it has no hypervisor: an x86 processor does, and elsewhere
/// the firmware.
pub(crate) fn is_visible(tree: &Tree, architecture: &str) -> bool {
    let dmi = ["sys_vendor", "product_name"].map(|name| format!("/sys/class/dmi/id/{name}"));
    architecture == "x86_64"
        || dmi.iter().all(|file| tree.exists(file))
        || (tree.exists("/proc/device-tree/model") && !tree.exists("/proc/device-tree/hypervisor"))
}

/// Makers of virtual machines, with what the names of such products contain.
const VIRTUAL: [(&str, &str); 10] = [
    ("QEMU", ""),
    ("KVM", ""),
    ("OpenStack", ""),
    ("VMware", ""),
    ("Xen", ""),
    ("innotek", ""),
    ("Parallels", ""),
    ("Microsoft", "Virtual Machine"),
    ("Amazon EC2", "."),
    ("Google", "Google Compute Engine"),
];

/// Returns the maker of a virtual machine, by the names of maker and product.
fn virtual_maker<'v>(vendor: &'v str, product: &str) -> Option<&'v str> {
    let is_one = |(maker, name): &(&str, &str)| vendor.contains(maker) && product.contains(name);
    let is_metal = product.ends_with(".metal") || product.contains("-metal");
    (!is_metal && VIRTUAL.iter().any(is_one)).then_some(vendor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maker_of_clouds_also_makes_machines_without_a_hypervisor() {
        for (vendor, product, is_virtual) in [
            ("Microsoft Corporation", "Virtual Machine", true),
            ("Microsoft Corporation", "Surface Pro X", false),
            ("Amazon EC2", "m6g.large", true),
            ("Amazon EC2", "m6g.metal", false),
            ("Google", "Google Compute Engine", true),
            ("Google", "Kukui", false),
            ("QEMU", "QEMU Virtual Machine", true),
            ("Dell Inc.", "PowerEdge", false),
        ] {
            let found = virtual_maker(vendor, product);
            assert_eq!(found, is_virtual.then_some(vendor), "{vendor} {product}");
        }
    }
}
