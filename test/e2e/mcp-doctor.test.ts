import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Box, box, processesOf } from "./box.ts";

const COMMAND = join(import.meta.dirname, "../../bin/svc");

interface Diagnosis {
  readonly hosts: readonly {
    readonly client: string;
    readonly scope: string;
    readonly command: readonly string[] | null;
    readonly checks: readonly {
      readonly id: string;
      readonly status: string;
      readonly summary: string;
      readonly fix?: string;
    }[];
  }[];
}

async function diagnosed(b: Box, ...words: string[]) {
  const { code, stdout } = await b.svc("mcp", "doctor", ...words, "--json");
  const { hosts } = JSON.parse(stdout) as Diagnosis;
  const of = (client: string) =>
    Object.fromEntries(
      hosts
        .filter((host) => host.client === client)
        .flatMap(({ checks }) => checks.map((check) => [check.id, check])),
    );
  return { code, stdout, hosts, of };
}

/** Puts an entry into the user's file of a host. */
function configure(b: Box, file: string, servers: string, entry: object): void {
  mkdirSync(join(b.folder, file, ".."), { recursive: true });
  writeFileSync(join(b.folder, file), JSON.stringify({ [servers]: { svc: entry } }));
}

describe("svc mcp doctor starts an agent host's server as the host does", () => {
  test("svc mcp doctor finds no fault in what svc mcp install writes", async () => {
    const ann = box();
    expect(await ann.svc("init", "--project", "web")).toMatchObject({ code: 0 });
    for (const client of ["codex", "cursor"]) {
      const words = ["--client", client, "--scope", "user", "--project", "web"];
      const install = ["mcp", "install", ...words, "--command", COMMAND];
      expect(await ann.svc(...install)).toMatchObject({ code: 0 });
    }
    await ann.svc("daemon", "stop");
    const { code, hosts, of } = await diagnosed(ann);
    expect({ code, hosts: hosts.map(({ client, scope }) => [client, scope]) }).toEqual({
      code: 0,
      hosts: [
        ["codex", "user"],
        ["cursor", "user"],
      ],
    });
    expect(of("codex")).toMatchObject({
      start: { status: "ok", summary: expect.stringMatching(/^svc \S+ answers in protocol 20/) },
      tools: { status: "ok", summary: expect.stringContaining("svc_next") },
      call: { status: "ok", summary: "svc_next answers with text and structure" },
      daemon: { status: "ok", summary: expect.stringContaining("project web") },
      "sees.tools": { status: "ok", summary: expect.stringContaining("lists tools only once") },
      "sees.names": { status: "ok" },
      "sees.answers": { status: "ok", summary: expect.stringContaining("structure") },
    });
    expect(of("cursor")).toMatchObject({
      call: { status: "ok", summary: "svc_next answers with text" },
      "sees.tools": { status: "ok", summary: expect.stringContaining("was not tried") },
      "sees.answers": { status: "ok", summary: expect.stringContaining("unknown") },
    });
  }, 60_000);

  test("svc mcp doctor names a missing program, a server that ends, and a daemon of another home", async () => {
    const [ann, bea] = [box(), box()];
    for (const one of [ann, bea])
      expect(await one.svc("init", "--project", "web")).toMatchObject({ code: 0 });
    const serve = ["mcp", "serve", "--project", "web"];
    configure(ann, ".cursor/mcp.json", "mcpServers", { command: "no-such-program", args: serve });
    const other = { command: COMMAND, args: serve, env: { SVC_HOME: bea.home } };
    configure(ann, ".gemini/settings.json", "mcpServers", other);
    const lines = 'echo "the key is $MY_KEY" >&2; exit 7';
    configure(ann, ".claude.json", "mcpServers", {
      ...{ command: "sh", args: ["-c", lines], env: { MY_KEY: "of-ann-alone" } },
    });
    const { code, stdout, of } = await diagnosed(ann);
    expect(code).toBe(1);
    expect(of("cursor")["start"]).toMatchObject({
      status: "failed",
      summary: expect.stringContaining("no-such-program cannot be started (ENOENT)"),
      fix: expect.stringContaining("--command"),
    });
    expect(of("claude-code")["start"]).toMatchObject({
      status: "failed",
      summary: expect.stringContaining("exit code 7"),
    });
    expect(stdout).toContain("the key is <MY_KEY>");
    expect(stdout).not.toContain("of-ann-alone");
    expect(of("gemini")).toMatchObject({
      start: { status: "ok" },
      daemon: {
        status: "failed",
        summary: expect.stringContaining(
          `another daemon than svc here, which asks the local daemon of ${ann.home}`,
        ),
        fix: expect.stringContaining("svc mcp install --client gemini --scope user --force"),
      },
      "sees.tools": { status: "warning" },
    });
  }, 60_000);

  test("svc mcp doctor kills a server that answers nothing, with its child processes", async () => {
    const ann = box();
    configure(ann, ".cursor/mcp.json", "mcpServers", {
      ...{ command: "sh", args: ["-c", "sleep 1000; echo over"] },
    });
    const { code, of } = await diagnosed(ann, "--client", "cursor", "--scope", "user");
    expect(code).toBe(1);
    expect(of("cursor")["start"]).toMatchObject({
      status: "failed",
      summary: expect.stringContaining("did not answer initialize within 10 seconds"),
    });
    expect(processesOf(ann.folder)).toEqual([]);
  }, 60_000);
});
