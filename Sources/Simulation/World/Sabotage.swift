import AlertCore

/// Deliberate mistakes, for tests of the search: they stand between the machines and the world, and
/// do to what passes there what a mistake in a machine would have done.
protocol Sabotage: AnyObject {
  /// The firmware has been polled.
  func polled(_ keychain: SimulatedKeychain)
  func booted(_ keychain: SimulatedKeychain)
  /// A core is about to start on what its disk holds.
  func recovers(_ stored: inout StoredState, _ account: inout Account)
  /// A core is about to take an input; false: it never does.
  func hears(_ input: inout CoreInput, _ host: SimulatedHost) -> Bool
  /// A core has decided what follows from an input.
  func decided(_ output: inout CoreOutput, on input: CoreInput, _ host: SimulatedHost)
}
