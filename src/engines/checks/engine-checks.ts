import type { health } from "../../contract/health.ts";
import type { Output } from "../../contract/route.ts";
import type { Finding } from "../../domain/finding.ts";
import type { Reader } from "../../store/types/store.ts";

export type Health = Output<typeof health>;

/**
 * The checks that `svc doctor` makes for an engine. They run without the engine: in another process than the daemon,
 * and even if no daemon serves the database. So these files load nothing that only a daemon needs.
 */
export interface EngineChecks {
  /** The name of the engine. */
  readonly engine: string;
  /** Returns the engine's fault, according to the daemon's health. The check `daemon.health` reports it. */
  readonly fault?: (health: Health) => Finding | undefined;
  /** Checks that use the daemon's health. */
  readonly ofHealth?: readonly { readonly id: string; look(health: Health): Finding }[];
  /** Checks that read the database. */
  readonly ofDatabase?: readonly { readonly id: string; look(reader: Reader): Promise<Finding> }[];
}
