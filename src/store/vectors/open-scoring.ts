import type { Connection } from "../connection.ts";
import { SqliteConnection } from "../sqlite/connection.ts";
import type { ScoringPlace } from "../types/vectors.ts";

/** Opens a connection that only reads. On SQLite, the file must exist. */
export async function openScoring(place: ScoringPlace): Promise<Connection> {
  if ("dsn" in place) {
    const { postgresSession } = await import("../postgres/open.ts");
    return await postgresSession(place);
  }
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(place.sqlite, {
    readonly: true,
    fileMustExist: true,
    timeout: 1000,
  });
  database.pragma("query_only = ON");
  // Each search reads other pages, so it gains nothing from those of the one before.
  database.pragma("cache_size = -1024");
  return new SqliteConnection(database);
}
