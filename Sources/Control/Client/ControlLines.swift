import FobBase

/// The lines of a stream until a deadline, each waited for when it is asked for.
public struct ControlLines: Sequence, IteratorProtocol {
  let client: ControlClient
  let deadline: Instant

  public func next() -> String? { (try? client.nextLine(before: deadline)) ?? nil }
}
