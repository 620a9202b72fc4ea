import CPage
import NIOCore

/// The page: two documents and what they load, each at one address. Nothing is looked for on a
/// disk, so no address leads out of it. It is no part of the API, nor of the API's document.
struct PageFiles: Sendable {
  static let standard = PageFiles()

  /// By the path of its address.
  let files: [String: PageFile]

  private init() {
    var files: [String: PageFile] = [:]
    for index in 0..<cpage_file_count() {
      let file = cpage_file_at(index)
      let path = String(cString: file.path)
      let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
      files[Self.address(of: path)] = PageFile(path: path, bytes: ByteBuffer(bytes: bytes))
    }
    self.files = files
  }

  private static func address(of path: String) -> String {
    switch path {
    case "index.html": "/"
    case "bench.html": "/bench"
    default: "/page/\(path)"
    }
  }
}
