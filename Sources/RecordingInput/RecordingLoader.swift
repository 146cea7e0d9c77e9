import ChunkDecoding
import Motion

/// Loads recordings from paths: reads files, recognizes formats, and groups the chunk files of a set or
/// session, wherever they are stored.
///
/// Works in two passes. ``plan(_:)`` decodes possible chunk files, since only their content shows how they
/// are grouped. All other files are left to ``load(_:)``, so that few are in memory at the same time
/// (``PlannedFile``).
package struct RecordingLoader: Sendable {
  package var options: LoadingOptions

  package init(options: LoadingOptions) { self.options = options }

  /// A recording to be loaded, or the outcome for an input that is not a recording.
  package enum Unit: Sendable {
    case file(InputFile)
    /// Files of one recording with one sensor each.
    case sensorFiles(name: String, [InputFile])
    /// A decoded file, with issues that also concern other files.
    case stream(PlannedFile, [DecodingIssue] = [])
    case chunks(name: String, [SourcedChunk])
    case failed(InputFailure)
    case skipped(String)
    /// A valid chunk file without samples.
    case nothing

    /// The name of the recording; nil for other units.
    package var name: String? {
      switch self {
      case .file(let file): file.path
      case .stream(let planned, _): planned.file.path
      case .sensorFiles(let name, _), .chunks(let name, _): name
      case .failed, .skipped, .nothing: nil
      }
    }
  }

  package struct SourcedChunk: Sendable {
    let source: PlannedFile
    /// Index among the chunks of its file.
    let index: Int

    package var file: InputFile { source.file }
    var chunk: PlannedFile.Chunk { source.chunks[index] }
  }

  /// Maximum number of samples in a chunk. A file without ids that has more is a separate recording.
  package static let maximumSamplesPerChunk = 100

  // MARK: - Planning

  #if !hasFeature(Embedded)
    /// Returns the recordings at the paths, in the order of the paths and of the files in them.
    package func plan(_ inputs: [ScannedInput]) async throws -> [Unit] {
      var units: [Unit] = []
      var room = options.samplesInMemory
      try await mapInOrder(entries(inputs), peek) {
        units.append(Self.fitted($0, into: &room))
      }
      return Self.grouped(units)
    }
  #endif

  /// Returns the result of ``plan(_:)``, using only the calling thread.
  package func planSequentially(_ inputs: [ScannedInput]) -> [Unit] {
    var room = options.samplesInMemory
    return Self.grouped(entries(inputs).map { Self.fitted(peek($0), into: &room) })
  }

  /// Returns a unit, without its samples if there is no room for them.
  private static func fitted(_ unit: Unit, into room: inout Int) -> Unit {
    guard case .stream(let planned, let issues) = unit else { return unit }
    guard planned.sampleCount > room else {
      room -= planned.sampleCount
      return unit
    }
    return .stream(planned.withoutContent(), issues)
  }

  /// Groups the chunks of each set or session at the position of its first chunk.
  private static func grouped(_ found: [Unit]) -> [Unit] {
    var sessions = SessionsOfSets()
    for case .stream(let planned, _) in found {
      for identity in planned.identities { sessions.insert(identity) }
    }
    var units: [Unit] = []
    var groups: [GroupKey: (position: Int, chunks: [SourcedChunk])] = [:]
    for unit in joiningStreams(found, sessions) {
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

  /// Converts chunk files, and files of lines or frames that share a set with another file, to chunks. Files
  /// with other messages stay as they are and get a warning, since these messages group samples.
  private static func joiningStreams(_ found: [Unit], _ sessions: SessionsOfSets) -> [Unit] {
    let planned = found.map { unit in
      if case .stream(let planned, _) = unit { planned } else { nil as PlannedFile? }
    }
    // Only streams may share sets. Chunk files are many, and are recorded only if a stream has their ids.
    var holders: [GroupKey: [Int]] = [:]
    for source in planned.compactMap({ $0 }) where !source.isChunkFile {
      for identity in source.identities { holders[GroupKey(identity, in: sessions)] = [] }
    }
    for (index, source) in planned.enumerated() where !holders.isEmpty {
      let keys = Set((source?.identities ?? []).map { GroupKey($0, in: sessions) })
      for key in keys where key.isNamed { holders[key]?.append(index) }
    }
    func others(_ key: GroupKey, than index: Int) -> LazyFilterSequence<[Int]> {
      holders[key, default: []].lazy.filter { $0 != index }
    }
    var units = found
    for (index, source) in planned.enumerated() {
      guard let source else { continue }
      if source.isChunkFile
        || source.containsOnlyChunks
          && source.identities.contains(where: {
            others(GroupKey($0, in: sessions), than: index).contains {
              planned[$0]?.containsOnlyChunks == true
            }
          })
      {
        units[index] = .chunks(
          name: source.file.path,
          source.chunks.indices.map { SourcedChunk(source: source, index: $0) })
        continue
      }
      let shared = source.identities.filter {
        $0.setId != nil && !others(GroupKey($0, in: sessions), than: index).isEmpty
      }
      guard let set = shared.min(by: { ($0.setId ?? "") < ($1.setId ?? "") }),
        let other = others(GroupKey(set, in: sessions), than: index).first
      else { continue }
      let issue = DecodingIssue(
        .repeatedSet,
        "set \(set.setId ?? "") is in \(found[other].name ?? "another file"), too; they are not "
          + "joined, and a history keeps the samples of one of them",
        count: shared.count)
      units[index] = .stream(source, [issue])
    }
    return units
  }

  /// An entry to be examined: the files of a recording, or a path that does not exist.
  private enum Entry: Sendable {
    case files(SensorFileGroup)
    case failed(InputFailure)
  }

  /// Returns entries in the order of the inputs. The files of a recording are searched for among all inputs,
  /// since a shell passes the files of a folder individually.
  private func entries(_ inputs: [ScannedInput]) -> [Entry] {
    var groups = SensorFileGroup.groups(in: inputs.flatMap { $0.files })[...]
    var entries: [Entry] = []
    for input in inputs {
      switch input.kind {
      case .missing:
        entries.append(
          .failed(InputFailure(path: input.path, kind: .missing, message: "no such file")))
      case .unreadable(let reason):
        entries.append(
          .failed(InputFailure(path: input.path, kind: .unreadable, message: reason)))
      case .file, .folder:
        for file in input.files where groups.first?.files.first == file {
          if let group = groups.popFirst() { entries.append(.files(group)) }
        }
      }
    }
    return entries
  }

  /// The key for grouping chunk files. Ids are in capitals, since they are case-insensitive.
  private struct GroupKey: Hashable {
    /// The session's id; empty if unknown.
    var session: String
    /// The set's id, unique only within its session.
    var set: String?
    /// The folder, or the file that is a separate recording; distinguishes groups without ids.
    var place = ""
    var isOwnRecording = false

    /// True if the group is identified by an id.
    var isNamed: Bool { !session.isEmpty || set != nil }

    init(_ identity: SetIdentity, in sessions: SessionsOfSets) {
      session = sessions.session(of: identity)
      set = identity.setId?.uppercased()
    }

    init(_ sourced: SourcedChunk, in sessions: SessionsOfSets) {
      self.init(sourced.chunk.identity, in: sessions)
      guard !isNamed else { return }
      isOwnRecording = sourced.chunk.sampleCount > RecordingLoader.maximumSamplesPerChunk
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
      return isEmpty ? .nothing : .stream(PlannedFile(file, decoded))
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
    case .stream(let planned, let issues):
      do throws(LoadingFailure) {
        return [recording(planned.file, try content(of: planned), issues)]
      } catch {
        return [loaded(for: error, planned.file)]
      }
    case .chunks(let name, let chunks): return load(chunks, name: name)
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

  /// Loads chunks of one set or session. Results for files that can no longer be decoded come first.
  private func load(_ chunks: [SourcedChunk], name: String) -> [Loaded] {
    var reassembler = ChunkReassembler()
    var report = IssueReport()
    var failed: [Loaded] = []
    // Chunks of one file are consecutive, so it is decoded only once.
    var source: PlannedFile?
    var content: [DecodedChunk] = []
    for chunk in chunks {
      if source !== chunk.source {
        source = chunk.source
        do throws(LoadingFailure) {
          let decoded = try self.content(of: chunk.source)
          content = decoded.chunks
          if chunk.index == 0 { report.add(decoded.issues, of: chunk.file.path) }
        } catch {
          content = []
          failed.append(loaded(for: error, chunk.file))
        }
      }
      if chunk.index < content.count { reassembler.add(content[chunk.index]) }
    }
    let reassembly = reassembler.assemble(name: name)
    report.add(reassembly.issues, of: name)
    return failed + [
      .recording(
        reassembly, name: name, isDeclaredSet: reassembly.recording.identity.setId != nil, report)
    ]
  }

  private func recording(
    _ file: InputFile, _ decoded: DecodedFile, _ issues: [DecodingIssue] = []
  ) -> Loaded {
    let parts = StreamParts.parts(of: decoded.messages, name: file.path)
    guard !parts.parts.isEmpty else {
      return loaded(
        for: .decoding(DecodingFailure(.notAChunk, "messages with neither a sample nor a set")),
        file)
    }
    var report = IssueReport()
    report.add(decoded.issues + issues + parts.issues, of: file.path)
    return .recording(
      LoadedRecording(
        name: file.path, parts: parts.parts, warnings: report.warnings,
        assumptions: report.assumptions))
  }

  // MARK: - Reading

  /// Returns the content of a planned file, rereading it if it was not kept.
  private func content(of planned: PlannedFile) throws(LoadingFailure) -> DecodedFile {
    if let content = planned.content { return content }
    let decoded = try decode(planned.file)
    guard decoded.sampleCount == planned.sampleCount else {
      throw .input(
        InputFailure(
          path: planned.file.path, kind: .unreadable, message: "changed while it was read"))
    }
    return decoded
  }

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

  private func decode(
    _ bytes: [UInt8], _ file: InputFile
  ) throws(LoadingFailure) -> DecodedFile {
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
    return .failed(
      InputFailure(path: file.path, kind: .undecodable, message: failure.description))
  }
}
