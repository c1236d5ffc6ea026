import type { Kysely } from "kysely";
import type { Connection } from "../connection.ts";
import { eventOf } from "../rows/rows.ts";
import { isIn, rowsWith, statement } from "../rows/statement.ts";
import type { Tables } from "../schema.ts";
import type { Tokens } from "../types/tokens.ts";

export function tokens(connection: Connection): Tokens {
  return {
    active: async (token_hash) => await active.one(connection, { token_hash }),
    revoked: async (ids) => (await revoked.all(connection, { ids })).map(({ id }) => id),
    find: async (id) => await byId.one(connection, { id }),
    createdBy: async (uid) => {
      const event = await eventByUid.one(connection, { uid });
      if (event?.type !== "token.created") return undefined;
      return await byUid.one(connection, { uid: event.payload.token_uid });
    },
    list: async () => await all.all(connection, {}),
  };
}

const active = statement((db, p: { token_hash: string }) =>
  db
    .selectFrom("api_token")
    .select(["id", "uid", "actor"])
    .where("token_hash", "=", p.token_hash)
    .where("revoked_at", "is", null),
);

const revoked = statement((db, p: { ids: readonly number[] }, dialect) =>
  db
    .selectFrom("api_token")
    .select("id")
    .where(({ ref }) => isIn(dialect, ref("id"), p.ids, "bigint"))
    .where("revoked_at", "is not", null),
);

const withUse = (db: Kysely<Tables>) =>
  db
    .selectFrom("api_token as t")
    .leftJoin("api_token_use as u", "u.token_uid", "t.uid")
    .selectAll("t")
    .select("u.last_used_at");

const byId = statement((db, p: { id: number }) => withUse(db).where("t.id", "=", p.id));
const byUid = statement((db, p: { uid: string }) => withUse(db).where("t.uid", "=", p.uid));
const all = statement((db, _p: Record<never, never>) => withUse(db).orderBy("t.id"));

const eventByUid = rowsWith("event", ["uid"]).map(eventOf);
