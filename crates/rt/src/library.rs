//! Shared libraries that are loaded while the program runs: dlopen(3), dlsym(3).

use std::ffi::{CString, c_char, c_int};
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::ptr;

use libloading::os::unix;

use crate::objects;
pub use crate::objects::{Place, place};

/// A shared library that stays loaded until the process ends.
///
/// It is never closed: a library's threads, thread-local data and handlers outlive dlclose(3),
/// which may also do nothing at all. Each run has a process of its own instead.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    opened: ManuallyDrop<unix::Library>,
}

/// Why a library cannot be loaded, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotLoaded(String);

impl fmt::Display for NotLoaded {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotLoaded {}

impl Library {
    /// Loads a library with all that it needs, whose names no other library sees: `RTLD_NOW`,
    /// `RTLD_LOCAL`. What it does when it is loaded, it does.
    ///
    /// # Errors
    /// Where the loader refuses it, or this program is static and has no loader: one line.
    pub fn open(path: &Path) -> Result<Self, NotLoaded> {
        if cfg!(target_feature = "crt-static") {
            return Err(NotLoaded(format!(
                "this static program cannot load libraries such as {}: take a build for the C \
                 library of this machine",
                path.display()
            )));
        }
        // A bare name would be looked for in the folders of the system.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // SAFETY: the library's own code runs, which is what the caller asks for. Nothing
        // here relies on what it does.
        let opened = unsafe { unix::Library::open(Some(&path), unix::RTLD_NOW | unix::RTLD_LOCAL) };
        let opened = opened.map_err(|error| not_loaded(&path, &error))?;
        let opened = ManuallyDrop::new(opened);
        Ok(Self { path, opened })
    }

    /// The file that it was loaded from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it lies in the memory of this process, from its first byte to behind its last one;
    /// `None` where the loader does not tell.
    #[must_use]
    pub fn range(&self) -> Option<Range<usize>> {
        objects::range_of(&self.path)
    }

    /// The function of that name. `None` where the library has none, or something of that name
    /// that is no code.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<Function> {
        // SAFETY: `Function::call` says what is assumed of it.
        unsafe { self.symbol(name).map(Function) }
    }

    /// The function of that name, as a function pointer of the type asked for; `None` where the
    /// library has no code of that name.
    ///
    /// # Safety
    /// `F` must be a function pointer, of the type that the function has.
    pub(crate) unsafe fn symbol<F: Copy>(&self, name: &str) -> Option<F> {
        let name = CString::new(name).ok()?;
        // SAFETY: the caller knows the type.
        let symbol = unsafe { self.opened.get::<F>(name.as_c_str()).ok()? };
        let function = *symbol;
        objects::is_code(symbol.as_raw_ptr() as usize).then_some(function)
    }
}

/// The loader's own words, in one line that begins with the file.
fn not_loaded(path: &Path, error: &libloading::Error) -> NotLoaded {
    use std::error::Error;
    let cause = error.source().unwrap_or(error).to_string();
    let file = path.display().to_string();
    let cause = cause.trim_start_matches(&format!("{file}: "));
    let cause = cause.lines().collect::<Vec<_>>().join(" ");
    NotLoaded(format!("{file} cannot be loaded: {cause}"))
}

/// A function of a library that takes nothing, or the arguments of a program.
#[derive(Debug, Clone, Copy)]
pub struct Function(unsafe extern "C" fn(c_int, *const *const c_char));

impl Function {
    /// Calls it with no arguments, told as a program's `main` is: the calling conventions of Linux
    /// leave it to a function not to look, and one that returns something returns it in a
    /// register. What the library does is its own affair, as it was when it was loaded.
    #[inline]
    pub fn call(self) {
        let end: *const c_char = ptr::null();
        // SAFETY: as above; the list of arguments is empty and ends.
        unsafe { (self.0)(0, &raw const end) };
    }

    /// Where its first instruction lies.
    #[must_use]
    pub fn address(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::models;

    fn refused(path: &Path) -> String {
        Library::open(path).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_loaded_says_why_in_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plant.so");
        let told = refused(&file);
        assert!(told.contains("plant.so cannot be loaded: "), "{told}");
        std::fs::write(&file, "no library").unwrap();
        let told = refused(&file);
        assert_eq!(told.matches("plant.so").count(), 1, "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(refused(Path::new("with\0zero")).contains("cannot be loaded"));
    }

    #[test]
    fn functions_are_found_by_name_and_called() {
        let library = Library::open(&models::library(&[])).unwrap();
        let function = |name: &str| library.function(name);
        let step = function("plant_step").unwrap();
        function("plant_initialize").unwrap().call();
        step.call();
        function("plant_terminate").unwrap().call();
        assert!(function("plant_step7").is_none());
        assert!(function("plant_Y").is_none(), "it is data");
        assert!(function("with\0zero").is_none());
        let range = library.range().unwrap();
        assert!(range.contains(&step.address()));
    }

    #[test]
    fn an_address_has_a_library_an_offset_and_a_symbol() {
        let library = Library::open(&models::library(&[])).unwrap();
        let step = library.function("plant_step").unwrap();
        let place = place(step.address() + 1).unwrap();
        assert_eq!(place.library, library.path());
        assert_eq!(place.symbol, Some("plant_step+1".to_owned()));
        let start = library.range().unwrap().start;
        assert_eq!(place.offset, step.address() + 1 - start);
        assert_eq!(super::place(8), None);
    }

    #[test]
    fn two_rates_have_a_function_each() {
        let library = Library::open(&models::library(&[("RATES", "2")])).unwrap();
        let found = ["plant_step", "plant_step0", "plant_step1"].map(|n| library.function(n));
        assert_eq!(found.map(|found| found.is_some()), [false, true, true]);
    }
}
