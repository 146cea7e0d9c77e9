import Foundation
import Motion
import TestSupport
import Testing

@testable import ChunkDecoding

@Suite(.enabled(if: RealRecordings.exist, "../shared/datasets is missing"))
struct RealRecordingTests {
  /// Parses the text simply, as a reference.
  private func cells(_ url: URL, skipHeader: Bool) throws -> [[Double]] {
    let text = try String(contentsOf: url, encoding: .utf8)
    return text.split(whereSeparator: \.isNewline).dropFirst(skipHeader ? 1 : 0).map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
    }
  }

  @Test func watchGymMatchesAPlainParser() throws {
    let files = try RealRecordings.files("watch-gym/recordings")
    #expect(files.count == 86)
    var metric = 0
    for (number, url) in files.enumerated() {
      let file = try RecordingDecoder.decode(
        Array(Data(contentsOf: url)), fileName: url.lastPathComponent)
      let batch = try #require(file.chunks.first).samples
      #expect(batch.clock == .device)
      // Three of the files are in m/s², which only the length of gravity reveals.
      if batch.units.gravity == .metersPerSecondSquared { metric += 1 }
      #expect(batch.units.userAcceleration == batch.units.gravity)
      guard isFullRun || number % 8 == 0 else { continue }
      let rows = try cells(url, skipHeader: true)
      #expect(batch.count == rows.count)
      #expect(batch.times == rows.map { $0[0] })
      #expect(batch[.rotationRateX] == rows.map { $0[1] })
      #expect(batch[.gravityZ] == rows.map { $0[6] })
      #expect(batch[.userAccelerationY] == rows.map { $0[8] })
      #expect(batch[.quaternionZ] == rows.map { $0[13] })
    }
    #expect(metric == 3)
  }

  @Test func quaternionsGiveTheMeasuredGravity() throws {
    for url in try RealRecordings.files("watch-gym/recordings") {
      let file = try RecordingDecoder.decode(Array(Data(contentsOf: url)))
      let batch = try #require(file.chunks.first).samples.inStandardUnits()
      // The app's "standardised" exports are in m/s², with gravity pointing up.
      let sign = file.chunks[0].samples.units.gravity == .g ? 1.0 : -1.0
      var worst = 0.0
      for row in 0..<batch.count {
        let attitude = Attitude(
          w: batch[.quaternionW][row], x: batch[.quaternionX][row], y: batch[.quaternionY][row],
          z: batch[.quaternionZ][row])
        let gravity = attitude.gravity
        worst = max(
          worst, abs(sign * gravity.x - batch[.gravityX][row]),
          abs(sign * gravity.y - batch[.gravityY][row]),
          abs(sign * gravity.z - batch[.gravityZ][row]))
      }
      #expect(worst < 2e-5, "\(url.lastPathComponent): \(worst)")
    }
  }

  @Test func coreMotionRoundTripIsBitExact() throws {
    for url in try RealRecordings.files("coremotion") {
      let file = try RecordingDecoder.decode(Array(Data(contentsOf: url)))
      let batch = try #require(file.chunks.first).samples
      let rows = try cells(url, skipHeader: true)
      for (index, channel) in batch.channels.enumerated() {
        let expected = rows.map { $0[index].bitPattern }
        #expect(batch[channel].map(\.bitPattern) == expected)
      }
      #expect(batch.channels.count == 13)
    }
  }

  @Test func carawatchIsReadByItsColumnDescription() throws {
    let description = try Data(
      contentsOf: RealRecordings.folder.appending(path: "carawatch/recordings/columns.json"))
    let columns = try Array(description).withUnsafeBytes {
      (bytes) throws(DecodingFailure) in try ColumnDescription(json: bytes)
    }
    let files = try RealRecordings.files("carawatch/recordings")
    #expect(files.count == 218)
    for url in files {
      let bytes = Array(try Data(contentsOf: url))
      let file = try RecordingDecoder.decode(bytes, options: DecodingOptions(columns: columns))
      let chunk = try #require(file.chunks.first)
      #expect(chunk.samples.has(.totalAcceleration) && chunk.samples.has(.rotationRate))
      // Gravity and unit are recognized even without the description.
      let axes = MotionQuantity.totalAcceleration.channels
      let recognized = UnitRecognition.recognizeAcceleration(
        x: chunk.samples[axes[0]], y: chunk.samples[axes[1]], z: chunk.samples[axes[2]])
      #expect(
        recognized
          == UnitRecognition.Acceleration(unit: .metersPerSecondSquared, includesGravity: true))
      var reassembler = ChunkReassembler()
      reassembler.add(chunk)
      let result = reassembler.assemble(name: "x")
      #expect(result.statistics.samples + result.statistics.duplicateSamples == chunk.samples.count)
    }
  }

  @Test func gravityFilterFollowsTheWatch() throws {
    for url in try RealRecordings.files("watch-gym/recordings").prefix(20) {
      let file = try RecordingDecoder.decode(Array(Data(contentsOf: url)))
      let batch = try #require(file.chunks.first).samples.inStandardUnits()
      var blind = MotionBatch([.time: batch.times])
      let axes = zip(MotionQuantity.userAcceleration.channels, MotionQuantity.gravity.channels)
      for ((user, gravity), total) in zip(axes, MotionQuantity.totalAcceleration.channels) {
        blind[total] = zip(batch[user], batch[gravity]).map { $0 + $1 }
      }
      for channel in MotionQuantity.rotationRate.channels { blind[channel] = batch[channel] }
      let derived = blind.addingDerivedMotion()
      #expect(derived.estimated.isSuperset(of: MotionQuantity.gravity.channels))
      var dots: [Double] = []
      for row in 0..<batch.count {
        dots.append(
          MotionQuantity.gravity.channels.reduce(0) { $0 + derived[$1][row] * batch[$1][row] })
      }
      dots.sort()
      // The median angle between the two stays below 10 degrees.
      #expect(dots[dots.count / 2] > 0.985, "\(url.lastPathComponent) \(dots[dots.count / 2])")
    }
  }
}
