public import FobBase

/// What came of a command.
public enum EmulatorAnswer: Hashable, Sendable {
  case done
  case event(EventNumber)
  case state(EmulatorState)
  case lightTrace([LightEdge])
}
