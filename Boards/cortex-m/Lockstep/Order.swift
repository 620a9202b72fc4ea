/// What the host has ordered. Of a boot: nonce in two halves, and the reset cause. Of a grant:
/// milliseconds, bytes from the host, bytes from the GPS receiver.
struct Order {
  var isBoot: Bool
  var first: UInt16
  var second: UInt16
  var third: UInt16
  var isClosed: Bool
  var millivolts: UInt16
}
