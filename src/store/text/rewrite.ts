import type { Connection } from "../connection.ts";
import { findRow, putRow, removeRow } from "../rows/table-rows.ts";
import { nextUids, writeTexts } from "./write.ts";

/** The `meta` key of an unfinished rewrite. Its value is the id of the last issue whose text was written. */
export const REWRITE = "texts";
/**
 * The `meta` key that an upgrade sets together with `REWRITE` if rows may lack words that searches rely on. It is
 * removed when all rows were written again. A purge sets only `REWRITE`, because after a purge no row lacks words.
 */
export const OUTDATED = "texts_outdated";
/** The issues of one step, which takes some 20 ms. Other writes run between the steps. */
const STEP_ISSUES = 100;

/** Makes the daemon write all full-text rows again, in steps (`rewriteStep`). */
export async function requestRewrite(connection: Connection): Promise<void> {
  if ((await nextUids.one(connection, { after: 0, most: 1 })) === undefined) return;
  await putRow(connection, "meta", { key: REWRITE, value: "0" });
}

/** Like `requestRewrite`, for an upgrade that changes which words a row contains. */
export async function requestNewTexts(connection: Connection): Promise<void> {
  await requestRewrite(connection);
  if (await isRewriting(connection))
    await putRow(connection, "meta", { key: OUTDATED, value: "1" });
}

/** Whether the index is being rewritten. Until that ends, searches may miss other forms of words. */
export async function isRewriting(connection: Connection): Promise<boolean> {
  return (await findRow(connection, "meta", { key: REWRITE })) !== undefined;
}

/** Writes the next full-text rows, in the transaction of the caller. Returns whether more are left. */
export async function rewriteStep(connection: Connection): Promise<boolean> {
  const known = await findRow(connection, "meta", { key: REWRITE });
  if (known === undefined) return false;
  const slice = await nextUids.all(connection, { after: Number(known.value), most: STEP_ISSUES });
  const last = slice.at(-1);
  if (last === undefined) {
    for (const key of [REWRITE, OUTDATED]) await removeRow(connection, "meta", { key });
    return false;
  }
  await writeTexts(
    connection,
    slice.map(({ uid }) => uid),
  );
  await putRow(connection, "meta", { key: REWRITE, value: String(last.id) });
  return true;
}
