import Bench
import Bridge

extension LatencySample {
  /// All that the bridge knows of a press, in place of what stood there.
  mutating func take(_ stages: PressStages) {
    (edge, stored, written) = (stages.edge, stages.stored, stages.written)
    (read, decided, durable) = (stages.read, stages.decided, stages.durable)
    (acked, lit, uncertainty) = (stages.acked, stages.lit, stages.uncertainty)
  }
}
