import CUSB
import FobBase
import Glibc
import SerialIO

/// A device's serial line by libusb: claimed, with the memory of all its transfers.
///
/// Sendable unchecked: `submit` runs under the lock of its line, every other call on one thread,
/// and libusb itself may be called from any.
final class LibUSBConnection: BulkConnection, @unchecked Sendable {
  let name: String
  private let line: CDCFunction
  private var handle: USBHandle?
  private let context: OpaquePointer
  private let pointer: OpaquePointer
  private let incoming: [UnsafeMutablePointer<libusb_transfer>]
  private let outgoing: UnsafeMutablePointer<libusb_transfer>
  /// The buffers of the transfers from the device, then the buffer of the transfer to it.
  private let memory: UnsafeMutableRawBufferPointer
  private unowned(unsafe) var receiver: (any BulkReceiver)?

  var outgoingPacket: Int { line.outgoingPacket }

  /// Opens a device, takes its line from the kernel's driver and raises DTR and RTS.
  init(_ address: USBAddress, node: String) throws(IOFailure) {
    let handle = try USBHandle(address, node: node)
    let line = try handle.serialLine()
    try handle.claim(line)
    let size = line.incomingPacket
    let room = Limits.hostTransmitBuffer
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: BulkPipe.incoming * size + room, alignment: 16)
    name = handle.name
    context = handle.context
    pointer = handle.pointer
    incoming = (0..<BulkPipe.incoming).map { _ in libusb_alloc_transfer(0) }
    outgoing = libusb_alloc_transfer(0)
    self.line = line
    self.memory = memory
    self.handle = consume handle
    for (slot, transfer) in incoming.enumerated() {
      prepare(transfer, line.incoming, at: slot * size, count: size)
    }
    prepare(outgoing, line.outgoing, at: BulkPipe.incoming * size, count: 0)
  }

  deinit { close(isUnplugged: false) }

  var polled: [pollfd] {
    guard let list = libusb_get_pollfds(context) else { return [] }
    defer { libusb_free_pollfds(list) }
    // libusb's timerfd would count only for transfers with a deadline; a line has none.
    var polled: [pollfd] = []
    var next = list
    while let entry = next.pointee {
      polled.append(pollfd(fd: entry.pointee.fd, events: entry.pointee.events, revents: 0))
      next += 1
    }
    return polled
  }

  func tell(_ receiver: any BulkReceiver) { self.receiver = receiver }

  func submit(_ submission: BulkSubmission, _ bytes: UnsafeRawBufferPointer) -> BulkResult? {
    switch submission {
    case .incoming(let slot): return submit(incoming[slot])
    case .outgoing(let count, let zeroPacket):
      UnsafeMutableRawBufferPointer(start: outgoing.pointee.buffer, count: count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      outgoing.pointee.length = Int32(count)
      outgoing.pointee.flags =
        zeroPacket ? UInt8(LIBUSB_TRANSFER_ADD_ZERO_PACKET.rawValue) : 0
      return submit(outgoing)
    }
  }

  func carryOut(_ order: BulkOrder) -> BulkResult {
    switch order {
    // A transfer that has come back meanwhile is told all the same.
    case .cancelIncoming(let slot): result(ofCode: libusb_cancel_transfer(incoming[slot]))
    case .cancelOutgoing: result(ofCode: libusb_cancel_transfer(outgoing))
    case .clearHalt(.incoming): result(ofCode: libusb_clear_halt(pointer, line.incoming))
    case .clearHalt(.outgoing): result(ofCode: libusb_clear_halt(pointer, line.outgoing))
    }
  }

  func handleEvents() -> Bool {
    var now = timeval(tv_sec: 0, tv_usec: 0)
    let code = libusb_handle_events_timeout_completed(context, &now, nil)
    return code == 0 || code == LIBUSB_ERROR_INTERRUPTED.rawValue
  }

  func close(isUnplugged: Bool) {
    guard let handle = handle.take() else { return }
    if !isUnplugged { handle.giveBack(line) }
    for transfer in incoming { libusb_free_transfer(transfer) }
    libusb_free_transfer(outgoing)
    memory.deallocate()
    _ = consume handle
  }

  func abandon() { handle.take()?.abandon() }

  // MARK: Transfers

  private func prepare(
    _ transfer: UnsafeMutablePointer<libusb_transfer>, _ endpoint: UInt8, at offset: Int,
    count: Int
  ) {
    libusb_fill_bulk_transfer(
      transfer, pointer, endpoint,
      (memory.baseAddress! + offset).assumingMemoryBound(to: UInt8.self),
      Int32(count),
      { transfer in
        guard let transfer, let owner = transfer.pointee.user_data else { return }
        Unmanaged<LibUSBConnection>.fromOpaque(owner).takeUnretainedValue().ended(transfer)
      }, Unmanaged.passUnretained(self).toOpaque(), 0)
  }

  private func ended(_ transfer: UnsafeMutablePointer<libusb_transfer>) {
    let count = Int(transfer.pointee.actual_length)
    let result = result(of: transfer.pointee.status)
    if transfer == outgoing {
      receiver?.sent(count, result)
    } else if let slot = incoming.firstIndex(of: transfer) {
      let bytes = UnsafeRawBufferPointer(start: transfer.pointee.buffer, count: count)
      receiver?.received(slot, bytes, result)
    }
  }

  private func submit(_ transfer: UnsafeMutablePointer<libusb_transfer>) -> BulkResult? {
    let result = result(ofCode: libusb_submit_transfer(transfer))
    return result == .done ? nil : result
  }

  private func result(of status: libusb_transfer_status) -> BulkResult {
    switch status {
    case LIBUSB_TRANSFER_COMPLETED: .done
    case LIBUSB_TRANSFER_CANCELLED: .cancelled
    case LIBUSB_TRANSFER_STALL: .stalled
    case LIBUSB_TRANSFER_NO_DEVICE: .gone
    case LIBUSB_TRANSFER_OVERFLOW: .overflowed
    default: .failed
    }
  }

  private func result(ofCode code: Int32) -> BulkResult {
    switch libusb_error(code) {
    case LIBUSB_SUCCESS: .done
    case LIBUSB_ERROR_NO_DEVICE: .gone
    case LIBUSB_ERROR_PIPE: .stalled
    default: .failed
    }
  }
}
