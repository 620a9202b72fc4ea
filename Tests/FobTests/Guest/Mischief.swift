import Testing

/// What a device on USB does that no keychain should.
enum Mischief: String, CaseIterable, CustomTestStringConvertible {
  case garbageDescriptors
  /// A configuration that says that it is longer than it is, with descriptors of no length in it.
  case wrongDescriptorLengths
  /// STALL to every request of a class or of a vendor.
  case stalledRequests
  /// STALL to every transfer of data.
  case stalledData
  /// Requests of a vendor are never answered.
  case silentRequests
  /// Transfers from the device never complete.
  case silentInput
  /// Bytes without end that are no frames.
  case noise
  /// Transfers from the device complete at once, with nothing in them.
  case emptyPackets
  /// More bytes than were asked for, each time.
  case overflow
  /// Requests of a class or of a vendor are answered by nothing.
  case shortAnswers
  /// Transfers to the device never complete: the kernel waits 30 s for them at closing.
  case silentOutput

  var testDescription: String { rawValue }
}
