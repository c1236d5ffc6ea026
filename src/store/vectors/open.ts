import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { DEFAULT_SCHEMA, parseDsn } from "../open.ts";
import type { Term } from "../types/elections.ts";
import type { VectorStore } from "../types/vectors.ts";
import { vectorsPath } from "./sqlite-path.ts";
import { VectorTables } from "./vector-tables.ts";

export interface VectorsOptions {
  /** The address of the database that has the issues (`StoreOptions.dsn`). */
  readonly dsn: string;
  readonly schema?: string | undefined;
  readonly instanceUid: string;
  /** The epoch of the log. With another one, the vectors of SQLite are thrown away. */
  readonly epoch: string;
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Pick<Log, "warn">;
  /** Returns a number that changes with each commit of the database. SQLite only. */
  readonly commits: () => number;
  /** The term of the engine that embeds, with its holder. Undefined while another daemon has it. PostgreSQL only. */
  readonly term: () => Term | undefined;
  /** Called when the file was begun anew while it was in use, so that readers of the old one open it again. */
  readonly onReplaced?: () => void;
}

/** Gives access to the vectors. The file or the session is opened at the first use, and the file is made then. */
export async function openVectors(options: VectorsOptions): Promise<VectorStore> {
  const { dsn, schema = DEFAULT_SCHEMA, commits, term } = options;
  const location = parseDsn(dsn);
  if (location.dialect === "postgres") {
    const { PostgresPlace } = await import("./postgres-place.ts");
    return new VectorTables(new PostgresPlace({ dsn, schema, term }), () => 0);
  }
  const { SqlitePlace } = await import("./sqlite-place.ts");
  const { instanceUid: instance_uid, epoch, clock, log, onReplaced = () => undefined } = options;
  const path = vectorsPath(location.path);
  const place = new SqlitePlace({ path, owner: { instance_uid, epoch }, clock, log, onReplaced });
  return new VectorTables(place, commits);
}
