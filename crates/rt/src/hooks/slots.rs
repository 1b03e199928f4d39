//! The slots through which a loaded object calls functions of other objects: the relocations that
//! its dynamic section lists (System V ABI, chapter 5; the processor's supplement).

use std::ffi::CStr;
use std::ops::Range;
use std::slice;

use rustix::mm::{MprotectFlags, mprotect};

use crate::objects::Object;

const DT_NULL: i64 = 0;
const DT_PLTRELSZ: i64 = 2;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_RELA: i64 = 7;
const DT_RELASZ: i64 = 8;
const DT_JMPREL: i64 = 23;

/// The types `R_*_GLOB_DAT` and `R_*_JUMP_SLOT`.
#[cfg(target_arch = "x86_64")]
const ADDRESSES: [u64; 2] = [6, 7];
#[cfg(target_arch = "aarch64")]
const ADDRESSES: [u64; 2] = [1025, 1026];

#[repr(C)]
struct Dynamic {
    tag: i64,
    value: usize,
}

#[repr(C)]
struct Relocation {
    offset: usize,
    info: u64,
    addend: i64,
}

#[repr(C)]
struct Symbol {
    name: u32,
    info: u8,
    other: u8,
    section: u16,
    value: usize,
    size: u64,
}

/// A slot that contains the address of the function `name`.
pub(super) struct Slot<'a> {
    pub name: &'a CStr,
    /// Whether the object itself has a function of that name.
    pub is_own: bool,
    at: *mut usize,
    is_read_only: bool,
}

impl Slot<'_> {
    /// Returns the address in the slot.
    pub(super) fn target(&self) -> usize {
        // SAFETY: the loader keeps a word there as long as the object.
        unsafe { self.at.read_volatile() }
    }

    /// Stores another address. If the loader has made the page read-only, it is read-only again
    /// afterwards.
    pub(super) fn set(&self, target: usize) {
        let page = rustix::param::page_size();
        let start = (self.at as usize / page * page) as *mut libc::c_void;
        let writable = MprotectFlags::READ | MprotectFlags::WRITE;
        // SAFETY: the page contains only slots of the loader. If it stays read-only, nothing is
        // written.
        unsafe {
            if self.is_read_only && mprotect(start, page, writable).is_err() {
                return;
            }
            self.at.write_volatile(target);
            if self.is_read_only {
                let _ = mprotect(start, page, MprotectFlags::READ);
            }
        }
    }
}

/// Returns all slots of an object.
pub(super) fn of(object: &Object) -> Vec<Slot<'static>> {
    let Some(tables) = Tables::of(object) else {
        return Vec::new();
    };
    let both = [tables.calls, tables.others].into_iter().flatten();
    both.filter_map(|relocation| tables.slot(object, relocation)).collect()
}

struct Tables {
    symbols: *const Symbol,
    names: usize,
    calls: &'static [Relocation],
    others: &'static [Relocation],
}

impl Tables {
    fn of(object: &Object) -> Option<Self> {
        let dynamic = object.dynamic?;
        let entry = |tag: i64| {
            let entries = (0..).map(|at| dynamic + at * size_of::<Dynamic>());
            // SAFETY: the section ends with a null entry, and exists as long as the object, which
            // is never unloaded here.
            let entries = entries.map(|at| unsafe { &*(at as *const Dynamic) });
            let mut entries = entries.take_while(|entry| entry.tag != DT_NULL);
            entries.find(|entry| entry.tag == tag).map(|entry| entry.value)
        };
        // The loader has relocated most of these addresses to this process, but not all.
        let address = |tag| {
            let value = entry(tag)?;
            Some(if value < object.bias { value + object.bias } else { value })
        };
        let table = |start, bytes| {
            let (start, bytes) = (address(start)?, entry(bytes)?);
            let count = bytes / size_of::<Relocation>();
            // SAFETY: the object itself states where its table is and how long.
            Some(unsafe { slice::from_raw_parts(start as *const Relocation, count) })
        };
        Some(Self {
            symbols: address(DT_SYMTAB)? as *const Symbol,
            names: address(DT_STRTAB)?,
            calls: table(DT_JMPREL, DT_PLTRELSZ).unwrap_or_default(),
            others: table(DT_RELA, DT_RELASZ).unwrap_or_default(),
        })
    }

    fn slot(&self, object: &Object, relocation: &Relocation) -> Option<Slot<'static>> {
        if !ADDRESSES.contains(&(relocation.info & 0xffff_ffff)) {
            return None;
        }
        // SAFETY: a relocation refers to a symbol of the object's table, and the symbol to a name
        // in its strings; both exist as long as the object.
        let (symbol, name) = unsafe {
            let symbol = &*self.symbols.add((relocation.info >> 32) as usize);
            let name = (self.names + symbol.name as usize) as *const libc::c_char;
            (symbol, CStr::from_ptr(name))
        };
        let at = object.bias.wrapping_add(relocation.offset);
        let is_within = |range: &Range<usize>| range.contains(&at);
        Some(Slot {
            name,
            is_own: symbol.section != 0,
            at: at as *mut usize,
            is_read_only: object.read_only.as_ref().is_some_and(is_within),
        })
    }
}
