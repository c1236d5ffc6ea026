import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { postgresDsn } from "../support/postgres.ts";
import { type Box, box } from "./box.ts";

interface Lost {
  readonly code: number | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly exit_code: number;
  };
}

/** Runs a command whose stdout is a full disk. */
async function intoFull({ work, env, launcher }: Box, words: readonly string[]): Promise<Lost> {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [launcher, ...words, "--json"], {
    ...{ cwd: work, env },
    stdio: ["ignore", full, "pipe"],
  });
  closeSync(full);
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, error: JSON.parse(text.trim().split("\n").at(-1) ?? "").error };
}

/** Commands that change this machine and ask no daemon. */
const CHANGES = {
  import: ({ folder }: Place) => [
    "import",
    "--input",
    "copy.jsonl",
    "--target",
    `${folder}/new.db`,
  ],
  "storage postgres migrate": ({ dsn }: Place) => ["storage", "postgres", "migrate", "--dsn", dsn],
  "mcp install": () => ["mcp", "install", "--client", "claude-code", "--scope", "user"],
  "mcp uninstall": () => ["mcp", "uninstall", "--client", "claude-code", "--scope", "user"],
  "daemon start": () => ["daemon", "start"],
  "daemon stop": () => ["daemon", "stop"],
} as const;

interface Place {
  readonly folder: string;
  readonly dsn: string;
}

describe.runIf(existsSync("/dev/full"))("a command whose stdout is a full disk", () => {
  test("reports that its change was made, and when it is repeated, that nothing was changed", async () => {
    const b = box();
    await b.svc("init");
    await b.svc("backup", "--output", "copy.jsonl");
    await b.svc("daemon", "stop");
    const place = { folder: b.folder, dsn: await postgresDsn() };
    const daemons = async () =>
      (await b.json<{ readonly daemons: readonly object[] }>("daemon", "status")).daemons.length;
    const lost = async (name: keyof typeof CHANGES) => await intoFull(b, CHANGES[name](place));

    const changed = (said: string) => ({
      code: 1,
      error: {
        ...{ code: "output_failed", exit_code: 1 },
        message: expect.stringMatching(
          new RegExp(`^the change was made \\(.*${said}.*\\), and only its result is lost: `),
        ),
        hint: "do not repeat the command; look at what it made instead",
      },
    });
    expect(await lost("import")).toMatchObject(changed("new.db"));
    expect(existsSync(join(b.folder, "new.db"))).toBe(true);
    expect(await lost("storage postgres migrate")).toMatchObject(changed("created"));
    expect(await lost("mcp install")).toMatchObject(changed("created"));
    expect(existsSync(join(b.folder, ".claude.json"))).toBe(true);
    expect(await lost("daemon start")).toMatchObject(changed("started"));
    expect(await daemons()).toBe(1);

    const unchanged = {
      code: 1,
      error: {
        ...{ code: "output_failed", exit_code: 1 },
        message: expect.stringMatching(/^the result is lost: /),
        hint: expect.stringContaining("it has changed nothing"),
      },
    };
    expect(await lost("daemon start")).toMatchObject(unchanged);
    expect(await lost("daemon stop")).toMatchObject(changed("stop"));
    expect(await daemons()).toBe(0);
    expect(await lost("daemon stop")).toMatchObject(unchanged);
    expect(await lost("storage postgres migrate")).toMatchObject(unchanged);
    expect(await lost("mcp install")).toMatchObject(unchanged);
    const trial = [...CHANGES["mcp uninstall"](), "--dry-run"];
    expect(await intoFull(b, trial)).toMatchObject(unchanged);
    expect(await lost("mcp uninstall")).toMatchObject(changed("removed"));
    expect(await lost("mcp uninstall")).toMatchObject(unchanged);
  });
});
