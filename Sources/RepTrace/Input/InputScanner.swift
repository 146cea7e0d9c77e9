import Foundation

/// A file that may hold a recording or a part of one.
public struct InputFile: Sendable, Hashable {
  /// The path as given, or the folder as given with the file's path in it.
  public var path: String
  /// Whether the file itself was named, rather than found in a folder.
  public var isNamed: Bool

  /// The folder that the file lies in, as far as the path tells.
  public var folder: String {
    let folder = PathParts(path).folder
    return folder.isEmpty ? "." : String(folder)
  }

  /// The last two parts of the path, either of which may name a sensor.
  var nameWithFolder: String {
    path.split(separator: "/").suffix(2).joined(separator: "/")
  }
}

/// What one of the paths given turned out to be.
public struct ScannedInput: Sendable {
  public enum Kind: Sendable {
    case file
    case folder
    case missing
    /// Exists but cannot be listed or read; the text says why.
    case unreadable(String)
  }

  public var path: String
  public var kind: Kind
  /// In order of their paths.
  public var files: [InputFile]
}

/// Finds the files behind the paths of a command line.
public enum InputScanner {
  /// The end of the name of a chunk file's sidecar.
  static let sidecarSuffix = ".metadata.json"

  /// Looks at each path: a file, or a folder that is searched recursively.
  ///
  /// Hidden files, sidecars and column descriptions are no inputs of their own. Links to folders
  /// are not followed.
  public static func scan(_ paths: [String]) -> [ScannedInput] {
    paths.map { path in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        return ScannedInput(path: path, kind: .missing, files: [])
      }
      guard isFolder.boolValue else {
        return ScannedInput(
          path: path, kind: .file, files: [InputFile(path: path, isNamed: true)])
      }
      do {
        let files = try self.files(inFolder: path)
        return ScannedInput(path: path, kind: .folder, files: files)
      } catch {
        return ScannedInput(
          path: path, kind: .unreadable(FileReading.reason(of: error)), files: [])
      }
    }
  }

  private static func files(inFolder folder: String) throws -> [InputFile] {
    var result: [InputFile] = []
    let prefix = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    where !name.hasPrefix(".") {
      let path = prefix + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: result += (try? files(inFolder: path)) ?? []
      case S_IFREG where isInput(name):
        result.append(InputFile(path: path, isNamed: false))
      case S_IFLNK where isInput(name):
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
          result.append(InputFile(path: path, isNamed: false))
        }
      default: break
      }
    }
    return result
  }

  private static func isInput(_ name: String) -> Bool {
    !(name.hasSuffix(sidecarSuffix) || name == "columns.json" || name.hasSuffix(".columns.json"))
  }
}
