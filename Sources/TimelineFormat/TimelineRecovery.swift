import Motion

/// The intact parts of a damaged timeline.
package struct TimelineRecovery: Sendable {
  /// One defect.
  package struct Damage: Sendable, Hashable {
    /// The damaged section; nil for the container.
    package var section: TimelineSectionType?
    /// Rows of the lost samples, if only some are lost.
    package var rows: Range<Int>?
    package var error: TimelineError
  }

  /// The intact sections. Rows of lost blocks are left out of the samples. Phases are left out if rows were
  /// lost, since they refer to row numbers.
  package var timeline: Timeline
  /// Empty for an intact timeline.
  package var damage: [Damage]
  /// Number of samples that the timeline held, if known.
  package var storedSampleCount: Int?
}

extension TimelineDecoder {
  /// Reads the intact parts of a timeline, section by section, and the samples block by block. Repairs a
  /// single-bit error in the header or directory.
  package func recover(_ bytes: [UInt8]) -> TimelineRecovery {
    var result = TimelineRecovery(
      timeline: Timeline(samples: MotionBatch()), damage: [], storedSampleCount: nil)
    do throws(TimelineError) {
      let container: TimelineContainer
      do throws(TimelineError) {
        container = try TimelineContainer(bytes, limits: limits, allowsMissingEnd: true)
      } catch {
        guard let repaired = TimelineContainer.repairingHeader(of: bytes, limits: limits) else {
          throw error
        }
        container = repaired
        result.damage.append(.init(section: nil, rows: nil, error: error))
      }
      let bytes = container.bytes
      for entry in container.entries {
        do throws(TimelineError) {
          let range = try container.verifiedRange(of: entry)
          if entry.type == .samples {
            let layout = try SampleLayout(bytes, section: range, limits: limits)
            result.storedSampleCount = layout.sampleCount
          }
          try read(entry.type, bytes, range, into: &result.timeline)
        } catch {
          if entry.type == .samples, recoverBlocks(bytes, entry.range, into: &result) { continue }
          result.damage.append(.init(section: entry.type, rows: nil, error: error))
        }
      }
    } catch {
      result.damage.append(.init(section: nil, rows: nil, error: error))
    }
    let count = result.timeline.samples.count
    let lastRow = result.timeline.phases.last?.rows.upperBound ?? 0
    if count != result.storedSampleCount || lastRow > count { result.timeline.phases = [] }
    return result
  }

  /// Recovers the intact blocks of a section with checksums per block. Returns true if the index is readable.
  private func recoverBlocks(
    _ bytes: [UInt8], _ section: Range<Int>, into result: inout TimelineRecovery
  ) -> Bool {
    guard let layout = try? SampleLayout(bytes, section: section, limits: limits),
      layout.blocks.count > 1
    else { return false }
    result.storedSampleCount = layout.sampleCount
    let wanted = layout.columns.indices.filter { layout.columns[$0].channel != nil }
    var columns = [[Double]](repeating: [], count: wanted.count)
    for block in layout.blocks {
      do throws(TimelineError) {
        let decoded = try BlockDecoder.decode(bytes, block: block, layout: layout, columns: wanted)
        for index in decoded.indices { columns[index] += decoded[index] }
      } catch {
        result.damage.append(.init(section: .samples, rows: block.rows, error: error))
      }
    }
    result.timeline.samples = layout.batch(of: columns, at: wanted)
    return true
  }
}
