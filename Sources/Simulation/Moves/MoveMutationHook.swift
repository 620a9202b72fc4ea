import AlertCore
import WireProtocol

/// Puts deliberate mistakes into a world of moves, for tests of the search.
protocol MoveMutationHook: AnyObject {
  /// A batch is one side of a move; true: it does not wait for the other side.
  func isApart() -> Bool
  /// A move is decided; false: the account that has had the presses does not hear of it.
  func gives() -> Bool
  /// An account was asked to take presses: whether it has.
  func takes(_ isMoving: inout Bool)
  /// An account is about to claim a keychain of which others have heard this.
  func claims(_ heard: inout [EventIdentity])
  /// Presses may be open in an account whose keychain they are not; false: nobody looks.
  func looks(atStart: Bool) -> Bool
  /// A move is about to be decided; true: whether anybody would be told of it does not count.
  func asksNobody() -> Bool
}
