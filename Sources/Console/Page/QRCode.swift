import CQRencode
import Glibc
public import SerialIO

/// A QR code of a short text, by libqrencode.
public struct QRCode: Sendable {
  /// Light modules around it, which ISO/IEC 18004 asks for.
  private static let margin = 4

  /// Modules of a side.
  public let size: Int
  private let modules: [Bool]

  /// At level M, in the fewest modules.
  /// - Parameter text: ASCII without a NUL.
  /// - Throws: `IOFailure` where it has no place in a code, or no memory is left.
  public init(_ text: String) throws(IOFailure) {
    guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
      throw IOFailure("make", errno: errno, path: "a QR code")
    }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    let data = code.pointee.data
    self.size = size
    modules = (0..<size * size).map { index in (data?[index] ?? 0) & 1 == 1 }
  }

  /// Whether the module is dark; those around the code are light.
  public subscript(x: Int, y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
  }

  /// An image of its own: a square for each dark module, its side a unit.
  public var svg: String {
    let side = size + 2 * Self.margin
    var path = ""
    for y in 0..<size {
      for x in 0..<size where self[x, y] {
        path += "M\(x + Self.margin) \(y + Self.margin)h1v1h-1z"
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" \
      shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(side)v\(side)H0z"/>\
      <path d="\(path)"/></svg>
      """
  }

  /// Lines for a terminal, two rows of modules each. A light module is drawn, a dark one is not.
  public var lines: [String] {
    let range = -Self.margin..<size + Self.margin
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
      String(
        range.map { x in
          // Below the last row nothing is drawn.
          switch (self[x, y], self[x, y + 1] || y + 1 == range.upperBound) {
          case (false, false): "\u{2588}"
          case (false, true): "\u{2580}"
          case (true, false): "\u{2584}"
          case (true, true): " "
          }
        })
    }
  }
}
