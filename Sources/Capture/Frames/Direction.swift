/// Which way bytes went over a line.
public enum Direction: String, Hashable, Sendable {
  case toHost = "host"
  case toDevice = "device"
}
