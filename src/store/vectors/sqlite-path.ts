import { realDatabasePath } from "../sqlite/database-path.ts";

/**
 * Returns the path of the file with the vectors, beside the database: `svc.vectors.db` for `svc.db`. All names of a
 * database that is reached through symbolic links give the same file.
 */
export function vectorsPath(database: string): string {
  return `${realDatabasePath(database).replace(/\.db$/, "")}.vectors.db`;
}
