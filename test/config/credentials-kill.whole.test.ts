import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { Credentials, credentialsPath } from "../../src/config/credentials.ts";
import { folderWith } from "./folder.ts";

const MODULE = join(import.meta.dirname, "../../src/config/credentials.ts");
const PROJECTS = 500;

/** Stores a new token of one project again and again. Each token is one letter many times, so a mixture shows. */
const WRITER = `
const { Credentials } = await import(${JSON.stringify(MODULE)});
const [path, uid, ready] = process.argv.slice(1);
const file = new Credentials(path);
const known = await file.get(uid);
for (let round = 0; ; round += 1) {
  await file.store(uid, { ...known, token: "abcdefghij"[round % 10].repeat(2000) });
  if (round === 1) (await import("node:fs")).writeFileSync(ready, "");
}`;

function uidOf(project: number): string {
  return `01J000000000000000000${String(project).padStart(5, "0")}`;
}

// docs/contract/federation.md#13-outcomes, row 54.
test("a process that is killed while it writes the file of tokens leaves the old or the new content", async () => {
  const home = folderWith();
  const path = credentialsPath(home);
  const entry = {
    hub_url: "https://hub.example/tracker",
    ...{ hub_project_id: 3, capabilities: ["pull"], actor: "ana", allow_insecure: false },
    spoke_instance_uid: "01J0000000000000000000000S",
  };
  const others = Array.from({ length: PROJECTS }, (_, project) => uidOf(project));
  const text = others.map((uid) =>
    [`[projects.${uid}]`, ...Object.entries({ ...entry, token: `token-${uid}` }).map(lineOf)].join(
      "\n",
    ),
  );
  writeFileSync(path, `${text.join("\n\n")}\n`, { mode: 0o600 });
  const written = uidOf(0);

  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 40 }), async (waitMs) => {
      const ready = join(home, `ready-${systemClock.nowMs()}`);
      const words = ["--input-type=module", "-e", WRITER, path, written, ready];
      const child = spawn(process.execPath, words, { stdio: "inherit" });
      await vi.waitFor(() => expect(existsSync(ready)).toBe(true), 20_000);
      await systemClock.sleep(waitMs);
      child.kill("SIGKILL");
      await once(child, "exit");

      const known = await new Credentials(path).all();
      expect([...known.keys()].toSorted()).toEqual(others);
      expect(known.get(written)?.token).toMatch(/^([a-j])\1{1999}$/);
      expect(known.get(uidOf(1))?.token).toBe(`token-${uidOf(1)}`);
      // The next writer would wait for five seconds before it takes this for a leftover.
      rmSync(`${path}.new`, { force: true });
    }),
    { numRuns: 12 },
  );
}, 120_000);

function lineOf([key, value]: readonly [string, unknown]): string {
  return `${key} = ${JSON.stringify(value)}`;
}
