import { openBackend } from "../../src/store/open.ts";
import { deps } from "../archive/targets.ts";
import { joined } from "../support/replica.ts";
import type { OpenTestStore, TestDatabase } from "../support/store.ts";

type Fill = Parameters<typeof joined>[1];
type Options = Parameters<typeof joined>[2];

/** A hub and its spoke, whose databases can be changed behind the back of svc. */
export async function tamperable(open: OpenTestStore, fill?: Fill, options?: Options) {
  const databases: TestDatabase[] = [];
  const it = await joined(
    async (how) => {
      const database = await open.database();
      databases.push(database);
      return await database.open(how);
    },
    fill,
    options,
  );
  const tamper = async (at: number, statements: readonly string[]): Promise<void> => {
    const { target } = databases[at] ?? {};
    if (target === undefined) throw new Error("the hub has the first database, the spoke the next");
    const backend = await openBackend({ ...deps, ...target });
    const connection = await backend.writer();
    for (const statement of statements) await connection.execute(statement, []);
    await backend.close();
  };
  return {
    ...it,
    tamperHub: async (...statements: readonly string[]) => await tamper(0, statements),
    tamperSpoke: async (...statements: readonly string[]) => await tamper(1, statements),
  };
}
