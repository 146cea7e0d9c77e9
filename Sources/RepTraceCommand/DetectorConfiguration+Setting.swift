import Foundation
import RepTrace

extension DetectorConfiguration {
  /// Changes one number for an experiment: `NAME=VALUE`, where NAME is a property's name, or a path with a
  /// dot for a property of a nested type.
  mutating func set(_ setting: String) throws {
    let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
    let names = (parts.first ?? "").split(separator: ".").map(String.init)
    let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(self))
    guard parts.count == 2, let value = Double(parts[1]), var object = encoded as? [String: Any],
      Self.replace(names[...], in: &object, by: value),
      let data = try? JSONSerialization.data(withJSONObject: object),
      let changed = try? JSONDecoder().decode(Self.self, from: data)
    else {
      throw SettingError(setting: setting)
    }
    self = changed
  }

  private static func replace(
    _ names: ArraySlice<String>, in object: inout [String: Any], by value: Double
  ) -> Bool {
    guard let name = names.first else { return false }
    if names.count == 1, object[name] is NSNumber {
      object[name] = value
      return true
    }
    guard var inner = object[name] as? [String: Any] else { return false }
    let isReplaced = replace(names.dropFirst(), in: &inner, by: value)
    object[name] = inner
    return isReplaced
  }

  struct SettingError: Error, CustomStringConvertible {
    var setting: String

    var description: String {
      "\(setting): expected NAME=VALUE with a number of DetectorConfiguration"
    }
  }
}
