public import AlertCore
import FobBase
import GRDB
import Glibc
import SerialIO

/// Opening what may be damaged, and saying so.
extension AlertStore {
  static func open(_ files: StoreFiles) throws -> (DatabasePool, DamageReport?) {
    try files.settle()
    let opening = StoreOpening(files: files)
    var report: DamageReport?
    let atRest: [String]
    do {
      atRest = try opening.damageAtRest()
    } catch let failure as IOFailure {
      atRest = [try files.damage(by: failure)]
    }
    if !atRest.isEmpty {
      try files.assureReadable()
      var salvage = Salvage(files, atRest)
      report = try salvage.run(losesAll: true)
    }
    try opening.makeWhereMissing()
    let database: DatabasePool
    do {
      database = try opening.open()
    } catch is DamageFound where report == nil {
      try files.assureReadable()
      // A read that failed once looks like damage, too.
      do {
        database = try opening.open()
      } catch let damage as DamageFound {
        var salvage = Salvage(files, damage.clauses)
        report = try salvage.run(losesAll: false)
        database = try opening.open()
      }
    }
    unlink(files.suspect)
    unlink(files.unreadable)
    if try !StoreFiles.exists(files.made) {
      try files.write(
        "fob keeps its state in fob.sqlite, and misses it where it is gone.\n", to: files.made)
    }
    return (database, report)
  }

  /// What somebody has to look at: damage that this opening or an earlier one found, until its
  /// note is taken away.
  public func damage() throws -> RecordsDamage? {
    let reports = DamageReport.all(in: files)
    guard var damage = RecordsDamage(reports), let wall = reports.last?.wall else { return nil }
    // From then on whoever is in need is known again.
    let opened = try reading("read incidents from") { db in
      try Int64.fetchOne(db, sql: "SELECT MAX(opened_wall) FROM incident") ?? .min
    }
    if opened > wall { damage.isAlarmInDoubt = false }
    return damage
  }

  /// The next opening looks at everything.
  func suspect(_ failure: StorageFailure) {
    guard failure.isDamage, (try? StoreFiles.exists(files.suspect)) == false else { return }
    try? files.write("\(failure)\n", to: files.suspect)
  }
}
