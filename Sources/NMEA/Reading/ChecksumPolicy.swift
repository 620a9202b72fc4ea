/// What becomes of a sentence without a checksum. A wrong one is refused whatever the policy.
public enum ChecksumPolicy: Sendable {
  /// It is refused: in the logs of real receivers that this was held against, every sentence
  /// without a checksum is a torn sentence.
  case required
  /// It is accepted when it ends with a line end: for receivers set to send none. A sentence that
  /// lost its checksum on the way is then believed, too.
  case optional
}
