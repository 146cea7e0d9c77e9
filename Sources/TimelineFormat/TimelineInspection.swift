import Motion

/// The structure of a timeline, as printed by `reptrace inspect`.
package struct TimelineInspection: Sendable {
  package struct Section: Sendable {
    package var type: TimelineSectionType
    /// Offset from the timeline's first byte.
    package var offset: Int
    package var byteCount: Int
    package var checksum: UInt32
    /// The error of a damaged section; nil if its checksum matches.
    package var error: TimelineError?
  }

  package struct Column: Sendable {
    /// Nil for a channel that is unknown to this version.
    package var channel: MotionChannel?
    package var id: UInt8
    package var isEstimated: Bool
    /// Sum over all blocks.
    package var byteCount: Int
    /// Number of blocks per codec id.
    package var blocksPerCodec: [UInt8: Int]
  }

  /// Major and minor version of the format.
  package var version: (major: Int, minor: Int)
  package var byteCount: Int
  package var sections: [Section]
  /// This and the properties below are empty or nil if the samples section is missing or unreadable.
  package var sampleCount: Int?
  package var precision: TimelinePrecision?
  package var units: MotionUnits?
  package var clock: MotionClock?
  package var columns: [Column]
  package var blockCount: Int
  package var rowsPerBlock: Int

  /// Size of the whole timeline, container included, per sample.
  package var bytesPerSample: Double? {
    guard let sampleCount, sampleCount > 0 else { return nil }
    return Double(byteCount) / Double(sampleCount)
  }
}

extension TimelineBlob {
  /// Returns the structure of the timeline without decoding values.
  package func inspect() throws(TimelineError) -> TimelineInspection {
    let limits = TimelineLimits.reading(bytes.count)
    var result = TimelineInspection(
      version: (Int(bytes[8]), Int(bytes[9])), byteCount: bytes.count, sections: [],
      columns: [], blockCount: 0, rowsPerBlock: 0)
    for entry in container.entries {
      var section = TimelineInspection.Section(
        type: entry.type, offset: entry.range.lowerBound, byteCount: entry.range.count,
        checksum: entry.checksum)
      do throws(TimelineError) {
        let range = try container.verifiedRange(of: entry)
        if entry.type == .samples { try result.readSamples(bytes, range, limits: limits) }
      } catch {
        section.error = error
      }
      result.sections.append(section)
    }
    return result
  }
}

extension TimelineInspection {
  fileprivate mutating func readSamples(
    _ bytes: [UInt8], _ range: Range<Int>, limits: TimelineLimits
  ) throws(TimelineError) {
    let layout = try SampleLayout(bytes, section: range, limits: limits)
    sampleCount = layout.sampleCount
    precision = layout.precision
    units = layout.units
    clock = layout.clock
    blockCount = layout.blocks.count
    rowsPerBlock = layout.blocks.first?.rows.count ?? 0
    columns = layout.columns.map {
      Column(
        channel: $0.channel, id: $0.id, isEstimated: $0.isEstimated, byteCount: 0,
        blocksPerCodec: [:])
    }
    for block in layout.blocks {
      let parts = try BlockDecoder.parts(bytes, block: block, layout: layout)
      for (index, part) in parts.enumerated() {
        columns[index].byteCount += part.range.count
        columns[index].blocksPerCodec[part.codec, default: 0] += 1
      }
    }
  }
}
