import Firmware

@c(runKeychain)
public func runKeychain() {
  var board = LockstepBoard()
  let keychain = KeychainMemory.boot(&board)
  board.sayDone()
  while true {
    let order = GrantPort.next()
    var left = order.first
    var isFirst = true
    while left > 0 {
      board.tick()
      if isFirst { board.take(order) }
      isFirst = false
      _ = keychain.pointee.poll(&board)
      left -= 1
    }
    board.sayDone()
  }
}
