/// What a person deleted from a recording, so that it stays deleted when the recording comes
/// again: the numbers of samples, and nothing of what was in them.
public struct DeletedSamples: Sendable, Hashable {
  /// The key of the set that was deleted, or else of the recording.
  public typealias Key = RecordKey<DeletedSamples>

  /// Nil where it is the recording itself.
  var setKey: HistorySetRow.Key?
  var firstSample: Int
  /// Nil: all that follow.
  var endSample: Int?

  /// Whether it is the whole of a recording, however long.
  var isWhole: Bool { firstSample == 0 && endSample == nil }

  /// The rows of a recording that has so many.
  func rows(of count: Int) -> Range<Int> {
    // A store may hold any number.
    let first = min(max(firstSample, 0), count)
    return first..<min(max(endSample ?? count, first), count)
  }
}
