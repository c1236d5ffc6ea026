import type { Migration } from "../upgrade/migrate.ts";

/**
 * Adds to each idempotency key the uid of the database that got the request, since another daemon may use the same key.
 */
export const keysOfInstances: Migration = {
  version: 55,
  up: async ({ table, index, run }) => {
    await run("create table idempotency_before as select * from idempotency");
    await run("drop table idempotency");
    await table(
      "idempotency",
      `scope_uid text not null, operation text not null, key text not null,
       origin_instance_uid text not null, fingerprint text not null, event_uid text not null,
       created_at text not null`,
      "primary key (scope_uid, operation, key, origin_instance_uid)",
    );
    await run(
      `insert into idempotency (scope_uid, operation, key, origin_instance_uid, fingerprint, event_uid, created_at)
       select b.scope_uid, b.operation, b.key, e.origin_instance_uid, b.fingerprint, b.event_uid, b.created_at
       from idempotency_before as b join event as e on e.uid = b.event_uid`,
    );
    await run("drop table idempotency_before");
    await index("idempotency_take", "idempotency", "key, created_at, event_uid", {
      where: "operation = 'take'",
    });
  },
};
