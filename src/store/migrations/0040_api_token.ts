import type { Migration } from "../upgrade/migrate.ts";

export const apiToken: Migration = {
  version: 40,
  up: async ({ table, index }) => {
    await table(
      "api_token",
      "id int primary key, uid text not null unique, actor text not null, name text, token_hash text not null, created_at text not null, revoked_at text",
    );
    await index("api_token_hash", "api_token", "token_hash", { unique: true });
    await table(
      "api_token_use",
      "token_uid text not null references api_token (uid), last_used_at text not null",
      "primary key (token_uid)",
    );
  },
};
