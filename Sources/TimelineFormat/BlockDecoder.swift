import Motion

/// Decodes columns of a block of samples, each once and after its dependencies.
struct BlockDecoder {
  private let bytes: [UInt8]
  private let block: SampleLayout.Block
  private let layout: SampleLayout
  private let parts: [ColumnPart]
  private var decoded: [[Double]?]
  private var direction: GravityDirection?

  /// - Throws: ``TimelineError`` if the block's bytes do not match its checksum or its head.
  private init(
    _ bytes: [UInt8], block: SampleLayout.Block, layout: SampleLayout
  ) throws(TimelineError) {
    if let checksum = block.checksum, CRC32C.checksum(bytes, in: block.range) != checksum {
      throw .checksumMismatch(place: "block of \(block.name)")
    }
    self.bytes = bytes
    self.block = block
    self.layout = layout
    parts = try Self.parts(bytes, block: block, layout: layout)
    decoded = Array(repeating: nil, count: layout.columns.count)
  }

  /// Codec and position of a column.
  struct ColumnPart {
    var codec: UInt8
    var range: Range<Int>
  }

  /// Returns codecs and positions of a block's columns, in the layout's order.
  static func parts(
    _ bytes: [UInt8], block: SampleLayout.Block, layout: SampleLayout
  ) throws(TimelineError) -> [ColumnPart] {
    var reader = ByteReader(bytes, range: block.range, place: "block of \(block.name)")
    var heads: [(UInt8, Int)] = []
    for _ in layout.columns { heads.append((try reader.uint8(), try reader.varint())) }
    var parts: [ColumnPart] = []
    for (codec, length) in heads {
      parts.append(ColumnPart(codec: codec, range: try reader.skip(length)))
    }
    try reader.requireEnd()
    return parts
  }

  /// Decodes columns of a block, given by their indices in the layout.
  static func decode(
    _ bytes: [UInt8], block: SampleLayout.Block, layout: SampleLayout, columns: [Int]
  ) throws(TimelineError) -> [[Double]] {
    var decoder = try BlockDecoder(bytes, block: block, layout: layout)
    var decoded: [[Double]] = []
    for index in columns { decoded.append(try decoder.column(index)) }
    return decoded
  }

  /// Returns the values of one of the layout's columns.
  private mutating func column(_ index: Int) throws(TimelineError) -> [Double] {
    if let values = decoded[index] { return values }
    let part = parts[index]
    let place = place(of: index)
    let channel = layout.columns[index].channel
    let values: [Double]
    switch ColumnCodec(rawValue: part.codec) {
    case .derivedGravity:
      guard let channel, channel.quantity == .gravity, layout.units.gravity == .g else {
        throw .malformed(place: place, reason: "not a column of gravity in g")
      }
      let axis = Int(channel.rawValue - MotionChannel.gravityX.rawValue)
      values = try DerivedGravity.decode(
        bytes, payload: part.range, direction: try gravityDirection(place: place)[axis],
        place: place)
    case .accelerationLattice:
      guard let channel, channel.quantity == .userAcceleration, layout.units.userAcceleration == .g
      else { throw .malformed(place: place, reason: "not a column of user acceleration in g") }
      let axis = Int(channel.rawValue - MotionChannel.userAccelerationX.rawValue)
      values = try AccelerationLattice.decode(
        bytes, payload: part.range, direction: try gravityDirection(place: place)[axis],
        place: place)
    case let codec? where codec.isQuantized:
      let head = try QuantizedHead(
        bytes, codec: codec, payload: part.range, count: block.rows.count, place: place)
      if channel?.quantity == .attitude, head.column.predictor == .rotation {
        try decodeAttitude(place: place)
        return decoded[index] ?? []
      }
      values = try head.decode(bytes, count: block.rows.count, place: place)
    default:
      values = try EncodedColumn.decode(
        codec: part.codec, bytes, payload: part.range, count: block.rows.count, place: place)
    }
    decoded[index] = values
    return values
  }

  private func place(of index: Int) -> String {
    let name = layout.columns[index].channel?.name ?? "channel \(layout.columns[index].id)"
    return "column \(name), \(block.name)"
  }

  /// Returns a column that another one depends on.
  private mutating func column(
    _ channel: MotionChannel, place: String
  ) throws(TimelineError) -> [Double] {
    guard let index = layout.columns.firstIndex(where: { $0.channel == channel }) else {
      throw .malformed(place: place, reason: "it depends on \(channel.name), which is missing")
    }
    return try column(index)
  }

  private mutating func gravityDirection(place: String) throws(TimelineError) -> GravityDirection {
    if let direction { return direction }
    guard layout.units.attitude == .radians else {
      throw .malformed(place: place, reason: "it depends on an attitude in radians")
    }
    let roll = try column(.roll, place: place)
    let pitch = try column(.pitch, place: place)
    // Prediction by rotation also computes the direction.
    if let direction { return direction }
    let result = GravityDirection(roll: roll, pitch: pitch)
    direction = result
    return result
  }

  private mutating func decodeAttitude(place: String) throws(TimelineError) {
    guard layout.units.attitude == .radians, layout.units.rotationRate == .radians else {
      throw .malformed(place: place, reason: "an attitude by rotation is in radians")
    }
    let times = try column(.time, place: place)
    let scale = layout.units.time.unitsPerSecond
    let motion = RotatedAttitude.Motion(
      times: scale == 1 ? times : times.map { $0 / scale },
      rateX: try column(.rotationRateX, place: place),
      rateY: try column(.rotationRateY, place: place),
      rateZ: try column(.rotationRateZ, place: place))
    var indices: [Int] = []
    for channel in MotionQuantity.attitude.channels {
      guard let index = layout.columns.firstIndex(where: { $0.channel == channel }) else {
        throw .malformed(place: place, reason: "it depends on \(channel.name), which is missing")
      }
      indices.append(index)
    }
    let (columns, direction) = try RotatedAttitude.decode(
      bytes, parts: indices.map { parts[$0] }, motion: motion, place: place)
    self.direction = direction
    for (index, values) in zip(indices, columns) { decoded[index] = values }
  }
}
