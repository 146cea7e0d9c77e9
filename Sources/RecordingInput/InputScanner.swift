/// A file that may hold a recording or a part of one.
package struct InputFile: Sendable, Hashable {
  /// The path as given; for a file in a folder or archive, followed by the file's path in it.
  package var path: String
  /// True if the file itself was named; false if it was found in a folder or archive.
  package var isNamed: Bool
  let source: InputSource

  package static func == (a: InputFile, b: InputFile) -> Bool {
    a.path == b.path && a.isNamed == b.isNamed
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(isNamed)
  }

  /// The folder of the file, as given by the path.
  package var folder: String {
    let folder = PathParts(path).folder
    return folder.isEmpty ? "." : String(folder)
  }

  /// The last two components of the path, either of which may name a sensor.
  var nameWithFolder: String {
    contentPath.split(separator: "/").suffix(2).joined(separator: "/")
  }
}

extension InputFile {
  package init(path: String, isNamed: Bool) {
    self.init(path: path, isNamed: isNamed, source: .file)
  }
}

/// A path on the command line, with its kind and its files.
package struct ScannedInput: Sendable {
  package enum Kind: Sendable {
    case file
    case folder
    case missing
    /// The path exists but cannot be listed or read, for the given reason.
    case unreadable(String)
  }

  package var path: String
  package var kind: Kind
  /// Files, sorted by path.
  package var files: [InputFile]
}

/// Finds the files at the paths of a command line.
package enum InputScanner {
  /// Suffix of the name of a chunk file's sidecar.
  static let sidecarSuffix = ".metadata.json"

  /// Scans each path: a file, a folder or zip archive, which is searched recursively, or `-` for standard
  /// input.
  ///
  /// Hidden files, sidecars and column descriptions are not separate inputs. Links to folders are not
  /// followed.
  package static func scan(_ paths: [String]) -> [ScannedInput] {
    paths.map { path in
      if path == "-" {
        let input = InputFile(path: path, isNamed: true, source: .standardInput(StandardInput()))
        return ScannedInput(path: path, kind: .file, files: [input])
      }
      guard let kind = FileReading.kind(of: path) else {
        let failure = FileReading.Failure.ofSystem
        return ScannedInput(
          path: path, kind: failure.isAbsence ? .missing : .unreadable("\(failure)"), files: [])
      }
      if kind != .folder, isArchive(path) {
        return ScannedInput(
          path: path, kind: .folder, files: members(ofArchive: path, isNamed: true))
      }
      guard kind == .folder else {
        return ScannedInput(path: path, kind: .file, files: [InputFile(path: path, isNamed: true)])
      }
      do throws(FileReading.Failure) {
        let files = try self.files(inFolder: path)
        return ScannedInput(path: path, kind: .folder, files: files)
      } catch {
        return ScannedInput(path: path, kind: .unreadable("\(error)"), files: [])
      }
    }
  }

  /// - Returns: The files; entries that cannot be opened are included as unreadable files.
  private static func files(inFolder folder: String) throws(FileReading.Failure) -> [InputFile] {
    var result: [InputFile] = []
    let prefix = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    for name in try FileReading.names(inFolder: folder) where !name.hasPrefix(".") {
      let path = prefix + "/" + name
      let isLink = FileReading.isLink(path)
      switch FileReading.kind(of: path) {
      case .folder where !isLink:
        do throws(FileReading.Failure) {
          result += try files(inFolder: path)
        } catch {
          result.append(InputFile(path: path, isNamed: false, source: .damaged("\(error)")))
        }
      case .file where isArchive(name) && !isLink:
        result += members(ofArchive: path, isNamed: false)
      case .file where isInput(name), .other where isLink && isInput(name):
        result.append(InputFile(path: path, isNamed: false))
      case nil where isInput(name):
        // A name in another encoding was repaired when it was read and no longer refers to the file.
        let reason =
          name.unicodeScalars.contains("\u{FFFD}")
          ? "cannot be opened: its name is not UTF-8" : "\(FileReading.Failure.ofSystem)"
        result.append(InputFile(path: path, isNamed: false, source: .damaged(reason)))
      default: break
      }
    }
    return result
  }

  private static func isArchive(_ name: String) -> Bool { name.lowercased().hasSuffix(".zip") }

  /// Returns the files in an archive, sorted by path; a single unreadable file if the archive is damaged.
  private static func members(ofArchive path: String, isNamed: Bool) -> [InputFile] {
    do throws(FileReading.Failure) {
      let archive = try ZipArchive(path: path)
      return archive.entries.sorted { $0.name < $1.name }.compactMap { entry in
        let parts = entry.name.split(separator: "/")
        guard !entry.name.hasSuffix("/"), let name = parts.last, isInput(String(name)),
          !parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" })
        else { return nil }
        return InputFile(
          path: path + "/" + entry.name, isNamed: false,
          source: isArchive(entry.name)
            ? .damaged("an archive in an archive; unpack it first") : .member(archive, entry))
      }
    } catch {
      return [InputFile(path: path, isNamed: isNamed, source: .damaged("\(error)"))]
    }
  }

  private static func isInput(_ name: String) -> Bool {
    !(name.hasSuffix(sidecarSuffix) || name == "columns.json" || name.hasSuffix(".columns.json"))
  }
}
