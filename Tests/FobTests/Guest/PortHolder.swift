import Glibc
import Testing

/// A port held open by another process than the bridge: its number stays taken when the device goes,
/// and the next one that is plugged in gets another.
final class PortHolder {
  private var child: pid_t = 0

  init(_ path: String) throws {
    // Opened without waiting for a carrier; what is opened is what `cat` has as its input.
    let words = ["/bin/sh", "-c", "exec sleep 600 0<>\(path)"]
    var argv = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    try #require(posix_spawn(&child, words[0], nil, nil, &argv, environ) == 0)
  }

  func release() {
    guard child != 0 else { return }
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    child = 0
  }

  deinit { release() }
}
