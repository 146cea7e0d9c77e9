import Motion

/// What could be read of a damaged timeline.
package struct TimelineRecovery: Sendable {
  /// One thing that is wrong.
  package struct Damage: Sendable, Hashable {
    /// The section, nil for the container as a whole.
    package var section: TimelineSectionType?
    /// The rows of the samples that are lost, where only some are.
    package var rows: Range<Int>?
    package var error: TimelineError
  }

  /// What is intact. Rows of lost blocks are left out of its samples; phases are left out where
  /// rows were lost, since they count rows.
  package var timeline: Timeline
  /// Empty where all is well.
  package var damage: [Damage]
  /// The samples that the timeline held, as far as that can be known.
  package var storedSampleCount: Int?
}

extension TimelineDecoder {
  /// Reads what is intact: sections are judged one by one, and the samples block by block. A single
  /// bit that flipped in the header or the directory is put right.
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

  /// The blocks that have checksums of their own and are intact. Whether the index was readable.
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
        let decoded = try SampleBlock.decode(bytes, block: block, layout: layout, columns: wanted)
        for index in decoded.indices { columns[index] += decoded[index] }
      } catch {
        result.damage.append(.init(section: .samples, rows: block.rows, error: error))
      }
    }
    result.timeline.samples = layout.batch(of: columns, at: wanted)
    return true
  }
}
