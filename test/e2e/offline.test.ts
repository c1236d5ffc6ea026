import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { OfflineCommand } from "../../src/cli/bases/offline-command.ts";
import { commandFiles } from "../cli/harness.ts";
import { box, processesOf } from "./box.ts";

/** Words of a command line, and the exit code with which it ends. `FILE` is a backup of the database. */
type Line = readonly [words: readonly string[], code: number];

/** A server that nobody reaches, so that the commands about PostgreSQL end at once. */
const NOWHERE = ["--dsn", "postgres://127.0.0.1:1/none"];

/**
 * Command lines that start no daemon (docs/contract/command-line.md#210-which-start-no-daemon, and what svc says of its
 * own commands).
 */
const LINES: Readonly<Record<string, Line>> = {
  "--version": [["--version"], 0],
  "--help": [["create", "--help"], 0],
  version: [["version"], 0],
  whoami: [["whoami"], 0],
  quickstart: [["quickstart"], 0],
  openapi: [["openapi"], 0],
  completion: [["completion", "bash"], 0],
  health: [["health"], 7],
  doctor: [["doctor"], 0],
  "daemon:status": [["daemon", "status"], 0],
  "daemon:stop": [["daemon", "stop"], 0],
  "daemon:reload": [["daemon", "reload"], 2],
  "daemon:logs": [["daemon", "logs"], 0],
  "daemon:exposure": [["daemon", "exposure"], 0],
  "daemon:trust": [["daemon", "trust", "https://tracker.example"], 0],
  export: [["export", "--output", "all.jsonl"], 0],
  backup: [["backup"], 0],
  "backup:verify": [["backup", "verify", "FILE"], 0],
  "backup:verify --schedule": [["backup", "verify", "--schedule"], 0],
  "connector:test": [["connector", "test", "/nowhere/connector", "--root", "one"], 1],
  "events:compare": [["events", "compare", "FILE"], 0],
  import: [["import", "--force", "--input", "FILE"], 0],
  "import --target": [["import", "--input", "FILE", "--target", "other.db"], 0],
  "storage:postgres:status": [["storage", "postgres", "status", ...NOWHERE], 1],
  "storage:postgres:migrate": [["storage", "postgres", "migrate", ...NOWHERE], 1],
  "mcp:doctor": [["mcp", "doctor"], 0],
  "mcp:config": [["mcp", "config"], 0],
  "mcp:install": [["mcp", "install", "--client", "codex", "--scope", "user"], 0],
  "mcp:uninstall": [["mcp", "uninstall", "--client", "codex", "--scope", "user"], 0],
};

/** They start a daemon because that is their purpose. */
const STARTERS = ["daemon:restart", "daemon:start"];

async function offlineCommands(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [id, file] of commandFiles()) {
    const { default: Command } = await import(file);
    if (Command.prototype instanceof OfflineCommand) found.push(id);
  }
  return found;
}

test("every command that needs no daemon is tried in this file", async () => {
  const tried = [...Object.keys(LINES), ...STARTERS];
  const offline = await offlineCommands();
  expect(offline).toContain("export");
  expect(tried).toEqual(expect.arrayContaining([...offline]));
});

describe.each([
  ["without a token", {}],
  ["where a token is set", { SVC_AUTH_TOKEN: "a-token-of-at-least-thirty-two-characters" }],
])("svc %s", (_, token: Readonly<Record<string, string>>) => {
  test("starts no daemon for a command that needs none", async () => {
    const b = box(token);
    await b.svc("init", "--project", "p");
    await b.svc("create", "Keep me");
    await b.svc("daemon", "stop");
    const { path } = await b.json<{ path: string }>("backup");
    for (const [name, [words, code]] of Object.entries(LINES)) {
      const ran = await b.svc(...words.map((word) => (word === "FILE" ? path : word)));
      expect({ name, code: ran.code, stderr: ran.stderr }).toMatchObject({ name, code });
      const { daemons } = await b.json<{ daemons: readonly object[] }>("daemon", "status");
      expect({ name, daemons, running: processesOf(b.folder) }).toEqual({
        name,
        daemons: [],
        running: [],
      });
    }
    expect(readdirSync(b.home).filter((file) => file.includes(".before-import-"))).toHaveLength(1);
    expect((await b.svc("list")).stdout).toContain("Keep me");
  }, 120_000);

  test("merges a file of one project without a daemon, by the actor of the command line", async () => {
    const b = box(token);
    await b.svc("init", "--project", "p");
    await b.svc("create", "Twice");
    await b.svc("daemon", "stop");
    const file = join(b.work, "p.jsonl");
    expect((await b.svc("export", "--project", "p", "--output", file)).code).toBe(0);
    const other = box(token);
    await other.svc("init", "--project", "p");
    await other.svc("daemon", "stop");
    const merged = await other.svc("import", "--merge", "--input", file, "--as", "zoe");
    expect(merged).toMatchObject({ code: 0, stderr: "" });
    expect(processesOf(other.folder)).toEqual([]);
    const { events } = await other.json<{ events: readonly object[] }>("events", "--all-projects");
    expect(events.at(-1)).toMatchObject({ type: "project.renamed", actor: "zoe" });
  }, 60_000);
});
