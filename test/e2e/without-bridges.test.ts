import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { box } from "./box.ts";
import { modulesIn } from "./loaded-modules.ts";

const CONNECTOR = join(import.meta.dirname, "..", "..", "examples", "connectors", "files.mjs");

/** The first scan is two seconds after the start. */
const SCANNED_MS = 4000;

test.each([
  ["without connectors loads neither the engine of bridges nor the connectors", false, false],
  ["with connectors and without bridges loads the engine alone", true, false],
  ["with a bridge loads both", true, true],
])(
  "a daemon %s",
  async (_what, hasConnectors, hasBridge) => {
    const modules = await loaded(hasConnectors, hasBridge);
    // Proof that the record is one of a daemon whose engines have begun.
    expect(modules).toContain("src/engines/engines.ts");
    expect(modules.includes("src/engines/bridges.ts")).toBe(hasConnectors);
    expect(modules.includes("src/connectors/registry.ts")).toBe(hasBridge);
    expect(modules.includes("src/connectors/process.ts")).toBe(hasBridge);
  },
  60_000,
);

/** The modules of a daemon that has scanned once, and whose issue is bound to a file or not. */
async function loaded(hasConnectors: boolean, hasBridge: boolean): Promise<readonly string[]> {
  const b = box();
  const [record, notes] = [join(b.folder, "record"), join(b.folder, "notes")];
  for (const folder of [record, b.home, notes]) mkdirSync(folder, { mode: 0o700 });
  const entry = `[[connector]]
id = "files"
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([CONNECTOR])}
settings = { folder = ${JSON.stringify(notes)} }
`;
  writeFileSync(join(b.home, "config.toml"), hasConnectors ? entry : "", { mode: 0o600 });
  writeFileSync(join(notes, "plan.md"), "# The plan\n");
  if (hasBridge) {
    await b.svc("init", "--project", "web");
    const { issue } = await b.json<{ issue: { short_id: string } }>("create", "before");
    await b.json("bridge", "bind", issue.short_id, "--connector", "files", "--external", "plan.md");
    await b.json("daemon", "stop");
  }
  const daemon = spawn(process.execPath, [b.launcher, "daemon", "start", "--foreground"], {
    ...{ cwd: b.work, env: { ...b.env, NODE_V8_COVERAGE: record }, stdio: "ignore" },
  });
  onTestFinished(() => void daemon.kill());
  await vi.waitFor(
    async () => expect((await b.svc("daemon", "locate", "--no-start")).code).toBe(0),
    20_000,
  );
  await systemClock.sleep(SCANNED_MS);
  const ended = once(daemon, "exit");
  daemon.kill();
  await ended;
  return modulesIn(record);
}
