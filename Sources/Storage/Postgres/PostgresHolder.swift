import FobBase
import Glibc
import SerialIO

/// The state folder whose core holds a store, as the server's list of connections names it: by a
/// number that was drawn at random, and by one of its lock file and this host's boot, which no copy
/// of the folder has. Who has that file's lock knows that connections of this name are of a process
/// that has ended.
struct PostgresHolder {
  /// Drawn at random, 16 hexadecimal digits; it stands in `fob.server`.
  let id: String
  /// The `application_name` of connections that write.
  let name: String

  /// - Parameter files: of a folder whose lock this process has. Throws `IOFailure`.
  init(of files: StoreFiles) throws(IOFailure) {
    let lines = try files.serverNote()
    let id = lines.count == 2 ? Hex.bytes(lines[1]) ?? [] : []
    self.id = Hex.text(id.count == 8 ? id : (0..<8).map { _ in .random(in: 0 ... .max) })
    let lock = files.directory + "/lock"
    var status = stat()
    try Syscall.run("look at", lock) { lstat(lock, &status) }
    let place = "\(try BootID.current()) \(status.st_dev) \(status.st_ino)"
    let number = Array(place.utf8).withUnsafeBytes { CRC32C.of($0) }
    name = "fob \(self.id) \(Hex.text(UInt64(number), digits: 8))"
  }
}
