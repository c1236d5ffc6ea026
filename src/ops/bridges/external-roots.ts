import type { Described } from "../../domain/bridges/values.ts";
import type { ConnectorClient, ConnectorFault } from "./far-side.ts";

/** How one connector answered. It is healthy if it has no fault. */
export type ConnectorHealth = { readonly instance_id: string } & (
  | { readonly described: Described }
  | { readonly fault: ConnectorFault }
);

/** The connectors of a daemon, as operations see them. Absent if config.toml has none. */
export interface ExternalRoots {
  /** The ids of the connectors, sorted. */
  instances(): readonly string[];
  /**
   * Starts these connectors, a few at once, and returns how each answered, in the order of `instances`. One that fails
   * does not fail the others. Rejects with the reason of `signal` if that is aborted.
   */
  health(instances: readonly string[], signal: AbortSignal): Promise<readonly ConnectorHealth[]>;
  /**
   * The methods of a connector; `undefined` if no entry has this id. Calls end when `signal` is aborted, and then throw
   * its reason. `describe` also throws if the program is another one than it was at first.
   */
  client(instance: string, signal: AbortSignal): ConnectorClient | undefined;
}
