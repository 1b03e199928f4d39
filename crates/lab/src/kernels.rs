//! The lab's kernels.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rt::folder;

use crate::change::{Change, Parts};
use crate::kernel::release;
use crate::module::Module;
use crate::requirements::MOST_PARAMETERS;
use crate::{Architecture, Archive, Kernel, LabError, Offer, boot_image, deb, overlay};

/// The folder in which the lab keeps its kernels.
#[derive(Debug, Clone)]
pub struct Kernels {
    lab: PathBuf,
}

#[derive(Debug, Clone)]
pub struct NewKernel {
    pub name: String,
    /// The path of a boot image, or the name of a kernel of the lab, optionally with parameters.
    pub kernel: String,
    /// Module files, in the order in which they are to be loaded, after those that a kernel of the
    /// lab already has.
    pub modules: Vec<PathBuf>,
    /// A folder whose content is added to the initrd.
    pub overlay: Option<PathBuf>,
    /// Kernel parameters; may be empty.
    pub append: String,
    /// Whether it may replace a kernel with this name.
    pub replace: bool,
}

impl Kernels {
    /// Opens the user's lab: `$STEADFAST_LAB`, or else `$XDG_DATA_HOME/steadfast/lab`, or else
    /// `~/.local/share/steadfast/lab`. It need not exist yet.
    ///
    /// # Errors
    /// If none of these variables is set.
    pub fn open() -> Result<Self, LabError> {
        let lab = folder(|name| env::var_os(name)).ok_or(LabError::NoFolder)?;
        Ok(Self::at(&lab))
    }

    pub fn at(lab: &Path) -> Self {
        Self { lab: lab.to_owned() }
    }

    /// Lists all kernels by name; for each damaged one, the error with its remedy.
    ///
    /// # Errors
    /// If the lab cannot be read.
    pub fn list(&self) -> Result<Vec<Result<Kernel, LabError>>, LabError> {
        let names = self.names()?;
        Ok(names.iter().map(|name| self.load(name)).collect())
    }

    /// Finds a kernel by its name, optionally followed by temporary parameters:
    /// `NAME+PARAM[=VALUE]...`, such as `debian-6.1+preempt=full+threadirqs`.
    ///
    /// # Errors
    /// If it does not exist, or its image is not the one that was registered.
    pub fn find(&self, text: &str) -> Result<Kernel, LabError> {
        let (name, parameters) = text
            .split_once('+')
            .map_or((text, vec![]), |(name, rest)| (name, rest.split('+').collect()));
        if !parameters.iter().all(|parameter| is_parameter(parameter)) {
            return Err(LabError::BadParameter(text.to_owned()));
        }
        if !self.has(name) {
            return Err(LabError::Unknown { name: name.to_owned(), known: self.names()? });
        }
        let kernel = self.load(name)?;
        kernel.read_image()?;
        let kernel = kernel.with_parameters(&parameters.join(" "));
        check_append(&kernel.append)?;
        Ok(Kernel { name: text.to_owned(), ..kernel })
    }

    /// Adds a kernel; the lab keeps copies of all its files.
    ///
    /// # Errors
    /// If the name is invalid or taken, the file is not a kernel, or the lab cannot be written.
    pub fn add(&self, new: &NewKernel) -> Result<Kernel, LabError> {
        check_name(&new.name)?;
        check_append(&new.append)?;
        let change = Change::begin(&self.lab)?;
        if self.has(&new.name) && !new.replace {
            return Err(LabError::Exists(new.name.clone()));
        }
        let mut parts = self.parts(new)?;
        add_modules(&mut parts, &new.modules)?;
        if let Some(folder) = &new.overlay {
            parts.overlay = Some(overlay::check(folder, &self.lab)?);
        }
        change.place(&parts, &self.place(&new.name))?;
        self.load(&new.name)
    }

    /// Opens the lab's copy of the lists of Debian's archive for an architecture, once no other
    /// process uses it.
    ///
    /// # Errors
    /// If the lab cannot be written.
    pub fn archive(&self, architecture: &'static Architecture) -> Result<Archive, LabError> {
        Archive::open(&self.lab, architecture)
    }

    /// Returns the kernel of the offered series, if the lab's version is as new as the offer.
    ///
    /// # Errors
    /// If a kernel that was added by hand has its name, or the lab cannot be read.
    pub fn fetched(&self, offer: &Offer) -> Result<Option<Kernel>, LabError> {
        let name = offer.kernel_name();
        if !self.has(&name) {
            return Ok(None);
        }
        let kernel = self.load(&name)?;
        match &kernel.package {
            None => Err(LabError::AddedByHand(name)),
            Some(here) if offer.package.is_newer_than(here) => Ok(None),
            Some(_) => Ok(Some(kernel)),
        }
    }

    /// Downloads a kernel's packages, and extracts the kernel and its modules; the system is not changed.
    ///
    /// # Errors
    /// If they cannot be downloaded or used, or the lab cannot be written.
    pub fn fetch(&self, archive: &Archive, offer: &Offer) -> Result<Kernel, LabError> {
        let name = offer.kernel_name();
        let change = Change::begin(&self.lab)?;
        let files = archive.download(offer, &change.folder)?;
        let parts = Parts { package: Some(offer.package.clone()), ..deb::read(&files)? };
        change.place(&parts, &self.place(&name))?;
        self.load(&name)
    }

    /// # Errors
    /// If it does not exist, or the lab cannot be written.
    pub fn remove(&self, name: &str) -> Result<(), LabError> {
        if !self.has(name) {
            return Err(LabError::Unknown { name: name.to_owned(), known: self.names()? });
        }
        Change::begin(&self.lab)?.take_away(&self.place(name))
    }

    /// Reads the parts of a new kernel. A kernel of the lab takes precedence over a file of the
    /// same name, which can be written with `./`.
    fn parts(&self, new: &NewKernel) -> Result<Parts, LabError> {
        let name = new.kernel.split('+').next().unwrap_or_default();
        if !self.has(name) {
            let file = Path::new(&new.kernel);
            if !file.exists() {
                return Err(LabError::NoKernelFile(new.kernel.clone()));
            }
            let why_not = |why| LabError::NotAKernel { path: file.to_owned(), why };
            let parts = Parts::of(boot_image::read(file)?).map_err(why_not)?;
            return Ok(Parts { append: new.append.clone(), ..parts });
        }
        let kernel = self.find(&new.kernel)?.with_parameters(&new.append);
        Ok(Parts {
            image: kernel.read_image()?,
            architecture: kernel.architecture,
            modules: kernel.read_modules()?,
            configuration: kernel.read_configuration()?,
            overlay: kernel.overlay,
            append: kernel.append,
            package: kernel.package,
        })
    }

    fn names(&self) -> Result<Vec<String>, LabError> {
        let folder = self.lab.join("kernels");
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
            entries => entries.map_err(LabError::file(&folder))?,
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| self.has(name))
            .collect();
        names.sort();
        Ok(names)
    }

    fn has(&self, name: &str) -> bool {
        check_name(name).is_ok() && self.place(name).is_dir()
    }

    fn load(&self, name: &str) -> Result<Kernel, LabError> {
        Kernel::load(&self.lab, name)
    }

    fn place(&self, name: &str) -> PathBuf {
        Kernel::place(&self.lab, name)
    }
}

fn folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let own = folder::named(&variable, "STEADFAST_LAB");
    own.or_else(|| Some(folder::data(&variable)?.join("lab")))
}

/// Adds these module files, each of which must be for this kernel and must not be there already.
fn add_modules(parts: &mut Parts, files: &[PathBuf]) -> Result<(), LabError> {
    let version = parts.version();
    for path in files {
        let module = Module::read(path, parts.architecture, release(&version))?;
        if parts.modules.iter().any(|other| other.file_name == module.file_name) {
            return Err(LabError::NotAModule {
                path: path.clone(),
                why: format!("this kernel already has a module {}", module.file_name),
            });
        }
        parts.modules.push(module);
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), LabError> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_valid = begins_well && name.len() <= 64 && name.chars().all(is_allowed);
    if is_valid { Ok(()) } else { Err(LabError::BadName(name.to_owned())) }
}

/// Checks kernel parameters. What follows a lone `--` is for the first process, and a command line
/// of x86 ends after 2047 bytes, of which the lab needs some.
fn check_append(append: &str) -> Result<(), LabError> {
    let is_line = !append.chars().any(char::is_control);
    let is_kernels = append.split_whitespace().all(|word| word != "--");
    let is_valid = is_line && is_kernels && append.len() <= MOST_PARAMETERS;
    if is_valid { Ok(()) } else { Err(LabError::BadAppend(append.to_owned())) }
}

fn is_parameter(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\'');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labs_own_variable_takes_precedence_over_the_users_folders() {
        let (lab, home) = (("STEADFAST_LAB", "/lab"), ("HOME", "/home/me"));
        let data = |folder| ("XDG_DATA_HOME", folder);
        let at_home = "/home/me/.local/share/steadfast/lab";
        for (set, expected) in [
            (&[lab, data("/data"), home][..], Some("/lab")),
            (&[data("/data"), home], Some("/data/steadfast/lab")),
            (&[home], Some(at_home)),
            (&[data("data"), home], Some(at_home)),
            (&[], None),
        ] {
            let found = folder(|name| {
                let (_, value) = set.iter().find(|(variable, _)| *variable == name)?;
                Some(OsString::from(value))
            });
            assert_eq!(found, expected.map(PathBuf::from));
        }
    }

    #[test]
    fn names_are_short_and_plain() {
        for good in ["debian-6.1-rt", "7", "my_kernel.2"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        let long = "a".repeat(65);
        for bad in ["", ".", "..", "-rt", "a/b", "a b", "a+b", "ä", &long] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
