import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { serveProvider } from "../meaning/provider/server.ts";
import { ProviderState } from "../meaning/provider/state.ts";
import { box } from "./box.ts";
import { modulesIn } from "./loaded-modules.ts";

/** Modules that only search by meaning needs. */
const OF_MEANING = /^src\/(?:meaning|store\/vectors)\/|^src\/daemon\/meaning\/meaning\.ts$/;

test.each([
  [
    "without a provider loads no module of search by meaning, starts no thread and makes no file",
    false,
  ],
  ["with a provider does all of that", true],
])("a daemon %s", async (_what, has) => {
  const state = new ProviderState();
  state.behave({ dims: 16 });
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  const section = `[search.embeddings]\nbase_url = "${baseUrl}"\nmodel = "m"\ndims = 16\n`;
  const { mode, files, threads, modules } = await searched(has ? section : "");
  // Proof that the record is one of a daemon that has searched.
  expect(modules).toContain("src/ops/search/search.ts");
  expect(mode).toBe(has ? "hybrid" : "lexical");
  expect(files.filter((name) => name.startsWith("svc.vectors.db")).length > 0).toBe(has);
  expect(threads.includes("scoring")).toBe(has);
  const found = modules.filter((name) => OF_MEANING.test(name));
  if (has) expect(found).toContain("src/meaning/reconciler.ts");
  else expect(found).toEqual([]);
});

/** Runs a daemon in a process of its own, lets it make an issue and searches it. */
async function searched(section: string) {
  const b = box();
  const record = join(b.folder, "record");
  for (const folder of [record, b.home]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(b.home, "config.toml"), section, { mode: 0o600 });
  const daemon = spawn(process.execPath, [b.launcher, "daemon", "start", "--foreground"], {
    cwd: b.work,
    env: { ...b.env, NODE_V8_COVERAGE: record },
    stdio: "ignore",
  });
  onTestFinished(() => void daemon.kill());
  await until(async () => (await b.svc("daemon", "locate", "--json", "--no-start")).code === 0);
  await b.svc("init", "--project", "web");
  await b.svc("create", "latency of the website");
  const search = async () => (await b.json<{ mode: string }>("search", "website")).mode;
  // The issue is embedded a moment after it was made.
  if (section !== "") await until(async () => (await search()) === "hybrid");
  const mode = await search();
  const threads = threadsOf(daemon.pid ?? 0);
  const files = readdirSync(b.home);
  const ended = once(daemon, "exit");
  daemon.kill();
  await ended;
  return { mode, files, threads, modules: modulesIn(record) };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await systemClock.sleep(100);
}

/** The names of the threads of a process. */
function threadsOf(pid: number): readonly string[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((thread) =>
    readFileSync(join(folder, thread, "comm"), "utf8").trim(),
  );
}
