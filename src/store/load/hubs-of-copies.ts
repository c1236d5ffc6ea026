import { sql } from "kysely";
import type { Borders } from "../../domain/memory.ts";
import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";

/**
 * Returns, for each project of which this daemon has a copy, the origin of its hub. A copy with a disabled binding
 * counts too, so that the copy continues to show what it has.
 */
export async function hubsOfCopies(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const copies = await bindings.all(connection, {});
  return new Map(copies.map(({ project_uid, hub_url }) => [project_uid, originOf(hub_url ?? "")]));
}

/** The hubs of copies, and the uid of this database. Without copies the uid is empty, since nobody reads it then. */
export async function bordersOf(connection: Connection): Promise<Borders> {
  const hubs = await hubsOfCopies(connection);
  return { hubs, instance_uid: hubs.size === 0 ? "" : await instanceOf(connection) };
}

/** The uid of this database. Its own events have this uid as their origin. */
export async function instanceOf(connection: Connection): Promise<string> {
  return (await instance.one(connection, {}))?.value ?? "";
}

const instance = statement((db, _p: Record<never, never>) =>
  db.selectFrom("meta").select("value").where("key", "=", sql.lit("instance_uid")),
);

/** Only tests use an address that is no URL. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

const bindings = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("federation_binding")
    .select(["project_uid", "hub_url"])
    .where("role", "=", "spoke"),
);
