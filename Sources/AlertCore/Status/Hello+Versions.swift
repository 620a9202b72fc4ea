public import WireProtocol

extension Hello {
  /// Why this host and a device have no version of the protocol in common; nil where they have.
  public var versionTrouble: String? {
    guard !(versionMin...max(versionMin, versionMax)).contains(FrameHead.version) else {
      return nil
    }
    return "it speaks protocol \(versionMin) to \(versionMax), this bridge \(FrameHead.version):"
      + " its presses raise the alarm, nothing else works; update one"
  }
}
