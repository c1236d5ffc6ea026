import type { Migration } from "../migrate.ts";

/** The key of a take is looked up without the issue that it took. */
export const takeKeys: Migration = {
  version: 35,
  up: async ({ index }) => {
    await index("idempotency_take", "idempotency", "key, created_at, event_uid", {
      where: "operation = 'take'",
    });
  },
};
