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
    guard columns.indices.contains(Int(channel)) else {
      throw Failure.invalidArgument(
        "channel is \(channel); expected 0 to \(REPTRACE_CHANNEL_COUNT - 1)")
    }
    values.pointee = columns[Int(channel)]?.pointer
    count.pointee = columns[Int(channel)]?.count ?? 0
  }
}

extension JSONObjectText {
  /// Adds a caller's facts about samples besides their columns.
  mutating func addFacts(of samples: MotionBatch, identity: SetIdentity, unixTime: Double?) {
    add("samples", samples.count)
    if let first = samples.times.first {
      add("origin", json: "\(first / samples.units.time.unitsPerSecond)")
    }
    add("clock", samples.clock.name)
    var units = JSONObjectText()
    for quantity in MotionQuantity.allCases where quantity != .quaternion {
      units.add("\(quantity)", samples.units.symbol(of: quantity))
    }
    add("units", json: units.text)
    if let unixTime, unixTime.isFinite { add("unixTime", json: "\(unixTime)") }
    if let id = identity.sessionId { add("sessionId", id) }
    if let id = identity.exerciseId { add("exerciseId", id) }
    if let id = identity.setId { add("setId", id) }
  }
}

extension PhaseSpan {
  /// Returns `[[firstRow, rowCount, "rest"], …]`.
  static func json(_ spans: [PhaseSpan], firstRow: Int = 0) -> String {
    let parts = spans.map { span in
      "[\(firstRow + span.rows.lowerBound),\(span.rows.count),\"\(span.phase.rawValue)\"]"
    }
    return "[" + parts.joined(separator: ",") + "]"
  }
}
