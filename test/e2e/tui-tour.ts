import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { msToInstant, systemClock } from "../../src/base/clock.ts";
import { runDemo } from "../../src/cli/demo/run.ts";
import { loadConfig } from "../../src/config/load.ts";
import { startDaemon } from "../../src/daemon/index.ts";
import { settingsFrom } from "../../src/daemon/settings.ts";
import { FakeClock } from "../support/clock.ts";
import { countingIds } from "../support/ids.ts";
import { type Box, box } from "./box.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** A client replaces a daemon of another version, so the story uses its own version. */
export const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The story began this long ago. The half hour keeps every age away from a full hour. */
const BEGAN_MS = 6 * DAY_MS + HOUR_MS / 2;

/** The keys to type, and what the screen must show before the next stop. */
export interface Stop {
  /** The name of its picture; without a name no picture is kept. */
  readonly name?: string;
  readonly keys: string;
  readonly shows: string;
}

const [ENTER, ESC, TAB, SAVE] = ["\r", "\u001B", "\t", "\u0013"];

/**
 * The main tour: find, read, create, block, close, undo, and every screen. At most eight keys are sent at once, except
 * for a text alone, since more would be treated as a paste.
 */
export const TOUR: readonly Stop[] = [
  { name: "board", keys: "", shows: "Tag 1.4 and publish" },
  { name: "filter", keys: "/label:bug", shows: "label:bug" },
  { keys: `${ENTER}c`, shows: "Sync engine" },
  { keys: "/larger", shows: "open larger" },
  { name: "detail", keys: `${ENTER}${ENTER}`, shows: "Comments" },
  { name: "links", keys: `${TAB}${TAB}`, shows: "[Links" },
  { keys: ESC, shows: "/ filter" },
  { keys: "c", shows: "Sync engine" },
  { name: "new-issue", keys: "n", shows: "Title" },
  { keys: "Thank the testers", shows: "Thank the testers" },
  { name: "created", keys: SAVE, shows: "created" },
  { name: "blocker", keys: "b", shows: "before" },
  { keys: `a01n${ENTER}`, shows: "u undo" },
  { keys: "/larger", shows: "open larger" },
  { name: "closed", keys: `${ENTER}x`, shows: "closed lantern#a00z" },
  { keys: "u", shows: "undone: closed" },
  { keys: "c", shows: "Sync engine" },
  { keys: "/label:docs", shows: "open label:docs" },
  { name: "marked", keys: `${ENTER}g  `, shows: "2 marked" },
  { keys: "+writing", shows: "writing" },
  { name: "labelled", keys: ENTER, shows: "writing on 2 issues" },
  { keys: "u", shows: "U redo" },
  { name: "lanes", keys: "cvv", shows: "Waiting" },
  { name: "owners", keys: "v", shows: "by owner" },
  { name: "inbox", keys: "v2", shows: "which draft do we keep?" },
  { name: "graph", keys: `1/tag${ENTER}3`, shows: "Prove that a power cut" },
  { name: "cron", keys: `4${TAB}`, shows: "nightly load test" },
  { name: "projects", keys: "5", shows: "website" },
  { name: "fleet", keys: "6", shows: "ben" },
  { name: "palette", keys: ":clo", shows: "close" },
  { keys: ESC, shows: "j/k" },
  { name: "help", keys: "?", shows: "of " },
  { keys: ESC, shows: "j/k" },
  { name: "writes", keys: "@", shows: "svc create" },
  { keys: ESC, shows: "m message" },
];

const JOB = "01M80000000000000000000J01";
const WORKFLOW = {
  name: "check",
  definition: { version: 1, steps: [{ key: "load", kind: "command", command: "make load" }] },
};

/**
 * Makes the project of the demo in a new home; by the daemon's clock, each command takes an hour. Adds what the demo
 * leaves out: requests, a lease, and a job with a run. The daemon runs in this process, so ids and ages are always the
 * same. `configOf` gives the config.toml of the home.
 */
export async function story(configOf?: (place: Box) => string): Promise<Box> {
  const place = box({ SVC_AUTHOR: "ana", NO_MOTION: "1" });
  if (configOf !== undefined) {
    mkdirSync(place.home, { mode: 0o700 });
    writeFileSync(join(place.home, "config.toml"), configOf(place), { mode: 0o600 });
  }
  const began = systemClock.nowMs() - BEGAN_MS;
  const clock = new FakeClock(msToInstant(began));
  const config = await loadConfig({ env: place.env, cwd: place.work });
  const daemon = await startDaemon({ ...settingsFrom(config, version), clock, ids: countingIds() });
  onTestFinished(async () => await daemon.stop());

  let last: Promise<unknown> = Promise.resolve();
  const run = async (words: readonly string[], by = "ana"): Promise<string> => {
    const mine = last.then(async () => {
      clock.advance(HOUR_MS);
      const { code, stdout, stderr } = await place.svc(...words, "--as", by);
      if (code !== 0) throw new Error(`svc ${words.join(" ")}: ${stderr}`);
      return stdout;
    });
    last = mine;
    return await mine;
  };
  const nothing = (): void => undefined;
  const { refs } = await runDemo(
    {
      ...place,
      signal: new AbortController().signal,
      run,
      show: async (words) => void (await run(words)),
      remove: async () => undefined,
    },
    {
      say: nothing,
      paint: (_role, text) => text,
      progress: { show: nothing, end: nothing },
      mode: undefined,
      day: (days) => msToInstant(began + days * DAY_MS).slice(0, 10),
    },
  );
  const ref = (key: string): string => refs.get(key) ?? key;
  await run(["init", "--project", "website", "--workspace", place.temp]);
  const file = (name: string, value: object): string => {
    const path = join(place.temp, name);
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  const job = {
    name: "nightly load test",
    definition: {
      version: 1,
      kind: "job",
      enabled: false,
      trigger: { kind: "cron", cron: "0 3 * * *", timezone: "Europe/Paris" },
      action: { kind: "notify", recipient: "dev" },
      issue: { kind: "per-run", title: "Nightly load test" },
      overlap: "allow",
      catchup: "latest",
    },
  };
  await run(["cron", "workflow", "create", "--file", file("workflow.json", WORKFLOW)]);
  await run([
    "cron",
    "job",
    "create",
    "--file",
    file("job.json", job),
    "--parent",
    ref("load"),
    "--uid",
    JOB,
  ]);
  await run(["lease", "acquire", ref("waiting")], "ben");
  await run(["notify", ref("clash"), "--to", "ana", "--message", "which draft do we keep?"], "mei");
  await run(["notify", ref("key"), "--to", "ana", "--message", "the key is ready to sign"], "dev");
  clock.advance(began + BEGAN_MS - HOUR_MS / 2 - clock.nowMs());
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  void goOn(clock, ended.signal);
  return place;
}

/** From now on, the daemon's clock moves with the real time, so that its heartbeats come. */
async function goOn(clock: FakeClock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await systemClock.sleep(1000, signal);
    clock.advance(1000);
  }
}
