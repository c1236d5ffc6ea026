import type { Migration } from "../upgrade/migrate.ts";

/** Adds a table for what svc doctor has verified, so that the next run compares digests instead of folding again. */
export const doctorCheckpoint: Migration = {
  version: 47,
  up: async ({ table }) => {
    await table(
      "doctor_checkpoint",
      "subject text not null, digest text not null, event_id int not null",
      "primary key (subject)",
    );
  },
};
