import Motion

/// The structure of a timeline: what `reptrace inspect` prints.
package struct TimelineInspection: Sendable {
  package struct Section: Sendable {
    package var type: TimelineSectionType
    /// Bytes from the timeline's first byte.
    package var offset: Int
    package var byteCount: Int
    package var checksum: UInt32
    /// What is wrong with it, nil where its checksum matches.
    package var error: TimelineError?
  }

  package struct Column: Sendable {
    /// Nil for a channel that this version does not know.
    package var channel: MotionChannel?
    package var id: UInt8
    package var isEstimated: Bool
    /// Over all blocks.
    package var byteCount: Int
    /// The ids of the codecs used, with the number of blocks that use them.
    package var blocksPerCodec: [UInt8: Int]
  }

  /// The format's version, major and minor.
  package var version: (major: Int, minor: Int)
  package var byteCount: Int
  package var sections: [Section]
  /// What follows is empty or nil where the samples section is missing or unreadable.
  package var sampleCount: Int?
  package var precision: TimelinePrecision?
  package var units: MotionUnits?
  package var clock: MotionClock?
  package var columns: [Column]
  package var blockCount: Int
  package var rowsPerBlock: Int

  /// All bytes of the timeline, container included, by sample.
  package var bytesPerSample: Double? {
    guard let sampleCount, sampleCount > 0 else { return nil }
    return Double(byteCount) / Double(sampleCount)
  }
}

extension TimelineBlob {
  /// The structure of the timeline. Decodes no values.
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
      let parts = try SampleBlock.parts(bytes, block: block, layout: layout)
      for (index, part) in parts.enumerated() {
        columns[index].byteCount += part.range.count
        columns[index].blocksPerCodec[part.codec, default: 0] += 1
      }
    }
  }
}
