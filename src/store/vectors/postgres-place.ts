import { SvcError } from "../../contract/errors.ts";
import type { Connection } from "../connection.ts";
import { isDisconnected } from "../errors.ts";
import type { PostgresConnection } from "../postgres/connection.ts";
import { holdsTerm } from "../postgres/elections.ts";
import { postgresSession } from "../postgres/open.ts";
import type { Term } from "../types/elections.ts";
import type { Restamp } from "../types/vectors.ts";
import * as statements from "./statements.ts";
import type { VectorPlace } from "./vector-place.ts";

export interface SchemaOptions {
  readonly dsn: string;
  readonly schema: string;
  /** The term of the engine that embeds, with its holder. Undefined while another daemon has it. */
  readonly term: () => Term | undefined;
}

/**
 * The tables of the vectors in the schema of svc. A session of its own is opened at the first use; a transaction on it
 * takes no write lock of svc.
 */
export class PostgresPlace implements VectorPlace {
  readonly dialect = "postgres";
  readonly #options: SchemaOptions;
  #session: PostgresConnection | undefined;

  constructor(options: SchemaOptions) {
    this.#options = options;
  }

  get scoring(): { readonly dsn: string; readonly schema: string } {
    const { dsn, schema } = this.#options;
    return { dsn, schema };
  }

  /** Repeats the work once if the session was lost. */
  async run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#opened());
    } catch (error) {
      if (!isDisconnected(error)) throw error;
      return await work(await this.#opened());
    }
  }

  /** Does not repeat the work, since a lost commit may have been made. */
  async write<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const session = await this.#opened();
    await session.execute("begin", []);
    try {
      const value = await work(session);
      await session.execute("commit", []);
      return value;
    } catch (error) {
      if (!session.lost) await session.execute("rollback", []).catch(() => undefined);
      throw error;
    }
  }

  /**
   * The tables of svc are in the same database, so the issues cannot be deleted before their vectors are written. The
   * hashes of the texts are compared too: another daemon may have cleared a copy and read it again a moment ago, and then
   * an issue has the same id and revision and perhaps another text.
   */
  async lockCurrent<T extends Restamp>(
    connection: Connection,
    issues: readonly T[],
  ): Promise<readonly T[]> {
    if (issues.length === 0) return [];
    const uids = issues.map(({ issue_uid }) => issue_uid);
    const rows = await statements.lockIssues.all(connection, { uids });
    const now = new Map(rows.map((row) => [row.uid, row]));
    return issues.filter(({ issue_uid, issue_id, content_revision, text_hash }) => {
      const row = now.get(issue_uid);
      const isSame = row?.id === issue_id && row.content_revision === content_revision;
      return isSame && row.text_hash === text_hash;
    });
  }

  async requireTerm(connection: Connection): Promise<void> {
    const term = this.#options.term();
    if (term !== undefined && (await holdsTerm(connection, term))) return;
    throw new SvcError(
      "unavailable",
      { reason: "not_elected" },
      { message: "another daemon embeds the issues of this database" },
    );
  }

  async markForErasure(): Promise<void> {}

  async removed(): Promise<void> {}

  async erase(): Promise<void> {}

  async discard(id: number): Promise<void> {
    await this.write(async (connection) => {
      if ((await statements.seizeGeneration.one(connection, { id })) === undefined) return;
      for (const table of ["vector_chunk", "vector_issue", "vector_generation"])
        await connection.execute(`delete from ${table}`, []);
    });
  }

  async close(): Promise<void> {
    await this.#session?.close();
    this.#session = undefined;
  }

  async #opened(): Promise<PostgresConnection> {
    if (this.#session?.lost === true) await this.close();
    const { dsn, schema } = this.#options;
    this.#session ??= await postgresSession({ dsn, schema });
    return this.#session;
  }
}
