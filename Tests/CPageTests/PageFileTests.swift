import CPage
import Foundation
import TestSupport
import Testing

/// What the program has in it is the folder of the page.
struct PageFileTests {
  private static let folder = Repository.root.appending(path: "Sources/CPage/page")

  private func embedded() -> [String: Data] {
    var files: [String: Data] = [:]
    for index in 0..<cpage_file_count() {
      let file = cpage_file_at(index)
      files[String(cString: file.path)] = Data(bytes: file.bytes, count: file.count)
    }
    return files
  }

  private func there() throws -> [String: Data] {
    let prefix = Self.folder.path + "/"
    let walk = try #require(
      FileManager.default.enumerator(
        at: Self.folder, includingPropertiesForKeys: [.isRegularFileKey]))
    var files: [String: Data] = [:]
    for case let url as URL in walk
    where try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
      files[String(url.path.dropFirst(prefix.count))] = try Data(contentsOf: url)
    }
    return files
  }

  @Test func `each file of the page is in the program, byte for byte, and nothing else is`() throws
  {
    let (embedded, there) = (embedded(), try there())
    #expect(
      embedded.keys.sorted() == there.keys.sorted(),
      "run scripts/page-files.sh: the list of files is another")
    for (path, bytes) in there {
      #expect(embedded[path] == bytes, "\(path) is not as it was built: build again")
    }
    #expect(cpage_file_count() == embedded.count)
    #expect(embedded["index.html"]?.isEmpty == false && embedded["bench.html"]?.isEmpty == false)
  }
}
