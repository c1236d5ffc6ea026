import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { MappingError } from "../contract/health.ts";
import { mappingBackoffMs } from "../domain/federation/mapping.ts";
import { MappingFault } from "../ops/federation/mapping-hub.ts";
import { type Engine, NEVER, type Sweep } from "./engines.ts";

/** A mapping of config.toml, as the engine sees it. */
export interface EngineMapping {
  readonly hub_url: string;
  /** Does what is left to do for the mapping. Throws `MappingFault`. */
  reconcile(sweep: Pick<Sweep, "store" | "signal">): Promise<"reconciled" | "left">;
}

interface Needs {
  readonly clock: Clock;
  readonly log: Log;
  /** In the order of config.toml. */
  readonly mappings: readonly EngineMapping[];
}

interface Tracked {
  readonly mapping: EngineMapping;
  /** The place of the mapping in config.toml, from 1. The log names a mapping only by this number. */
  readonly number: number;
  state: "pending" | "conflicted" | "reconciled";
  failures: number;
  dueMs: number;
}

const LONGEST_WAIT_MS = mappingBackoffMs(Number.POSITIVE_INFINITY);

/**
 * Reconciles the mappings of config.toml (docs/contract/federation.md#10-mappings). A sweep attempts the mappings that
 * are due, one after another in their order. Each is attempted at most once in a sweep, so that failing mappings do not
 * delay the others. A mapping that was reconciled is not checked again until the daemon restarts.
 */
export function federationMappingsEngine({ clock, log, mappings }: Needs): Engine {
  const all: readonly Tracked[] = mappings.map((mapping, place) => {
    return { mapping, number: place + 1, state: "pending", failures: 0, dueMs: 0 };
  });
  const latest: Latest = {};
  const failed = (one: Tracked, fault: MappingFault): void => {
    const { category, status, reason } = fault;
    const isConflict = category === "configuration_conflict" || category === "binding_conflict";
    one.state = isConflict ? "conflicted" : "pending";
    one.failures += 1;
    one.dueMs = clock.nowMs() + mappingBackoffMs(one.failures);
    latest.error = { category, status };
    const { number: mapping, failures } = one;
    log.info("federation_mapping.failed", { mapping, category, status, reason, failures });
  };
  const attempt = async (one: Tracked, sweep: Sweep): Promise<MappingFault | undefined> => {
    latest.attemptAt = clock.now();
    try {
      const outcome = await one.mapping.reconcile(sweep);
      Object.assign(one, { state: "reconciled", failures: 0 });
      latest.successAt = clock.now();
      log.info(`federation_mapping.${outcome}`, { mapping: one.number });
      return undefined;
    } catch (error) {
      if (sweep.signal.aborted) return undefined;
      if (!(error instanceof MappingFault)) log.error("federation_mapping.bug", placeOf(error));
      const fault = error instanceof MappingFault ? error : new MappingFault("internal");
      failed(one, fault);
      return fault;
    }
  };
  const isDue = ({ state, dueMs }: Tracked): boolean => {
    const wait = dueMs - clock.nowMs();
    // A wait that is longer than the longest one means that the clock was set back.
    return state !== "reconciled" && (wait <= 0 || wait > LONGEST_WAIT_MS);
  };
  return {
    name: "federation_mappings",
    firstMs: 1000,
    elected: false,
    delaysIdle: true,
    health: { field: "federation_config", read: () => blockOf(all, latest) },
    sweep: async (sweep) => {
      const silent = new Map<string, MappingFault>();
      for (const one of all.filter(isDue)) {
        if (sweep.signal.aborted) break;
        const { hub_url } = one.mapping;
        // A hub that has just given no answer is not asked again in this sweep: each time limit would delay the others.
        const known = silent.get(hub_url);
        if (known !== undefined) {
          failed(one, known);
          continue;
        }
        const fault = await attempt(one, sweep);
        if (fault !== undefined && isSilence(fault)) silent.set(hub_url, fault);
      }
      const waits = all
        .filter(({ state }) => state !== "reconciled")
        .map(({ dueMs }) => Math.max(0, dueMs - clock.nowMs()));
      return waits.length === 0 ? NEVER : Math.min(...waits, LONGEST_WAIT_MS);
    },
  };
}

interface Latest {
  attemptAt?: string;
  successAt?: string;
  error?: { readonly category: MappingError; readonly status: number | undefined };
}

function blockOf(all: readonly Tracked[], { attemptAt, successAt, error }: Latest) {
  const count = (wanted: Tracked["state"]): number =>
    all.filter(({ state }) => state === wanted).length;
  return {
    configured: all.length,
    reconciled: count("reconciled"),
    pending: count("pending"),
    conflicted: count("conflicted"),
    ...(attemptAt === undefined ? {} : { last_attempt_at: attemptAt }),
    ...(successAt === undefined ? {} : { last_success_at: successAt }),
    ...(error === undefined ? {} : { last_error_category: error.category }),
    ...(error?.status === undefined ? {} : { last_error_status: error.status }),
  };
}

function isSilence({ category, status }: MappingFault): boolean {
  return category === "hub_unavailable" && status === undefined;
}

/** Where a bug is, without its message, which could name a hub or a project. */
function placeOf(error: unknown): { readonly error: string; readonly at: readonly string[] } {
  if (!(error instanceof Error)) return { error: typeof error, at: [] };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return { error: error.name, at: frames.map((line) => line.trim()) };
}
