// Rows hold dates. FoundationEssentials spares the native library Foundation's tables.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
