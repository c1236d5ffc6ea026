import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const PROCESS = path.join(import.meta.dirname, "spokes-process.ts");

/** The spokes of one process, and their hub. */
export interface SpokesPlace {
  readonly socketPath: string;
  readonly hubUrl: string;
  readonly projectUid: string;
  readonly folder: string;
  readonly first: number;
  readonly count: number;
  /** What the hub says about the project. */
  readonly known: {
    readonly project_id: number;
    readonly replay_horizon_event_id: number;
    readonly baseline_through_event_id: number;
  };
}

/**
 * What every spoke has to do.
 * - `hash`: return the hash of the rows that all daemons must show alike.
 * - `shift`: move the clock ahead.
 * - `offline`: from now on, only the spoke with this number cannot reach the hub.
 */
export type Order =
  | { readonly do: "pull" | "hash" | "status" }
  | { readonly do: "write"; readonly changes: number }
  | { readonly do: "shift"; readonly ms: number }
  | { readonly do: "offline"; readonly spoke: number };

export interface SpokeStatus {
  readonly enabled: boolean;
  readonly error: string | null;
  /** When the spoke last had everything that the hub has. */
  readonly readAt: string | null;
  /** Whether the hub has everything that was written on the spoke. */
  readonly isSent: boolean;
}

export interface Spokes {
  /** Lets all spokes carry out the order at the same time. Returns the answers in the order of the spokes. */
  all<T>(order: Order): Promise<readonly T[]>;
  close(): void;
}

/** Starts spokes of one hub, in a few processes of the lowest priority. */
export async function startSpokes(
  place: Omit<SpokesPlace, "first" | "count">,
  { spokes, processes }: { readonly spokes: number; readonly processes: number },
): Promise<Spokes> {
  const children: Child[] = [];
  for (let at = 0; at < processes; at += 1) {
    const first = Math.floor((at * spokes) / processes);
    const count = Math.floor(((at + 1) * spokes) / processes) - first;
    const child = fork(PROCESS, [JSON.stringify({ ...place, first, count })]);
    const ended = once(child, "exit").then(() => {
      throw new Error("a process of spokes has ended");
    });
    ended.catch(() => undefined);
    children.push({ child, ended });
  }
  await Promise.all(children.map(answerOf));
  return {
    all: async <T>(order: Order) => {
      const answered = Promise.all(children.map(answerOf));
      for (const { child } of children) child.send(order);
      return (await answered).flat() as T[];
    },
    close: () => {
      for (const { child } of children) child.disconnect();
    },
  };
}

interface Child {
  readonly child: ChildProcess;
  /** Rejected when the process ends. */
  readonly ended: Promise<never>;
}

async function answerOf({ child, ended }: Child): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  child.once("message", resolve);
  return await Promise.race([promise, ended]);
}
