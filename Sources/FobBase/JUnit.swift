#if !hasFeature(Embedded)
  /// What ran, as the XML that CI servers read of JUnit's.
  package enum JUnit {
    /// One test.
    package struct Case {
      /// How it ended.
      package enum Verdict {
        case passed
        /// Why it did not run; nil: nothing is said.
        case skipped(String?)
        /// What was wrong, and what more is known of it.
        case failed(String, more: String = "")
      }

      let group: String
      let name: String
      let took: Interval
      let verdict: Verdict

      /// - Parameters:
      ///   - group: the `classname`.
      ///   - name: the test's own.
      ///   - took: how long it ran.
      ///   - verdict: how it ended.
      package init(_ group: String, _ name: String, took: Interval, _ verdict: Verdict) {
        self.group = group
        self.name = name
        self.took = took
        self.verdict = verdict
      }
    }

    /// Tests that belong together.
    package struct Suite {
      let name: String
      let file: String?
      let took: Interval
      let cases: [Case]

      /// - Parameters:
      ///   - name: what they are of.
      ///   - file: where they are written; nil: in the program.
      ///   - took: how long all ran; nil: as long as each of them together.
      ///   - cases: in their order.
      package init(_ name: String, file: String? = nil, took: Interval? = nil, _ cases: [Case]) {
        self.name = name
        self.file = file
        self.took = took ?? cases.reduce(.zero) { $0 + $1.took }
        self.cases = cases
      }
    }

    /// The whole document.
    /// - Parameter isCounted: its root has the numbers of all suites, too.
    package static func document(_ name: String, _ suites: [Suite], isCounted: Bool) -> String {
      let all = Suite(
        "", took: suites.reduce(.zero) { $0 + $1.took }, suites.flatMap(\.cases))
      let counts = isCounted ? " \(all.counts)" : ""
      let lines =
        [
          #"<?xml version="1.0" encoding="UTF-8"?>"#,
          "<testsuites name=\"\(XML.escape(name))\"\(counts)>",
        ] + suites.flatMap(\.lines) + ["</testsuites>"]
      return lines.joined(separator: "\n") + "\n"
    }

    fileprivate static func seconds(_ interval: Interval) -> String {
      let ms = max(0, interval.microseconds / 1_000)
      let thousandths = String(ms % 1_000)
      return "\(ms / 1_000)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
    }
  }

  extension JUnit.Suite {
    fileprivate var counts: String {
      var failed = 0
      var skipped = 0
      for one in cases {
        switch one.verdict {
        case .passed: break
        case .skipped: skipped += 1
        case .failed: failed += 1
        }
      }
      return "tests=\"\(cases.count)\" failures=\"\(failed)\" errors=\"0\""
        + " skipped=\"\(skipped)\" time=\"\(JUnit.seconds(took))\""
    }

    fileprivate var lines: [String] {
      let place = file.map { " file=\"\(XML.escape($0))\"" } ?? ""
      return ["  <testsuite name=\"\(XML.escape(name))\"\(place) \(counts)>"]
        + cases.flatMap(\.lines) + ["  </testsuite>"]
    }
  }

  extension JUnit.Case {
    fileprivate var lines: [String] {
      let begin =
        "    <testcase classname=\"\(XML.escape(group))\" name=\"\(XML.escape(name))\""
        + " time=\"\(JUnit.seconds(took))\""
      let inside: String
      switch verdict {
      case .passed: return [begin + "/>"]
      case .skipped(let reason):
        inside = "skipped" + (reason.map { " message=\"\(XML.escape($0))\"" } ?? "") + "/>"
      case .failed(let reason, let more):
        let head = "failure message=\"\(XML.escape(reason))\""
        inside = more.isEmpty ? head + "/>" : "\(head)>\(XML.escape(more))</failure>"
      }
      return [begin + ">", "      <\(inside)", "    </testcase>"]
    }
  }
#endif
