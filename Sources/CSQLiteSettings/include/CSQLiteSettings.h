#ifndef CSQLITE_SETTINGS_H
#define CSQLITE_SETTINGS_H

#include <sqlite3.h>

/// Puts a connection into defensive mode: SQL can no longer harm the database file itself
/// (https://www.sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigdefensive).
///
/// `sqlite3_db_config` takes a variable number of arguments, which Swift cannot call.
/// Returns SQLite's result code.
static inline int csqlite_set_defensive(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

#endif
