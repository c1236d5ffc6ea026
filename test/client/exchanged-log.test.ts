import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { followEvents } from "../../src/client/events.ts";
import { createIssue } from "../../src/contract/issues.ts";
import { initProject } from "../../src/contract/projects.ts";
import { tempFolder } from "../support/daemon.ts";
import { Local } from "./local.ts";

/** A clock whose waits end at once, after other work had its turn. */
const hasty = {
  ...systemClock,
  sleep: async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve)),
};

/** Runs a daemon of the folder while `work` is done. */
async function serving<T>(local: Local, work: (client: Client) => Promise<T>): Promise<T> {
  const daemon = await local.daemon();
  try {
    return await work(await local.client());
  } finally {
    await daemon.stop();
  }
}

/** Makes issues in the only project of the daemon. Returns the ids of their events. */
async function written(client: Client, ...titles: readonly string[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const title of titles) {
    const body = { title, actor: "ann", force_new: true };
    const { event } = await call(client, createIssue, { params: { project_id: 1 }, body });
    if (event !== null) ids.push(event.id);
  }
  return ids;
}

/** Puts the closed database of a folder in the place of another. */
type Exchange = (from: string, to: string) => void;

const files = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith("svc.db"));

const EXCHANGES: Readonly<Record<string, Exchange>> = {
  "moved there": (from, to) => {
    rmSync(join(to, "svc.db"), { force: true });
    copyFileSync(join(from, "svc.db"), join(to, "svc.db"));
  },
  "moved there with all that is kept beside it": (from, to) => {
    for (const name of files(to)) rmSync(join(to, name));
    for (const name of files(from)) copyFileSync(join(from, name), join(to, name));
  },
  "written over the file": (from, to) => copyFileSync(join(from, "svc.db"), join(to, "svc.db")),
};

/** The titles of the issues in the copy. The reader has read the events of three issues before the exchange. */
const COPIES: Readonly<Record<string, readonly string[]>> = {
  "ends before the place of the reader": ["x"],
  "ends at the place of the reader": ["x", "y", "z"],
  "has passed the place of the reader": ["x", "y", "z", "u", "v"],
};

/** Follows a log by the client's reader. Returns what it has heard so far: the ids of events, and resets. */
function follower(client: Client): readonly (number | string)[] {
  const ended = new AbortController();
  const heard: (number | string)[] = [];
  const done = (async () => {
    const { signal } = ended;
    for await (const item of followEvents(client, { after: 0, signal, clock: hasty }))
      heard.push(item.kind === "event" ? item.id : `reset ${item.after}`);
  })();
  onTestFinished(async () => {
    ended.abort();
    await done;
  });
  return heard;
}

const cases = Object.entries(COPIES).flatMap(([what, titles]) =>
  Object.entries(EXCHANGES).map(([how, exchange]) => ({ what, titles, how, exchange })),
);

test.each(cases)(
  "the reader of an open stream is told if an older copy, which $what, replaces the log (the copy was $how)",
  async ({ titles, exchange }) => {
    const [own, copy] = [new Local(tempFolder()), new Local(tempFolder())];
    await serving(own, async (client) => {
      await call(client, initProject, { body: { name: "web", actor: "ann" } });
      await written(client, "before");
    });
    EXCHANGES["moved there"]?.(own.home, copy.home);
    const copied = await serving(copy, async (client) => await written(client, ...titles));

    const heard = await serving(own, async (client) => {
      const opened = follower(client);
      const ids = await written(client, "a", "b", "c");
      await expect.poll(() => opened).toEqual([1, 2, ...ids]);
      return opened;
    });
    const before = heard.length;
    exchange(copy.home, own.home);
    await serving(own, async (client) => {
      await expect.poll(() => heard.slice(before)).toEqual([`reset ${copied.at(-1)}`]);
      const ids = await written(client, "d");
      await expect.poll(() => heard.slice(before)).toEqual([`reset ${copied.at(-1)}`, ...ids]);
    });
  },
);
