import { slicesById } from "../../base/slices.ts";
import type { Connection } from "../connection.ts";
import { updateMany } from "../rows/many-rows.ts";
import { statement } from "../rows/statement.ts";
import { chainOf, NO_CHAIN } from "./chain.ts";

const SLICE_EVENTS = 500;

/** Gives every event its chain, in the migration that adds the column. */
export async function chainLog(connection: Connection): Promise<void> {
  let chain = NO_CHAIN;
  const read = async (after: number) => await hashes.all(connection, { after });
  for await (const slice of slicesById(SLICE_EVENTS, 0, read)) {
    const rows = slice.map(({ id, content_hash }) => {
      chain = chainOf(chain, content_hash);
      return { id, chain };
    });
    await write(connection, rows);
  }
  await end.run(connection, { chain });
}

async function write(
  connection: Connection,
  rows: readonly { readonly id: number; readonly chain: string }[],
): Promise<void> {
  if (connection.dialect === "postgres")
    return await updateMany(connection, "event", { key: ["id"], columns: ["chain"] }, rows);
  for (const row of rows) await setChain.run(connection, row);
}

const hashes = statement((db, p: { after: number }) =>
  db
    .selectFrom("event")
    .select(["id", "content_hash"])
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(SLICE_EVENTS),
);

const setChain = statement((db, p: { id: number; chain: string }) =>
  db.updateTable("event").set({ chain: p.chain }).where("id", "=", p.id),
);

const end = statement((db, p: { chain: string }) =>
  db.updateTable("log_head").set({ chain: p.chain }),
);
