import { spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Box, box, ended } from "./box.ts";

const ROOT = join(import.meta.dirname, "..", "..");

interface Status {
  readonly daemons: readonly { readonly pid: number; readonly state: string }[];
}

/** Copies this build and changes the year in which it was made. */
function buildOf(place: Box, year: string) {
  const root = join(place.folder, `built-${year}`);
  for (const part of ["bin", "dist", "package.json"])
    cpSync(join(ROOT, part), join(root, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const name of readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".cjs")) continue;
    const path = join(root, "dist", name);
    const text = readFileSync(path, "utf8");
    const dated = text.replaceAll(/(built_at:)"20\d\d-/g, `$1"${year}-`);
    if (dated !== text) writeFileSync(path, dated);
  }
  return async <T>(...words: string[]): Promise<T> => {
    const child = spawn(process.execPath, [join(root, "bin", "run.js"), ...words, "--json"], {
      cwd: place.work,
      env: place.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { code, stdout, stderr } = await ended(child);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as T;
  };
}

test("an older build uses the daemon of a newer build, and only a newer build replaces the running daemon", async () => {
  const place = box();
  const [older, newer] = [buildOf(place, "2001"), buildOf(place, "2093")];
  const builtAt = async (svc: typeof older) =>
    (await svc<{ readonly built_at: string }>("version")).built_at.slice(0, 4);
  expect([await builtAt(older), await builtAt(newer)]).toEqual(["2001", "2093"]);

  const pid = async (): Promise<number | undefined> =>
    (await place.json<Status>("daemon", "status")).daemons[0]?.pid;
  await place.json("init", "--project", "tools");
  const first = await pid();
  await older("create", "by the older one");
  expect(await pid()).toBe(first);

  await newer("create", "by the newer one");
  const second = await pid();
  expect(second).not.toBe(first);
  const { issues } = await place.json<{ issues: readonly { title: string }[] }>("list");
  expect(issues.map(({ title }) => title).toSorted()).toEqual([
    "by the newer one",
    "by the older one",
  ]);
  await older("list");
  expect(await pid()).toBe(second);
}, 60_000);
