//! The memory layout of this process: the program and its libraries, as the loader lists them
//! (dl_iterate_phdr(3)), and the nearest symbol names (dladdr(3)).

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::process::THIS_PROGRAM;

/// The library and symbol to which an address of this process belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file of the library, or of the program itself.
    pub library: PathBuf,
    /// The offset in the file, as addr2line(1) and objdump(1) count it.
    pub offset: usize,
    /// The nearest exported name before it and the distance from there, as `name+12`.
    pub symbol: Option<String>,
}

/// Finds the library and symbol at an address; `None` outside of the program and its libraries.
/// Allocates, and takes the loader's lock: not for measured code.
#[must_use]
pub fn place(address: usize) -> Option<Place> {
    find(|object| {
        object.segment(address)?;
        Some(Place { library: object.path(), offset: address - object.bias, symbol: None })
    })
    .map(|place| Place { symbol: symbol(address), ..place })
}

/// Whether there is code at that address.
pub(crate) fn is_code(address: usize) -> bool {
    find(|object| object.segment(address).map(|segment| segment.is_code)).unwrap_or(false)
}

/// The program or a library, where it is loaded.
pub(crate) struct Object<'a> {
    name: &'a CStr,
    /// The offset that is added to an address of the file.
    pub bias: usize,
    segments: Vec<Segment>,
    /// The address of its dynamic section.
    pub dynamic: Option<usize>,
    /// The part that the loader made read-only after relocation.
    pub read_only: Option<Range<usize>>,
}

/// A part that is loaded, and whether it may be executed.
struct Segment {
    range: Range<usize>,
    is_code: bool,
}

impl Object<'_> {
    fn segment(&self, address: usize) -> Option<&Segment> {
        let holds = |segment: &&Segment| segment.range.contains(&address);
        self.segments.iter().find(holds)
    }

    /// Whether that address is inside the object.
    pub(crate) fn holds(&self, address: usize) -> bool {
        self.segment(address).is_some()
    }

    /// Whether it is the program itself, which has no name.
    pub(crate) fn is_program(&self) -> bool {
        self.name.is_empty()
    }

    /// Iterates over the address ranges of its code.
    pub(crate) fn code(&self) -> impl Iterator<Item = Range<usize>> {
        let code = self.segments.iter().filter(|segment| segment.is_code);
        code.map(|segment| segment.range.clone())
    }

    /// Returns its file.
    pub(crate) fn path(&self) -> PathBuf {
        match self.name.to_bytes() {
            [] => std::fs::read_link(THIS_PROGRAM).unwrap_or_default(),
            name => PathBuf::from(OsStr::from_bytes(name)),
        }
    }
}

/// Returns whether an address is inside the program itself.
#[must_use]
pub fn is_of_program(address: usize) -> bool {
    find(|object| (object.is_program() && object.holds(address)).then_some(())).is_some()
}

/// Calls `look` for each object.
pub(crate) fn each(mut look: impl FnMut(&Object)) {
    find(|object| {
        look(object);
        None::<()>
    });
}

/// Returns the first value that `look` finds, going through the objects in order.
fn find<T, F: FnMut(&Object) -> Option<T>>(look: F) -> Option<T> {
    let mut search = (look, None);
    let data = (&raw mut search).cast::<c_void>();
    // SAFETY: `visit` gets this pointer back with its real type, while `search` lives.
    unsafe { libc::dl_iterate_phdr(Some(visit::<T, F>), data) };
    search.1
}

unsafe extern "C" fn visit<T, F: FnMut(&Object) -> Option<T>>(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    data: *mut c_void,
) -> c_int {
    // SAFETY: only `find` passes this pointer, with its own data; the loader's entry is valid here.
    let (info, (look, found)) = unsafe { (&*info, &mut *data.cast::<(F, Option<T>)>()) };
    let bias = info.dlpi_addr as usize;
    // SAFETY: the loader reports how many headers there are.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let range = |header: &libc::Elf64_Phdr| {
        let start = bias.wrapping_add(header.p_vaddr as usize);
        start..start.wrapping_add(header.p_memsz as usize)
    };
    let of_type = |kind| headers.iter().filter(move |header| header.p_type == kind);
    let first = |kind| of_type(kind).next().map(range);
    let segment = |header: &libc::Elf64_Phdr| Segment {
        range: range(header),
        is_code: header.p_flags & libc::PF_X != 0,
    };
    let name = match info.dlpi_name.is_null() {
        true => c"",
        // SAFETY: the loader keeps this string as long as the object.
        false => unsafe { CStr::from_ptr(info.dlpi_name) },
    };
    *found = look(&Object {
        name,
        bias,
        segments: of_type(libc::PT_LOAD).map(segment).collect(),
        dynamic: first(libc::PT_DYNAMIC).map(|section| section.start),
        read_only: first(libc::PT_GNU_RELRO),
    });
    c_int::from(found.is_some())
}

fn symbol(address: usize) -> Option<String> {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: looks the address up without accessing it, and fills `info` if it returns anything
    // other than 0.
    let info = unsafe {
        match libc::dladdr(address as *const c_void, info.as_mut_ptr()) {
            0 => return None,
            _ => info.assume_init(),
        }
    };
    let name: *const c_char = info.dli_sname;
    if name.is_null() {
        return None;
    }
    // SAFETY: the string is in the library's own table, and libraries are never unloaded.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    Some(match address - info.dli_saddr as usize {
        0 => name.into_owned(),
        distance => format!("{name}+{distance}"),
    })
}
