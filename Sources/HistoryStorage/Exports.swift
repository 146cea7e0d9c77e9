// Values have dates. The native library takes them without Foundation's tables.
#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
