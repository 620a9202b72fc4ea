import SerialIO

/// Where a keychain of a fleet is on the thread that it shares.
struct FleetMembership: Sendable {
  let thread: FleetThread
  let member: Int
  let line: DeviceSpec
  /// Where a host of this process comes in; nil for a line that is the kernel's.
  let endpoint: MemoryEndpoint?
}
