import ChunkDecoding
import Motion

/// Turns paths into recordings: reads files, recognises formats, and groups the chunk files of a set or
/// session, wherever they are stored.
///
/// Works in two passes. ``plan(_:)`` decodes possible chunk files, since only their content shows how they
/// are grouped; all other files are left for ``load(_:)``, so that few are in memory at once.
package struct RecordingLoader: Sendable {
  package var options: LoadingOptions

  package init(options: LoadingOptions) { self.options = options }

  /// A recording to be loaded, or the outcome for an input that is not a recording.
  package enum Unit: Sendable {
    case file(InputFile)
    /// Files of one recording that hold one sensor each.
    case sensorFiles(name: String, [InputFile])
    /// A file of lines or frames, already decoded.
    case stream(InputFile, DecodedFile)
    case chunks(name: String, [SourcedChunk])
    case failed(InputFailure)
    case skipped(String)
    /// A valid chunk file without samples.
    case nothing

    /// The name of the recording; nil for other units.
    package var name: String? {
      switch self {
      case .file(let file): file.path
      case .stream(let file, _): file.path
      case .sensorFiles(let name, _), .chunks(let name, _): name
      case .failed, .skipped, .nothing: nil
      }
    }
  }

  package struct SourcedChunk: Sendable {
    package var file: InputFile
    package var chunk: DecodedChunk
    package var issues: [DecodingIssue]
  }

  /// Maximum number of samples in a chunk. A file without ids that has more is a separate recording.
  package static let maximumSamplesPerChunk = 100

  // MARK: - Planning

  #if !hasFeature(Embedded)
    /// Returns the recordings at the paths, in the order of the paths and of the files in them.
    package func plan(_ inputs: [ScannedInput]) async throws -> [Unit] {
      var units: [Unit] = []
      try await mapInOrder(entries(inputs), peek) { units.append($0) }
      return Self.grouped(units)
    }
  #endif

  /// ``plan(_:)`` on the calling thread alone.
  package func planSequentially(_ inputs: [ScannedInput]) -> [Unit] {
    Self.grouped(entries(inputs).map(peek))
  }

  /// Groups the chunks of a set or session at the position of the first one.
  private static func grouped(_ found: [Unit]) -> [Unit] {
    let identities = found.map { Self.identities(of: $0) }
    var sessions = SessionsOfSets()
    for identity in identities.joined() { sessions.insert(identity) }
    var units: [Unit] = []
    var groups: [GroupKey: (position: Int, chunks: [SourcedChunk])] = [:]
    for unit in joiningStreams(found, identities, sessions) {
      guard case .chunks(_, let chunks) = unit else {
        units.append(unit)
        continue
      }
      for sourced in chunks {
        let key = GroupKey(sourced, in: sessions)
        if groups[key] == nil {
          groups[key] = (units.count, [])
          units.append(.nothing)
        }
        groups[key]?.chunks.append(sourced)
      }
    }
    let folders = groups.mapValues { $0.chunks.map { $0.file.folder }.min() ?? "." }
    let groupsInFolder = Dictionary(grouping: folders.values) { $0 }.mapValues { $0.count }
    let groupsOfSet = Dictionary(grouping: groups.keys) { [folders[$0], $0.set] }
      .mapValues { $0.count }
    for (key, group) in groups {
      guard let first = group.chunks.first, let folder = folders[key] else { continue }
      let identity = first.chunk.identity
      var name = [folder]
      if group.chunks.allSatisfy({ $0.file == first.file }),
        first.file.isNamed || key.isOwnRecording
      {
        name = [first.file.path]
      } else if groupsInFolder[folder] != 1 {
        // Different sessions may use equal set ids.
        if groupsOfSet[[folder, key.set]] != 1, key.set != nil, let session = identity.sessionId {
          name.append(session)
        }
        if let id = identity.setId ?? identity.sessionId { name.append(id) }
      }
      units[group.position] = .chunks(name: name.joined(separator: "/"), group.chunks)
    }
    return units
  }

  /// Returns the ids of the sets and sessions in a unit's messages.
  private static func identities(of unit: Unit) -> Set<SetIdentity> {
    var identities = Set<SetIdentity>()
    switch unit {
    case .chunks(_, let chunks):
      for sourced in chunks { identities.insert(sourced.chunk.identity) }
    case .stream(_, let decoded):
      var context = SetContext()
      for message in decoded.messages {
        switch message {
        case .control(let control):
          context.apply(control)
          if control.kind == .startSet { identities.insert(context.complete(control.identity)) }
        case .chunk(let chunk): identities.insert(context.complete(chunk.identity))
        case .health: break
        }
      }
    default: break
    }
    return identities
  }

  /// Converts files of lines or frames that share a set with another file to chunk files. Files with other
  /// messages stay as they are, since these messages define how samples are grouped, and get a warning.
  private static func joiningStreams(
    _ found: [Unit], _ identities: [Set<SetIdentity>], _ sessions: SessionsOfSets
  ) -> [Unit] {
    let keys = identities.map { own in Set(own.map { GroupKey($0, in: sessions) }) }
    var holders: [GroupKey: [Int]] = [:]
    for (index, own) in keys.enumerated() {
      for key in own where key.isNamed { holders[key, default: []].append(index) }
    }
    func others(_ key: GroupKey, than index: Int) -> LazyFilterSequence<[Int]> {
      holders[key, default: []].lazy.filter { $0 != index }
    }
    let areChunks = found.map { Self.containsOnlyChunks($0) }
    var units = found
    for (index, unit) in found.enumerated() {
      guard case .stream(let file, var decoded) = unit else { continue }
      if areChunks[index],
        keys[index].contains(where: { others($0, than: index).contains { areChunks[$0] } })
      {
        units[index] = .chunks(name: file.path, sourced(decoded, file))
        continue
      }
      let shared = identities[index].filter {
        $0.setId != nil && !others(GroupKey($0, in: sessions), than: index).isEmpty
      }
      guard let set = shared.min(by: { ($0.setId ?? "") < ($1.setId ?? "") }),
        let other = others(GroupKey(set, in: sessions), than: index).first
      else { continue }
      decoded.issues.append(
        DecodingIssue(
          .repeatedSet,
          "set \(set.setId ?? "") is in \(found[other].name ?? "another file"), too; they are not "
            + "joined, and a history keeps the samples of one of them",
          count: shared.count))
      units[index] = .stream(file, decoded)
    }
    return units
  }

  /// Whether ids alone group the unit's chunks. They do not for chunks between those of sets, which are the
  /// rest of that file.
  private static func containsOnlyChunks(_ unit: Unit) -> Bool {
    switch unit {
    case .chunks: return true
    case .stream(_, let decoded):
      var ofSets = 0
      var ofSessions = 0
      for message in decoded.messages {
        guard case .chunk(let chunk) = message else { return false }
        if chunk.identity.setId != nil {
          ofSets += 1
        } else if chunk.identity.sessionId != nil {
          ofSessions += 1
        }
      }
      return ofSets == decoded.messages.count || ofSessions == decoded.messages.count
    default: return false
    }
  }

  /// Returns the chunks of a file; the first one carries the decoding issues.
  private static func sourced(_ decoded: DecodedFile, _ file: InputFile) -> [SourcedChunk] {
    decoded.chunks.enumerated().map { index, chunk in
      SourcedChunk(file: file, chunk: chunk, issues: index == 0 ? decoded.issues : [])
    }
  }

  /// An entry to be examined: the files of a recording, or a path that does not exist.
  private enum Entry: Sendable {
    case files(SensorFileGroup)
    case failed(InputFailure)
  }

  /// Returns entries in the order of the inputs. The files of a recording are searched among all inputs,
  /// since a shell passes the files of a folder one by one.
  private func entries(_ inputs: [ScannedInput]) -> [Entry] {
    var groups = SensorFileGroup.groups(in: inputs.flatMap { $0.files })[...]
    var entries: [Entry] = []
    for input in inputs {
      switch input.kind {
      case .missing:
        entries.append(
          .failed(InputFailure(path: input.path, kind: .missing, message: "no such file")))
      case .unreadable(let reason):
        entries.append(.failed(InputFailure(path: input.path, kind: .unreadable, message: reason)))
      case .file, .folder:
        for file in input.files where groups.first?.files.first == file {
          if let group = groups.popFirst() { entries.append(.files(group)) }
        }
      }
    }
    return entries
  }

  /// The key by which chunk files are grouped. Ids are in capitals, since they are case-insensitive.
  private struct GroupKey: Hashable {
    /// Empty if unknown.
    var session: String
    /// Unique only within its session.
    var set: String?
    /// Distinguishes groups without ids: the folder, or the file that is a separate recording.
    var place = ""
    var isOwnRecording = false

    /// Whether the group is identified by an id.
    var isNamed: Bool { !session.isEmpty || set != nil }

    init(_ identity: SetIdentity, in sessions: SessionsOfSets) {
      session = sessions.session(of: identity)
      set = identity.setId?.uppercased()
    }

    init(_ sourced: SourcedChunk, in sessions: SessionsOfSets) {
      self.init(sourced.chunk.identity, in: sessions)
      guard !isNamed else { return }
      isOwnRecording = sourced.chunk.samples.count > RecordingLoader.maximumSamplesPerChunk
      place = isOwnRecording ? sourced.file.path : sourced.file.folder
    }
  }

  /// Decodes a file if it may be a chunk file; otherwise leaves it for later.
  private func peek(_ entry: Entry) -> Unit {
    guard case .files(let group) = entry else {
      if case .failed(let failure) = entry { return .failed(failure) }
      return .nothing
    }
    guard group.files.count == 1, let file = group.files.first else {
      return .sensorFiles(name: group.name, group.files)
    }
    do throws(LoadingFailure) {
      guard mayBeChunks(try head(of: file)) else { return .file(file) }
      let decoded = try decode(file)
      let isEmpty = decoded.messages.allSatisfy { message in
        guard case .chunk(let chunk) = message else { return false }
        return chunk.samples.isEmpty && chunk.identity.setId == nil
      }
      if isEmpty { return .nothing }
      switch decoded.format {
      case .frames where decoded.messages.count == 1,
        .chunkObject where decoded.chunks.count == decoded.messages.count,
        .chunkArray where decoded.chunks.count == decoded.messages.count:
        return .chunks(name: file.path, Self.sourced(decoded, file))
      default: return .stream(file, decoded)
      }
    } catch {
      return unit(for: error, file)
    }
  }

  private func head(of file: InputFile) throws(LoadingFailure) -> [UInt8] {
    do throws(FileReading.Failure) {
      return try file.head()
    } catch {
      throw .input(InputFailure(path: file.path, kind: .unreadable, message: error.description))
    }
  }

  private func mayBeChunks(_ head: [UInt8]) -> Bool {
    if let format = options.decoding.format { return format != .csv }
    return mayBeJSON(head) || head.withUnsafeBytes { BinaryFrame.isFrame($0) }
  }

  private func mayBeJSON(_ bytes: [UInt8]) -> Bool {
    if let format = options.decoding.format { return format != .csv && format != .frames }
    // Leave byte order marks and other encodings to the decoder.
    let first = bytes.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) && $0 < 0x80 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  // MARK: - Loading

  package enum Loaded: Sendable {
    case recording(LoadedRecording)
    case failed(InputFailure)
    case skipped(String)

    static func recording(
      _ reassembly: ReassembledRecording, name: String, isDeclaredSet: Bool, _ report: IssueReport
    ) -> Loaded {
      .recording(
        LoadedRecording(
          name: name,
          parts: [
            .init(
              recording: reassembly.recording, isDeclaredSet: isDeclaredSet,
              statistics: reassembly.statistics)
          ],
          warnings: report.warnings, assumptions: report.assumptions))
    }
  }

  /// Loads a unit. Returns a single result, except for sensor files that do not fit together.
  package func load(_ unit: Unit) -> [Loaded] {
    switch unit {
    case .failed(let failure): return [.failed(failure)]
    case .skipped(let path): return [.skipped(path)]
    case .nothing: return []
    case .stream(let file, let decoded): return [recording(file, decoded)]
    case .chunks(let name, let chunks):
      var reassembler = ChunkReassembler()
      for sourced in chunks { reassembler.add(sourced.chunk) }
      let reassembly = reassembler.assemble(name: name)
      var report = IssueReport()
      for sourced in chunks { report.add(sourced.issues, of: sourced.file.path) }
      report.add(reassembly.issues, of: name)
      return [
        .recording(
          reassembly, name: name, isDeclaredSet: reassembly.recording.identity.setId != nil, report)
      ]
    case .file(let file):
      do throws(LoadingFailure) {
        return [recording(file, try decode(file))]
      } catch {
        return [loaded(for: error, file)]
      }
    case .sensorFiles(let name, let files):
      return SensorFileReading(loader: self, name: name).load(files)
    }
  }

  private func recording(_ file: InputFile, _ decoded: DecodedFile) -> Loaded {
    let (parts, issues) = StreamParts.parts(of: decoded.messages, name: file.path)
    guard !parts.isEmpty else {
      return loaded(
        for: .decoding(DecodingFailure(.notAChunk, "messages with neither a sample nor a set")),
        file)
    }
    var report = IssueReport()
    report.add(decoded.issues + issues, of: file.path)
    return .recording(
      LoadedRecording(
        name: file.path, parts: parts, warnings: report.warnings, assumptions: report.assumptions))
  }

  // MARK: - Reading

  func decode(_ file: InputFile) throws(LoadingFailure) -> DecodedFile {
    let content: (bytes: [UInt8], cutOff: Inflater.Failure?)
    do throws(FileReading.Failure) {
      content = try file.content(limit: options.decoding.limits.inputBytes)
    } catch {
      throw .input(InputFailure(path: file.path, kind: .unreadable, message: error.description))
    }
    guard let cutOff = content.cutOff else { return try decode(content.bytes, file) }
    // Truncated compressed data are used like a truncated plain file.
    do throws(LoadingFailure) {
      var decoded = try decode(content.bytes, file)
      decoded.issues.append(DecodingIssue(.truncated, cutOff.description))
      return decoded
    } catch {
      guard case .decoding = error else { throw error }
      throw .input(InputFailure(path: file.path, kind: .unreadable, message: cutOff.description))
    }
  }

  /// Reads and decodes a single file.
  package func decodeFile(_ file: InputFile) throws(InputFailure) -> DecodedFile {
    do throws(LoadingFailure) {
      return try decode(file)
    } catch {
      switch error {
      case .input(let failure): throw failure
      case .decoding(let failure):
        throw InputFailure(path: file.path, kind: .undecodable, message: failure.description)
      }
    }
  }

  private func decode(_ bytes: [UInt8], _ file: InputFile) throws(LoadingFailure) -> DecodedFile {
    var decoding = options.decoding
    // Column descriptions apply to CSV files only, sidecars to JSON files only.
    let isJSON = mayBeJSON(bytes)
    if decoding.columns == nil, !isJSON {
      do throws(InputFailure) {
        decoding.columns = try ColumnsFile.beside(file)
      } catch {
        throw .input(error)
      }
    }
    let sidecar = isJSON ? try self.sidecar(of: file) : nil
    do throws(DecodingFailure) {
      return try RecordingDecoder.decode(
        bytes, fileName: file.nameWithFolder, sidecar: sidecar, options: decoding)
    } catch {
      throw .decoding(error)
    }
  }

  private func sidecar(of file: InputFile) throws(LoadingFailure) -> [UInt8]? {
    do throws(FileReading.Failure) {
      return try file.bytes(
        beside: String(PathParts(file.contentPath).stem) + InputScanner.sidecarSuffix)
    } catch {
      throw .input(InputFailure(path: file.path, kind: .unreadable, message: error.description))
    }
  }

  private func unit(for error: LoadingFailure, _ file: InputFile) -> Unit {
    switch loaded(for: error, file) {
    case .skipped(let path): .skipped(path)
    case .failed(let failure): .failed(failure)
    case .recording: .nothing
    }
  }

  /// Reports a file that is not a recording: as failed if it was named, as skipped if it was found in a
  /// folder.
  func loaded(for error: LoadingFailure, _ file: InputFile) -> Loaded {
    let failure: DecodingFailure
    switch error {
    case .input(let failure): return .failed(failure)
    case .decoding(let decoding): failure = decoding
    }
    if !file.isNamed {
      switch failure.kind {
      case .notAChunk, .unknownFormat, .unsupportedEncoding, .unknownColumns:
        return .skipped(file.path)
      default: break
      }
    }
    return .failed(InputFailure(path: file.path, kind: .undecodable, message: failure.description))
  }
}
