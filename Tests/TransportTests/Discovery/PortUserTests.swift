import Foundation
import Glibc
import TestSupport
import Testing
import Transport

/// Who may not open a node is told its group, and the rule that would mend it.
@Suite struct PortUserTests {
  private func user(in groups: Set<UInt32> = []) -> PortUser {
    PortUser(
      name: "owner", id: 4_000_000, groups: groups,
      groupName: { $0 == 0 ? "root" : "plugdev" }, members: { _ in [] })
  }

  @Test func `the words are those of the node as it is`() throws {
    let folder = try ScratchDirectory()
    let node = folder.path("node")
    #expect(FileManager.default.createFile(atPath: node, contents: nil))
    #expect(chmod(node, 0o660) == 0)
    let refusal = try #require(user().refusal(of: node))
    #expect(refusal.contains("make install-udev"))
    #expect(refusal.contains(getegid() == 0 ? "group root" : "usermod -aG plugdev owner"))
    #expect(user(in: [getegid()]).refusal(of: node) == nil)
    #expect(chmod(node, 0o666) == 0)
    #expect(user().refusal(of: node) == nil)
  }

  @Test func `a node that has gone refuses nobody`() {
    #expect(user().refusal(of: "/nonexistent/node") == nil)
  }

  @Test func `this process has a name and groups`() {
    let user = PortUser.current
    #expect(!user.name.isEmpty && user.id == geteuid() && user.groups.contains(getegid()))
    #expect(user.groupName(0) == "root")
    #expect(user.groupName(UInt32.max - 1) == nil && user.members(UInt32.max - 1).isEmpty)
  }
}
