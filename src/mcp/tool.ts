import type { z } from "zod";
import type { Clock } from "../base/clock.ts";
import type { Daemon } from "./daemon.ts";
import type { Scope } from "./scope.ts";
import type { HostStorage } from "./storage/host-storage.ts";

/** What the protocol lets a tool say about itself in advance. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  /** Whether the tool may replace or remove existing data. A tool that only adds data does not. */
  readonly destructiveHint: boolean;
  /** Whether a second call with the same arguments has no further effect. */
  readonly idempotentHint: boolean;
  /** Whether the tool uses systems outside of this daemon. */
  readonly openWorldHint: boolean;
}

/** The annotations of a tool that only reads. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The annotations of most tools that change something. Other tools name the differences. */
export const CHANGES: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

export interface ToolContext extends Daemon {
  readonly scope: Scope;
  /** The actor to which writes are attributed. It is fixed when the server starts. */
  readonly actor: string;
  /** Whether requests to the daemon carry a token. */
  readonly hasToken: boolean;
  /** Present if the server was started with a storage root. */
  readonly storage?: HostStorage | undefined;
  readonly clock: Clock;
  /**
   * Runs work that alternately checks the daemon and waits until something has changed. While it waits, other calls can
   * run. No change between two checks is missed.
   */
  watch<T>(work: (rest: (ms: number) => Promise<void>) => Promise<T>): Promise<T>;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
}

/** One tool (docs/contract/tools.md#8-tools). Agents choose it by its `title` and `description`. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  /** An object that accepts no further members. Each of its properties has a description. */
  readonly input: I;
  /**
   * An object that accepts no further members. Its properties have no descriptions, which would double the size of the
   * catalogue.
   */
  readonly output: O;
  run(input: z.output<I>, context: ToolContext): Promise<z.input<O>>;
}

/** Returns the tool unchanged. The call lets TypeScript infer the types of its input and output. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(spec: Tool<I, O>): Tool<I, O> {
  return spec;
}
