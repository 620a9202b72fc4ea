import Firmware
package import SerialIO

/// What carries out orders of lockstep and gives the bytes that each brought to the host.
package protocol LockstepTarget {
  mutating func carryOut(_ order: LockstepOrder) throws(IOFailure) -> [UInt8]
}

/// The firmware in this process, on a board in memory.
package struct LockstepEmulator: LockstepTarget {
  private var board: LockstepBoard?
  private var keychain: Keychain?

  /// With an empty store.
  package init() {}

  package mutating func carryOut(_ order: LockstepOrder) -> [UInt8] {
    switch order {
    case .boot(let boot):
      let store = board?.store ?? [UInt8](repeating: 0, count: LockstepBoard.storeSize)
      var board = LockstepBoard(boot, store: store)
      keychain = Keychain(booting: &board)
      self.board = board
    case .grant(let grant):
      for millisecond in 0..<grant.milliseconds {
        board?.tick()
        if millisecond == 0 { board?.take(grant) }
        poll()
      }
    }
    return board?.takeSent() ?? []
  }

  private mutating func poll() {
    precondition(board != nil, "the first order is a boot")
    _ = keychain?.poll(&board!)
  }
}
