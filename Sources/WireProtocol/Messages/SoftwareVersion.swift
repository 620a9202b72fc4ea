/// Three bytes of HELLO.
public struct SoftwareVersion: Equatable, Sendable {
  public var major: UInt8
  public var minor: UInt8
  public var patch: UInt8

  public init(major: UInt8, minor: UInt8, patch: UInt8) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  init(_ r: inout ByteReader) { self.init(major: r.next(), minor: r.next(), patch: r.next()) }

  func write(to body: inout FrameBody) {
    body.append(major)
    body.append(minor)
    body.append(patch)
  }
}
