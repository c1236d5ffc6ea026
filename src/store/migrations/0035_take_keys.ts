import type { Migration } from "../migrate.ts";

/** Finds an idempotency key of a take without knowing which issue was taken. */
export const takeKeys: Migration = {
  version: 35,
  up: async ({ index }) => {
    await index("idempotency_take", "idempotency", "key, created_at, event_uid", {
      where: "operation = 'take'",
    });
  },
};
