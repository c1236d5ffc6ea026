import type { health } from "../contract/health.ts";
import type { Output } from "../contract/route.ts";

/** The fields of the daemon's health that engines supply (`contract/health.ts`). */
type Blocks = Pick<
  Output<typeof health>,
  | "backup"
  | "backup_verification"
  | "sync"
  | "federation"
  | "federation_config"
  | "embeddings"
  | "bridges"
>;

/** A field of the daemon's health, and the function that returns its value. */
export type HealthBlock = {
  readonly [F in keyof Blocks]-?: {
    readonly field: F;
    /**
     * `isOwner`: whether the caller is the owner on this machine. Only the owner sees full paths, and messages with
     * paths.
     */
    read(isOwner: boolean): NonNullable<Blocks[F]>;
  };
}[keyof Blocks];

/** Replaces a message that only the owner on this machine may see. */
export const SEE_LOGS_THERE = "svc daemon logs on its machine says why";
