import { Client } from "pg";
import { systemClock } from "../../src/base/clock.ts";
import type { Chance } from "../support/fleet/work.ts";
import type { Site } from "./site.ts";

/** Something that happens to a daemon or to its connection. It resolves when the fault is over. */
type Fault = (site: Site, dsn: string) => Promise<void>;

/** The daemon waits through a fault of one second. It gives up a silent connection only after ten seconds. */
const SHORT_MS = 1000;

/** The faults of a short run. Each ends by itself, or is noticed at once by one side. */
const QUICK = {
  "every connection breaks": async ({ network }) => network.cut(),
  "the daemon's side of its connections breaks": async ({ network }) => network.cut("client"),
  "the connection breaks after commit was sent": async ({ network }) =>
    await next(network.after("toServer", "commit", () => network.cut())),
  "the connection breaks for the daemon alone after commit was sent": async ({ network }) =>
    await next(network.after("toServer", "commit", () => network.cut("client"))),
  "commits are held back, then the connection breaks": async ({ network }) => {
    network.hold("toServer");
    await systemClock.sleep(SHORT_MS / 4);
    network.cut("client");
    network.pass();
  },
  "the server cannot be reached for a second": async ({ network }) => {
    await network.refuse();
    network.cut();
    await systemClock.sleep(SHORT_MS);
    await network.accept();
  },
  "the network stands still for a second": async ({ network }) => {
    network.hold();
    await systemClock.sleep(SHORT_MS);
    network.pass();
  },
  "the network is slow for a second": async ({ network }) => {
    network.delay(50);
    await systemClock.sleep(SHORT_MS);
    network.delay(0);
  },
  "the server ends the sessions of all daemons": async (_site, dsn) => await endSessions(dsn),
  "the daemon is killed": async (site) => await site.restart(),
} as const satisfies Record<string, Fault>;

/** Faults that only a time limit of the daemon ends. */
const SILENT = {
  "a firewall forgets the open connections": async ({ network }) => network.silence(),
  "answers of the server are lost": async ({ network }) => network.silence("toClient"),
  "a black hole swallows everything for two seconds": async ({ network }) => {
    network.drop();
    await systemClock.sleep(2 * SHORT_MS);
    network.pass();
  },
  "commits arrive, and nothing comes back": async ({ network }) =>
    await next(network.after("toServer", "commit", () => network.silence("toClient"))),
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof QUICK | keyof typeof SILENT;

export const QUICK_FAULTS = Object.keys(QUICK) as readonly FaultName[];
export const SILENT_FAULTS = Object.keys(SILENT) as readonly FaultName[];

const FAULTS: Readonly<Record<FaultName, Fault>> = { ...QUICK, ...SILENT };

export async function cause(name: FaultName, site: Site, dsn: string): Promise<void> {
  await FAULTS[name](site, dsn);
}

export function chooseFault(chance: Chance, names: readonly FaultName[]): FaultName {
  const name = chance.pick(names);
  if (name === undefined) throw new Error("there is no fault to choose");
  return name;
}

/** Waits until the text has passed, but at most a second: perhaps it does not pass any more. */
async function next(passed: Promise<void>): Promise<void> {
  await Promise.race([passed, systemClock.sleep(SHORT_MS)]);
}

async function endSessions(dsn: string): Promise<void> {
  const client = new Client({ connectionString: dsn });
  await client.connect();
  const others = "datname = current_database() and pid <> pg_backend_pid()";
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
  await client.end();
}
