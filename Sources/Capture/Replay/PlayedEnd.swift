/// What an end that is played cannot say from its capture: answers to what is asked now, and the
/// parts of a frame that belong to the other run.
protocol PlayedEnd: Sendable {
  /// Whether playing may begin.
  var isReady: Bool { get }
  /// What is said before the first step, once it is ready.
  mutating func begin() -> [FrameEdit]
  /// - Parameters:
  ///   - position: where in the capture the playing is, in microseconds.
  /// - Returns: what is answered at once.
  mutating func heard(_ frame: DescribedFrame, body: [UInt8], position: Int64) -> [FrameEdit]
  /// - Returns: the frame as it is said now; nil for one that is answered as asked, or not at all.
  mutating func adapted(_ frame: DescribedFrame, body: [UInt8]) -> FrameEdit?
}

extension ReplayScript {
  func makeEnd() -> any PlayedEnd {
    switch end {
    case .device: PlayedDevice(line)
    case .host: PlayedHost(line)
    }
  }
}
