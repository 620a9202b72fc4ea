import Glibc

/// A library of others, compiled by scripts/bench.sh to a shared object of its own.
struct Peer {
  let name: String
  /// Unchecked since it is a pointer; it is only asked for entries, which dlsym(3) does from any
  /// thread, and never closed.
  private nonisolated(unsafe) let handle: UnsafeMutableRawPointer

  /// Nil where the folder is not given or does not hold the peer.
  init?(_ name: String, in folder: String?) {
    guard let folder, let handle = dlopen("\(folder)/\(name).so", RTLD_NOW | RTLD_LOCAL) else {
      return nil
    }
    self.name = name
    self.handle = handle
  }

  /// The entry of that name as a C function of type `F`, as Benchmarks/Peers declares it.
  func entry<F>(_ name: String, as type: F.Type) -> F? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}
