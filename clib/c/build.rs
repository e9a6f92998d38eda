//! Names the shared library's interface: programs look for this name, so that a later version with another interface can
//! lie beside it. Below 1.0 each minor version is one.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmneme.so.{major}.{minor}");
}
