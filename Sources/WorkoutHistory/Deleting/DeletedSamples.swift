/// A range of samples that a person deleted from a recording. They stay deleted when it arrives again.
package struct DeletedSamples: Sendable, Hashable, Decodable {
  /// The key of the deleted set, or else of the recording.
  package typealias Key = RecordKey<DeletedSamples>

  /// Nil if the recording itself was deleted.
  package var setKey: HistorySetRow.Key?
  package var firstSample: Int
  /// End of the range; nil for the end of the recording.
  package var endSample: Int?

  package var isWhole: Bool { firstSample == 0 && endSample == nil }

  /// Returns the part of the range in a segment that it overlaps, relative to the segment's first sample.
  package func counted(from first: Int) -> DeletedSamples {
    DeletedSamples(
      setKey: setKey, firstSample: max(firstSample, first) - first,
      endSample: endSample.map { $0 - first })
  }

  func rows(of count: Int) -> Range<Int> {
    // A store may contain arbitrary numbers.
    let first = min(max(firstSample, 0), count)
    return first..<min(max(endSample ?? count, first), count)
  }
}
