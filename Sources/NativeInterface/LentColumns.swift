import CRepTrace
import Motion
import TextFormats

/// The columns of samples, lent to C.
final class LentColumns: Sendable {
  private let columns: [LentValues<Double>?]

  init(_ samples: MotionBatch) {
    columns = MotionChannel.allCases.map { channel in
      samples.has(channel) ? LentValues(samples[channel]) : nil
    }
  }

  func write(
    _ channel: reptrace_channel, to values: UnsafeMutablePointer<UnsafePointer<Double>?>,
    _ count: UnsafeMutablePointer<Int>
  ) throws {
    try require(
      columns.indices.contains(Int(channel)),
      "channel is \(channel); expected 0 to \(REPTRACE_CHANNEL_COUNT - 1)")
    values.pointee = columns[Int(channel)]?.pointer
    count.pointee = columns[Int(channel)]?.count ?? 0
  }
}

extension JSONObjectText {
  /// Adds a caller's metadata of samples.
  mutating func addFacts(of samples: MotionBatch, identity: SetIdentity, unixTime: Double?) {
    var units = JSONObjectText()
    for quantity in MotionQuantity.allCases where quantity != .quaternion {
      units.add("\(quantity)", .text(samples.units.symbol(of: quantity)))
    }
    let origin = samples.times.first.map { $0 / samples.units.time.unitsPerSecond }
    add([
      "samples": .number(samples.count), "origin": .json(origin.map { "\($0)" }),
      "clock": .text(samples.clock.name), "units": .json(units.text),
      "unixTime": .exact(unixTime), "sessionId": .text(identity.sessionId),
      "exerciseId": .text(identity.exerciseId), "setId": .text(identity.setId),
    ])
  }
}

extension PhaseSpan {
  /// Returns `[[firstRow, rowCount, "rest"], …]`.
  static func json(_ spans: [PhaseSpan], firstRow: Int = 0) -> String {
    JSONObjectText.array(
      spans.map { span in
        "[\(firstRow + span.rows.lowerBound),\(span.rows.count),\"\(span.phase.rawValue)\"]"
      })
  }
}
