import Glibc

extension DeviceSpec {
  /// The same line by a path that holds in every process: from the root on, without links in its
  /// folder. As it is where the folder is not there, and where a line has no path.
  package var resolved: DeviceSpec {
    switch kind {
    case .pty(let path): DeviceSpec(.pty(path: Self.resolved(path)))
    case .serial(let path, let settings): DeviceSpec(.serial(path: Self.resolved(path), settings))
    case .unix(let path): DeviceSpec(.unix(path: Self.resolved(path)))
    case .tcp, .tty, .usb, .memory: self
    }
  }

  /// The last part stays: a pty's name is a link, which leads elsewhere with each run.
  private static func resolved(_ path: String) -> String {
    let cut = path.lastIndex(of: "/")
    let folder = cut.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard let real = realpath(folder, nil) else { return path }
    defer { free(real) }
    let name = cut.map { path[path.index(after: $0)...] } ?? path[...]
    let root = String(cString: real)
    return (root == "/" ? "" : root) + "/" + name
  }
}
