import type { Migration } from "../upgrade/migrate.ts";

/** Adds an index that finds the idempotency key of a request to take an issue, whichever issue was taken. */
export const takeKeys: Migration = {
  version: 35,
  up: async ({ index }) => {
    await index("idempotency_take", "idempotency", "key, created_at, event_uid", {
      where: "operation = 'take'",
    });
  },
};
