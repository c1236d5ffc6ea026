import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import { type Client, openClient } from "../../src/client/client.ts";
import { waitForIssues } from "../../src/client/wait-issues.ts";
import { closeIssue } from "../../src/contract/actions.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { initProject } from "../../src/contract/projects.ts";
import { type DaemonProcess, daemonProcess } from "./daemon-process.ts";

const WAITERS = 3;
/** A waiter that has not woken after this time has missed the event. */
const MISSED_MS = 20_000;

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8"),
) as { readonly version: string };

/** What happens to the daemon around the moment at which the issue is closed. */
export const MOMENTS = [
  "closed, and killed as soon as that is acknowledged",
  "killed, and closed as soon as the next daemon answers",
  "closed, and stopped as soon as that is acknowledged",
  "stopped, and closed as soon as the next daemon answers",
  "killed and started twice, with the close in between",
] as const;

export type Moment = (typeof MOMENTS)[number];

export interface WaitRound {
  readonly moment: Moment;
  readonly waiters: number;
  readonly missed: number;
  /** The times from the close, or from the next daemon's start, to each wake-up. */
  readonly wakeMs: readonly number[];
}

export interface Rounds {
  run(moment: Moment): Promise<WaitRound>;
  readonly env: Readonly<Record<string, string>>;
  /** Makes an issue that no round closes. */
  create(title: string): Promise<string>;
  close(uid: string): Promise<void>;
  stop(): Promise<void>;
}

/** A home whose daemon, in another process, is restarted in each round while clients wait for issues. */
export async function waitRounds(folder: string): Promise<Rounds> {
  const env = {
    HOME: folder,
    SVC_HOME: join(folder, "home"),
    XDG_RUNTIME_DIR: join(folder, "run"),
    SVC_AUTHOR: "ann",
    PATH: process.env["PATH"] ?? "",
  };
  let daemon = await daemonProcess({ folder });
  const writer = await clientOf(folder, env);
  const { project } = await call(writer, initProject, { body: { name: "wait", actor: "ann" } });
  const params = { project_id: project.id };

  const create = async (title: string): Promise<string> => {
    const body = { title, actor: "ann", force_new: true };
    return (await call(writer, createIssue, { params, body })).issue.uid;
  };
  const close = async (ref: string): Promise<void> => {
    const body = { actor: "ann", source: "tui" } as const;
    await call(writer, closeIssue, { params: { ...params, ref }, body });
  };
  const restart = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    daemon = await restarted(daemon, signal);
  };

  const acts: Readonly<Record<Moment, (uid: string) => Promise<void>>> = {
    [MOMENTS[0]]: async (uid) => {
      await close(uid);
      await restart("SIGKILL");
    },
    [MOMENTS[1]]: async (uid) => {
      await restart("SIGKILL");
      await close(uid);
    },
    [MOMENTS[2]]: async (uid) => {
      await close(uid);
      await restart("SIGTERM");
    },
    [MOMENTS[3]]: async (uid) => {
      await restart("SIGTERM");
      await close(uid);
    },
    [MOMENTS[4]]: async (uid) => {
      await restart("SIGKILL");
      await close(uid);
      await restart("SIGKILL");
    },
  };

  return {
    env,
    create,
    close,
    run: async (moment) => {
      const uid = await create(moment);
      const waits = await Promise.all(
        Array.from({ length: WAITERS }, async () => await startWait(folder, env, uid)),
      );
      await acts[moment](uid);
      const since = performance.now();
      const woken = await Promise.all(waits.map(async ({ woken }) => await woken));
      const wakeMs = woken.flatMap((at) => (at === undefined ? [] : [Math.max(0, at - since)]));
      return { moment, waiters: WAITERS, missed: woken.length - wakeMs.length, wakeMs };
    },
    stop: async () => {
      await writer.close();
      await daemon.end("SIGTERM");
    },
  };
}

async function restarted(
  { end, folder }: DaemonProcess,
  signal: "SIGKILL" | "SIGTERM",
): Promise<DaemonProcess> {
  await end(signal);
  return await daemonProcess({ folder });
}

/** Resolves when the waiter has checked once. `woken` is the time at which it found the issue closed. */
async function startWait(folder: string, env: Readonly<Record<string, string>>, uid: string) {
  const client = await clientOf(folder, env);
  const over = new AbortController();
  let looked = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    looked = resolve;
  });
  const waiting = waitForIssues(client, {
    uids: [uid],
    met: ({ shown }) => {
      looked();
      return shown.issue.status === "closed" ? "closed" : undefined;
    },
    ready: false,
    any: false,
    signal: over.signal,
    pollMs: MISSED_MS,
  });
  const woken = (async (): Promise<number | undefined> => {
    const limit = new AbortController();
    void systemClock.sleep(MISSED_MS, limit.signal).then(() => over.abort());
    const { satisfied } = await waiting;
    limit.abort();
    const at = performance.now();
    await client.close();
    return satisfied ? at : undefined;
  })();
  await Promise.race([first, woken]);
  return { woken };
}

async function clientOf(folder: string, env: Readonly<Record<string, string>>): Promise<Client> {
  const program = { version, launcher: undefined };
  return await openClient({ program, start: folder, cwd: folder, env, autostart: false });
}
