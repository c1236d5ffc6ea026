import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { call } from "../../../src/client/call.ts";
import { type Client, openClient } from "../../../src/client/client.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { runtimeDir } from "../../../src/config/paths.ts";
import { instance } from "../../../src/contract/health.ts";
import { listIssues } from "../../../src/contract/issues.ts";
import { initProject } from "../../../src/contract/projects.ts";
import { startDaemon } from "../../../src/daemon/index.ts";
import type { Effect } from "../../../src/screen/effect.ts";
import { COALESCE_MS } from "../../../src/screen/effects/changed-issues.ts";
import { initialState } from "../../../src/screen/initial-state.ts";
import type { Message } from "../../../src/screen/message.ts";
import { SCREENS } from "../../../src/screen/screens.ts";
import { feedOf } from "../../../tui/feed.ts";
import { TERMINAL } from "../../../tui/fit.ts";
import { createStore } from "../../../tui/store.ts";
import { FakeClock } from "../clock.ts";
import { daemonSettings } from "../daemon.ts";
import { countingIds } from "../ids.ts";
import { bareSurface } from "../surface.ts";
import { chanceOf, type Place, Work } from "./work.ts";

/** What the daemon reports about an issue of the watched project. */
export interface Expected {
  readonly uid: string;
  readonly short_id: string;
  readonly status: string;
  readonly owner: string | undefined;
  readonly title: string;
  readonly priority: number | undefined;
  readonly labels: readonly string[];
  readonly blocked: boolean;
  readonly children: { readonly open: number; readonly total: number };
  readonly revision: number;
}

/** A moment of the recording at which the screen had got every event so far. */
export interface Checkpoint {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly events: number;
  readonly issues: readonly Expected[];
}

export interface Fleet {
  /** The recording as `svc tui --record` writes it. */
  readonly file: string;
  readonly checkpoints: readonly Checkpoint[];
  readonly refused: number;
}

export interface FleetOptions {
  readonly seed: number;
  readonly events: number;
  /** The daemon is asked after each of this many events. */
  readonly every: number;
}

const VERSION = "1.2.3";
/** The most events that one step writes, including those of leases that expire during the step. */
const EVENTS_PER_STEP = 4;

/**
 * Lets a group of people and agents work with a real daemon over its socket, under a fake clock. The screen's own feed
 * watches and records it. What the screen should have shown is asked from the daemon.
 */
export async function recordFleet({ seed, events, every }: FleetOptions): Promise<Fleet> {
  // Keep the database in memory: thousands of commits would take long on a disk, and nobody needs them later.
  const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const home = mkdtempSync(join(memory, "svc-fleet-"));
  const clock = new FakeClock("2026-11-21T08:00:00.000Z");
  const env = { PATH: process.env["PATH"], HOME: home, SVC_HOME: home };
  const { dsn } = await loadConfig({ env, cwd: home });
  const daemon = await startDaemon({
    ...daemonSettings({ folder: home, version: VERSION }),
    dsn,
    runtimeDir: runtimeDir(home, dsn),
    socketPath: join(home, "s"),
    clock,
    ids: countingIds(),
  });
  const program = { version: VERSION, launcher: undefined };
  const client = await openClient({ program, start: home, cwd: home, env, autostart: false });
  try {
    const project = async (name: string): Promise<Place> => {
      const made = await call(client, initProject, { body: { name, actor: "ana" } });
      const { id, uid } = made.project;
      return { id, uid, name };
    };
    const [watched, other] = [await project("lantern"), await project("elsewhere")];
    const chance = chanceOf(seed);
    const work = new Work(client, chance, watched, other);
    const screen = watching(client, clock, watched, join(home, "recording"));
    const checkpoints: Checkpoint[] = [];
    let next = every;
    let last = await lastEvent(client);
    for (let most = last; last < events; ) {
      // Between 0.1 and 2 seconds.
      clock.advance(100 + chance.below(1900));
      await work.step();
      most += EVENTS_PER_STEP;
      if (most < next) continue;
      last = most = await lastEvent(client);
      if (last < next) continue;
      next = last - (last % every) + every;
      await screen.seen(last);
      const issues = await expected(client, watched);
      checkpoints.push({ at: screen.at(), events: last, issues });
    }
    const file = await screen.close();
    return { file, checkpoints, refused: work.refused };
  } finally {
    await client.close();
    await daemon.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function lastEvent(client: Client): Promise<number> {
  return (await call(client, instance, {})).last_event_id;
}

async function expected(client: Client, { id }: Place): Promise<readonly Expected[]> {
  const params = { project_id: id };
  const { issues } = await call(client, listIssues, { params, query: { limit: 10_000 } });
  return issues.map((issue) => ({
    uid: issue.uid,
    short_id: issue.short_id,
    status: issue.status,
    owner: issue.owner,
    title: issue.title,
    priority: issue.priority,
    labels: issue.labels,
    blocked: issue.blocked,
    children: { open: issue.child_counts.open, total: issue.child_counts.total },
    revision: issue.revision,
  }));
}

/** The screen's own feed and store, without a person. */
function watching(client: Client, clock: FakeClock, watched: Place, path: string) {
  const ended = new AbortController();
  const startMs = clock.nowMs();
  let told = 0;
  /** The issues that events have changed and that were not read again yet. */
  const owed = new Set<string>();
  let wake = (): void => undefined;
  const dispatch = (message: Message): void => {
    if (message.type === "events") {
      told = Math.max(told, ...message.events.map(({ id }) => id));
      for (const uid of message.events.flatMap(({ uids }) => uids)) owed.add(uid);
    }
    store.dispatch(message);
    if (message.type === "issues" && message.part === "changed")
      for (const uid of [...message.issues.map((issue) => issue.uid), ...message.gone])
        owed.delete(uid);
    if (message.type === "failed") throw new Error(message.text);
    wake();
  };
  // Short sleeps end at once on this clock, because the screen only waits to draw several changes together.
  const eager: Clock = {
    now: () => clock.now(),
    nowMs: () => clock.nowMs(),
    sleep: async (ms, signal) =>
      await (ms <= COALESCE_MS ? systemClock.sleep(0, signal) : clock.sleep(ms, signal)),
  };
  const surface = bareSurface({ clock: eager, signal: ended.signal, dispatch });
  const opening = {
    at: clock.now(),
    svc: VERSION,
    actor: "ana",
    daemon: "local",
    inboxOf: "ana",
    zone: "UTC",
    scope: { project: { id: watched.id, name: watched.name } },
    open: undefined,
  };
  const record = openSync(path, "wx", 0o600);
  const others = { open: () => client, ownActor: async () => "ana" };
  const source = { from: "daemon", client, ...others, record, maxBytes: 1e9 } as const;
  const feed = feedOf({ source, surface, clock: eager, actor: "ana", opening });
  const state = initialState({
    ...opening,
    fit: TERMINAL,
    screens: SCREENS,
    columns: 160,
    rows: 50,
    now: clock.now(),
    version: VERSION,
    session: "fleet",
    confirmQuit: true,
    views: [],
  });
  const run = (effect: Effect): void => {
    if (effect.effect === "refresh") for (const uid of effect.uids) owed.add(uid);
    feed.run(effect);
  };
  const store = feed.listening(createStore(state, eager, run));
  const following = feed.follow();
  return {
    at: () => clock.nowMs() - startMs,
    /** Resolves when the screen has got all events up to this id, and has read the issues that they changed. */
    seen: async (id: number): Promise<void> => {
      while (told < id || owed.size > 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    close: async (): Promise<string> => {
      ended.abort();
      await following;
      await feed.close();
      return readFileSync(path, "utf8");
    },
  };
}
