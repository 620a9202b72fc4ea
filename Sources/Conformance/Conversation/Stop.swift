/// Why a case ended before its last step.
package enum Stop: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device did not do what the protocol demands.
  case failed(String)
  /// It cannot be found out on this rig.
  case untested(String)
  /// Nothing at all is heard, or nothing that is a frame: no further case is worth a try.
  case silent(String)

  package var description: String {
    switch self {
    case .failed(let text), .untested(let text), .silent(let text): text
    }
  }
}
