import { SvcError } from "../contract/errors.ts";
import { ADOPTION_UNFINISHED } from "../domain/federation/gate.ts";
import type { RestoreRow } from "../store/admin-store.ts";

/**
 * Yields the rows for a database that does not take the identity of the file. Throws `conflict` if the file was written
 * while a project was being handed over to its hub. Until the handover has ended, the issues belong to two projects,
 * and only the identity that began it can end it.
 */
export async function* refuseUnfinishedAdoption(
  rows: AsyncIterable<RestoreRow>,
): AsyncGenerator<RestoreRow> {
  for await (const row of rows) {
    if (row.table === "federation_binding" && row.row["disabled_reason"] === ADOPTION_UNFINISHED) {
      throw new SvcError(
        "conflict",
        { reason: ADOPTION_UNFINISHED },
        {
          message:
            "the file was written while a project was being handed over to its hub, which only the daemon that began it can finish; nothing was imported",
          hint: "import it with the identity of the file, start the daemon, and export again when svc federation status no longer says adoption_unfinished",
        },
      );
    }
    yield row;
  }
}
