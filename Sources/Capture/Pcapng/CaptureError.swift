/// Why a capture file cannot be read on.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    case notPcapng
    case bigEndian
    case version(UInt16, UInt16)
    case blockLength(UInt32)
    case lengthsDiffer(UInt32, UInt32)
    case blockTooShort
    case tooManyInterfaces
    case linkType(UInt16)
    case timeResolution(UInt8)
    case option
    case unknownInterface(UInt32)
    case packetLength(UInt32)
    case noDirection
  }

  /// Of the block, in bytes from the beginning of the file.
  public let offset: UInt64
  public let reason: Reason

  /// What is wrong, where, and how to fix it, where there is one.
  public var description: String { "at byte \(offset): \(words)" }

  private var words: String {
    switch reason {
    case .notPcapng:
      "it is no pcapng file; give one that fob monitor --write has made"
    case .bigEndian:
      "it was written big endian, which is not read here; let editcap copy it on this machine"
    case .version(let major, let minor): "pcapng \(major).\(minor) is not known here, 1.0 is"
    case .blockLength(let length):
      "a block of \(length) bytes; it takes 12 to \(CaptureLimits.maxBlockSize), and whole fours"
    case .lengthsDiffer(let first, let second):
      "a block says \(first) bytes at its beginning and \(second) at its end"
    case .blockTooShort: "a block is too short for what it must hold"
    case .tooManyInterfaces: "more than \(CaptureLimits.interfaces) lines"
    case .linkType(let type):
      "a line has link type \(type); a keychain's has \(Pcapng.linkType) (USER0)"
    case .timeResolution(let resolution):
      "time resolution \(resolution) is not known here, 6 (µs) and 9 (ns) are"
    case .option: "an option is longer than its block"
    case .unknownInterface(let number): "a packet is of line \(number), which is not described"
    case .packetLength(let length): "a packet of \(length) bytes is longer than its block"
    case .noDirection: "a packet does not say which way it went (epb_flags)"
    }
  }
}
