/// A stretch of the way of one press, between two of its stamps (performance.md: t0 to t5).
public enum LatencyStage: String, Codable, CaseIterable, Sendable {
  /// t0 → tc, first edge until stored by the firmware: its own debounce time is in it.
  case debounce
  /// tc → t1, stored until the frame is written.
  case frame
  /// t1 → t2, frame written until the bridge's read has returned.
  case wire
  /// t2 → t3, read until the engine has decided.
  case decide
  /// t3 → t4, decided until durable.
  case durable
  /// What of it the processor works on the commit: the rest waits, most of it for the disk.
  case durableWork
  /// t4 → t5, durable until acked at the device.
  case ack
  /// t5 → the light says "accepted".
  case light
  /// t0 → t3.
  case pressToDecided
  /// t0 → t4.
  case pressToDurable
  /// t0 → the light says "accepted".
  case pressToLED
  /// t1 → t3: what the bridge is held to against a bare one-way in C.
  case writtenToDecided
  /// t1 → t4.
  case writtenToDurable

  /// The stages that follow each other, in order: the waterfall.
  public static let inOrder: [LatencyStage] = [
    .debounce, .frame, .wire, .decide, .durable, .ack, .light,
  ]
  /// The same, and of each what is known of its inside: no sum.
  static let single = inOrder.flatMap { $0 == .durable ? [$0, .durableWork] : [$0] }
  /// The sums that performance.md publishes.
  public static let sums: [LatencyStage] = [
    .pressToDecided, .pressToDurable, .pressToLED, .writtenToDecided, .writtenToDurable,
  ]
}
