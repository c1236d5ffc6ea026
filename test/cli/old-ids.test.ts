import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandFiles, projectWorld } from "./harness.ts";

const DONE = ["--done", "-m", "The parser keeps the last line of a file", "--commit", "1f2e3d4"];

/** For each command that takes an issue, words that succeed one after the other. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  show: ["bd-1"],
  why: ["bd-1"],
  log: ["bd-1"],
  graph: ["bd-1"],
  events: ["--issue", "bd-1"],
  assign: ["bd-1", "bea"],
  unassign: ["bd-1"],
  claim: ["bd-1"],
  comment: ["bd-1", "-m", "hi"],
  "comment:edit": ["bd-1", "COMMENT", "-m", "ho"],
  edit: ["bd-1", "--title", "new", "--blocks", "bd-2"],
  "label:add": ["bd-1", "bug"],
  "label:rm": ["bd-1", "bug"],
  "lease:acquire": ["bd-1", "--ttl", "5m"],
  "lease:status": ["bd-1"],
  "lease:renew": ["bd-1", "--ttl", "5m"],
  "lease:release": ["bd-1"],
  "lease:steal": ["bd-1", "--as", "ann"],
  "lease:force-release": ["bd-1", "--as", "ann"],
  link: ["bd-1", "related", "bd-3"],
  "meta:set": ["bd-1", "area", "ui"],
  "meta:get": ["bd-1", "area"],
  "meta:unset": ["bd-1", "area"],
  schedule: ["bd-1", "2026-09-01"],
  deadline: ["bd-1", "2026-09-01"],
  notify: ["bd-1", "--to", "cyd", "--message", "look"],
  block: ["bd-3", "bd-4"],
  unblock: ["bd-3", "bd-4"],
  "dep:add": ["bd-3", "bd-4"],
  "dep:rm": ["bd-3", "bd-4"],
  close: ["bd-1", ...DONE],
  wait: ["bd-1", "--timeout", "5s"],
  reopen: ["bd-1"],
  done: ["bd-3", ...DONE.slice(1)],
  delete: ["bd-4", "--force", "--confirm", "DELETE {bd-4}"],
  restore: ["bd-4"],
  move: ["bd-3", "shop"],
  ui: ["bd-1", "--print"],
  purge: ["bd-2", "--force", "--confirm", "PURGE {bd-2}"],
};

/** These need a bridge. The issue here has none, which is the refusal once the issue is found. */
const OF_BRIDGES: Readonly<Record<string, readonly string[]>> = {
  "bridge:bind": ["bd-1", "--connector", "other", "--external", "one.md"],
  "bridge:show": ["bd-1"],
  "bridge:pause": ["bd-1"],
  "bridge:resume": ["bd-1"],
  "bridge:reconcile": ["bd-1"],
  "bridge:resolve-field": ["bd-1", "deadline_on", "--use", "local"],
  "bridge:resolve-comment": ["bd-1", "--retry"],
  "bridge:unbind": ["bd-1"],
};

/** These take no issue, or an issue as one of many words. */
const OTHERS = new Set(["search", "tui", "next", "inbox"]);

test("every command that takes an issue accepts the id that the issue had in an older tracker", async () => {
  const w = await projectWorld();
  await w.ok(["projects", "create", "shop"]);
  const lines = [1, 2, 3, 4].map((at) =>
    JSON.stringify({ id: `bd-${at}`, title: `t${at}`, created_at: "2025-01-01T00:00:00Z" }),
  );
  writeFileSync(join(w.work, "b.jsonl"), `${lines.join("\n")}\n`);
  await w.ok(["import", "--merge", "--source-format", "beads", "--input", "b.jsonl"]);
  const names = new Map<string, string>();
  for (const id of ["bd-2", "bd-4"])
    names.set(id, JSON.parse(await w.ok(["show", id, "--json"])).issue.qualified_id);
  const failed: Record<string, string> = {};
  for (const [id, words] of Object.entries(LINES)) {
    const { comments } = JSON.parse(await w.ok(["show", "bd-1", "--json"]));
    const given = words.map((word) =>
      word === "COMMENT"
        ? comments[0].uid
        : word.replace(/\{(.*)\}/, (_, old: string) => names.get(old) ?? old),
    );
    const { code, err } = await w.run([...id.split(":"), ...given]);
    if (code !== 0) failed[id] = `exit code ${code} ${err}`;
  }
  expect(failed).toEqual({});
}, 60_000);

test("every command of bridges accepts the id that the issue had in an older tracker", async () => {
  const w = await projectWorld();
  const line = JSON.stringify({ id: "bd-1", title: "t1", created_at: "2025-01-01T00:00:00Z" });
  writeFileSync(join(w.work, "b.jsonl"), `${line}\n`);
  await w.ok(["import", "--merge", "--source-format", "beads", "--input", "b.jsonl"]);
  const entry = { id: "notes", command: process.execPath, args: [], timeoutMs: 30_000 };
  const entries = [{ ...entry, env: {}, settings: {} }];
  await w.restart({ connectors: { entries, environment: {} } });
  for (const [id, words] of Object.entries(OF_BRIDGES)) {
    const { err } = await w.run([...id.split(":"), ...words]);
    expect([id, err]).toEqual([id, expect.stringContaining("no such bridge or connector")]);
    const unknown = words.map((word) => (word === "bd-1" ? "bd-9" : word));
    const missing = await w.run([...id.split(":"), ...unknown]);
    expect([id, missing.err]).toEqual([id, expect.not.stringContaining("no such bridge")]);
  }
}, 60_000);

test("this test has a command line for every command that takes an issue", async () => {
  const taking: string[] = [];
  for (const [id, file] of commandFiles()) {
    const { args = {}, flags = {} } = (await import(file)).default as {
      readonly args?: object;
      readonly flags?: object;
    };
    if (["ref", "blocker"].some((name) => name in args) || ("issue" in flags && id === "events"))
      taking.push(id);
  }
  expect(taking.filter((id) => !(id in LINES) && !(id in OF_BRIDGES) && !OTHERS.has(id))).toEqual(
    [],
  );
}, 60_000);
