import type { health } from "../../contract/health.ts";
import type { Output } from "../../contract/route.ts";
import type { Finding } from "../../domain/finding.ts";
import type { Reader } from "../../store/types/store.ts";

export type Health = Output<typeof health>;

/**
 * What `svc doctor` looks at because of an engine. It runs without the engine: in another process than the daemon's, and
 * on a database that no daemon serves. So these files load nothing that only a daemon needs.
 */
export interface EngineChecks {
  /** The name of the engine. */
  readonly engine: string;
  /** The fault of the engine that the check `daemon.health` names, if the daemon's health tells of one. */
  readonly fault?: (health: Health) => Finding | undefined;
  /** Checks of the daemon's health. */
  readonly ofHealth?: readonly { readonly id: string; look(health: Health): Finding }[];
  /** Checks of the database. */
  readonly ofDatabase?: readonly { readonly id: string; look(reader: Reader): Promise<Finding> }[];
}
