import type { Connection } from "../connection.ts";
import { statement } from "../rows/statement.ts";

/**
 * For each project of which this daemon has a copy: the origin of its hub. A copy whose binding is disabled counts too,
 * so that it goes on showing what it has.
 */
export async function hubsOfCopies(connection: Connection): Promise<ReadonlyMap<string, string>> {
  const copies = await bindings.all(connection, {});
  return new Map(copies.map(({ project_uid, hub_url }) => [project_uid, originOf(hub_url ?? "")]));
}

/** An address that is no URL is one of a test. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

const bindings = statement((db, _p: Record<never, never>) =>
  db
    .selectFrom("federation_binding")
    .select(["project_uid", "hub_url"])
    .where("role", "=", "spoke"),
);
