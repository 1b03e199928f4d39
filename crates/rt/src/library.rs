//! Shared libraries that are loaded while the program runs: dlopen(3), dlsym(3).

use std::ffi::{c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::ptr;

use libloading::os::unix;

use crate::objects;
pub use crate::objects::{Place, is_of_program, place};

/// A shared library that stays loaded until the process ends.
///
/// It is never closed: a library's threads, thread-local data and handlers outlive dlclose(3),
/// which may also do nothing at all. Instead, each run has a separate process.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    opened: ManuallyDrop<unix::Library>,
}

impl Library {
    /// Loads a library with everything that it needs; other libraries do not see its names:
    /// `RTLD_NOW`, `RTLD_LOCAL`. The library's own initialisation code runs.
    ///
    /// # Errors
    /// Fails if the loader refuses it, or if this program is static and has no loader; the error is
    /// one line.
    pub fn open(path: &Path) -> Result<Self, String> {
        if cfg!(target_feature = "crt-static") {
            return Err(format!(
                "this static program cannot load libraries such as {}: use a build for the C \
                 library of this machine",
                path.display()
            ));
        }
        // The loader would look for a bare name in the folders of the system.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // SAFETY: the library's own code runs, which is what the caller requests. Nothing here
        // relies on what it does.
        let opened = unsafe { unix::Library::open(Some(&path), unix::RTLD_NOW | unix::RTLD_LOCAL) };
        match opened {
            Ok(opened) => Ok(Self { path, opened: ManuallyDrop::new(opened) }),
            Err(error) => Err(not_loaded(&path, &error)),
        }
    }

    /// Returns the file from which it was loaded.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the function of that name; `None` if the library does not have the name, or it is
    /// not code.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<Function> {
        // SAFETY: `Function::call` documents what is assumed of it.
        unsafe { self.symbol(name).map(Function) }
    }

    /// Writes the bytes of an exported variable of that name, whose size they must have: the file's
    /// table of symbols says it. Returns whether there is one.
    ///
    /// The library's own code must not run at the same time.
    pub fn set_variable(&self, name: &str, bytes: &[u8]) -> bool {
        // SAFETY: no type is assumed of what the name stands for; only its address is taken.
        let Ok(symbol) = (unsafe { self.opened.get::<*mut c_void>(name) }) else {
            return false;
        };
        let address = symbol.as_raw_ptr().cast::<u8>();
        // SAFETY: a variable of this size, by the file's table of symbols, in other memory.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), address, bytes.len()) };
        true
    }

    /// Returns the function of that name, as a function pointer of type `F`; `None` if the library
    /// has no code of that name.
    ///
    /// # Safety
    /// `F` must be a function pointer of the function's type.
    pub(crate) unsafe fn symbol<F: Copy>(&self, name: &str) -> Option<F> {
        // SAFETY: the caller guarantees the type.
        let symbol = unsafe { self.opened.get::<F>(name).ok()? };
        let function = *symbol;
        objects::is_code(symbol.as_raw_ptr() as usize).then_some(function)
    }
}

/// Returns the loader's own message, as one line that begins with the file.
fn not_loaded(path: &Path, error: &libloading::Error) -> String {
    use std::error::Error;
    let cause = error.source().unwrap_or(error).to_string();
    let file = path.display().to_string();
    let cause = cause.trim_start_matches(&format!("{file}: "));
    let cause = cause.lines().collect::<Vec<_>>().join(" ");
    let cause = missing(cause.trim()).or_else(|| without_python(&cause)).unwrap_or(cause);
    format!("{file} cannot be loaded: {cause}")
}

/// Suggests what to install, if the loader reports that a library is missing which this one needs.
fn missing(cause: &str) -> Option<String> {
    let (library, why) = cause.split_once(": ")?;
    let (name, version) = library.split_once(".so.")?;
    let is_missing = why.starts_with("cannot open shared object file") && !library.contains('/');
    // Debian policy, 8.1: a package is named after the library and its version.
    let hyphen = if name.ends_with(|end: char| end.is_ascii_digit()) { "-" } else { "" };
    let package = format!("{name}{hyphen}{version}").to_lowercase().replace('_', "-");
    is_missing.then(|| {
        format!("it needs {library}, which is not installed; install it (Debian package {package})")
    })
}

/// Suggests how to load a library that uses Python's functions and does not name their library.
fn without_python(cause: &str) -> Option<String> {
    let (_, symbol) = cause.split_once("undefined symbol: ")?;
    let is_of_python = symbol.starts_with("Py") || symbol.starts_with("_Py");
    is_of_python.then(|| {
        let found = python_library().unwrap_or_else(|| "libpython3.N.so.1.0".to_owned());
        format!(
            "it needs Python's library and does not name it ({symbol} is undefined); load that before \
             it: LD_PRELOAD={found} (Debian package libpython3.N, of the Python that its packages are for)"
        )
    })
}

/// Returns a library of Python of this machine, the one with the highest version.
fn python_library() -> Option<String> {
    let folders = [
        format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH),
        "/usr/lib64".to_owned(),
        "/usr/local/lib".to_owned(),
    ];
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let names = files.flatten().map(|file| file.path().display().to_string());
    let version = |path: &str| {
        let (_, rest) = path.split_once("/libpython3.")?;
        rest.strip_suffix(".so.1.0")?.parse::<u32>().ok()
    };
    names.filter(|path| version(path).is_some()).max_by_key(|path| version(path))
}

/// A function of a library that takes no arguments, or those of a program's `main`.
#[derive(Debug, Clone, Copy)]
pub struct Function(Called);

/// Its arguments fill the registers that the calling conventions of Linux have for them.
#[rustfmt::skip]
type Called = unsafe extern "C" fn(
    c_int, *const *const c_char, usize, usize, usize, usize,
    f64, f64, f64, f64, f64, f64, f64, f64,
) -> c_int;

impl Function {
    /// Calls it with an empty argument list, passed as to a program's `main`, and zero as every
    /// further argument: with the calling conventions of Linux, a function may ignore arguments, and
    /// a return value is in a register. Returns that value, which means nothing unless the function
    /// returns an `int`. What the library does is outside of our control, as it was during loading.
    #[inline]
    pub fn call(self) -> c_int {
        let end: *const c_char = ptr::null();
        // SAFETY: as above; the list of arguments is empty and terminated.
        unsafe { (self.0)(0, &raw const end, 0, 0, 0, 0, 0., 0., 0., 0., 0., 0., 0., 0.) }
    }

    /// The address of its first instruction.
    #[must_use]
    pub fn address(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::models;

    #[test]
    fn a_missing_library_is_named_with_its_package() {
        let said = "libgfortran.so.3: cannot open shared object file: No such file or directory";
        let why = missing(said).unwrap();
        assert!(why.contains("libgfortran.so.3") && why.contains("package libgfortran3)"), "{why}");
        assert_eq!(missing("undefined symbol: plant_step"), None);
        let python = without_python("undefined symbol: _Py_NoneStruct").unwrap();
        assert!(python.contains("LD_PRELOAD=") && python.contains("_Py_NoneStruct"), "{python}");
        assert_eq!(without_python("undefined symbol: plant_step"), None);
    }

    fn refused(path: &Path) -> String {
        Library::open(path).unwrap_err()
    }

    #[test]
    fn a_library_that_cannot_be_loaded_says_why_in_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plant.so");
        let error = refused(&file);
        assert!(error.contains("plant.so cannot be loaded: "), "{error}");
        std::fs::write(&file, "no library").unwrap();
        let error = refused(&file);
        assert_eq!((error.matches("plant.so").count(), error.lines().count()), (1, 1), "{error}");
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
    }

    #[test]
    fn an_address_has_a_library_an_offset_and_a_symbol() {
        let library = Library::open(&models::library(&[])).unwrap();
        let step = library.function("plant_step").unwrap();
        let place = place(step.address() + 1).unwrap();
        assert_eq!(place.library, library.path());
        assert_eq!(place.symbol, Some("plant_step+1".to_owned()));
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let first = maps.lines().find(|line| line.ends_with(library.path().to_str().unwrap()));
        let (start, _) = first.unwrap().split_once('-').unwrap();
        let start = usize::from_str_radix(start, 16).unwrap();
        assert_eq!(place.offset, step.address() + 1 - start);
        assert_eq!(super::place(8), None);
    }
}
