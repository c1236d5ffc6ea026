import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parse } from "smol-toml";
import { describe, expect, onTestFinished, test } from "vitest";
import { configuredIn } from "../../src/cli/agent-hosts/configured.ts";
import { HOSTS, type HostName } from "../../src/cli/agent-hosts/hosts.ts";
import { type Box, box } from "./box.ts";

const TOKEN = "svc_the-bearer-of-the-team";
const COMMAND = join(import.meta.dirname, "../../bin/svc");

interface Status {
  readonly daemons: readonly { readonly address: string }[];
}

/** A daemon on TCP that asks for a token, with one issue. */
async function team(): Promise<{ readonly host: Box; readonly address: string }> {
  const host = box({ SVC_AUTH_TOKEN: TOKEN });
  await host.svc("daemon", "start", "--listen", "127.0.0.1:0");
  const { daemons } = await host.json<Status>("daemon", "status");
  expect(await host.svc("init", "--project", "tools")).toMatchObject({ code: 0 });
  expect(await host.svc("create", "A plan of the team")).toMatchObject({ code: 0 });
  return { host, address: daemons[0]?.address ?? "" };
}

/** Starts the server that a host's file configures, in the host's own environment, and makes one issue with it. */
async function created(
  client: HostName,
  path: string,
  surroundings: { readonly env: NodeJS.ProcessEnv; readonly folder: string },
): Promise<string> {
  const text = readFileSync(path, "utf8");
  const document = path.endsWith(".toml") ? parse(text) : JSON.parse(text);
  const { svc } = document[HOSTS[client].servers];
  const started = configuredIn(HOSTS[client], svc, surroundings);
  if (started === undefined) throw new Error(`${path} starts nothing`);
  const server = spawn(started.command, started.args, {
    cwd: surroundings.folder,
    env: started.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill());
  const create = { title: `Found by ${client}`, idempotency_key: `k-${client}` };
  const answer = await asked(server, "svc_create", create);
  server.stdin?.end();
  await once(server, "exit");
  return answer;
}

async function asked(server: ChildProcess, name: string, args: object): Promise<string> {
  const params = { name, arguments: args };
  const line = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  server.stdin?.write(`${JSON.stringify(line)}\n`);
  if (server.stdout === null) throw new Error("the server has no output");
  for await (const answer of createInterface({ input: server.stdout })) return answer;
  return "the server ended without an answer";
}

describe("an entry that svc mcp install wrote, started by a host without the person's shell settings", () => {
  test.each(["codex", "claude-code", "gemini", "opencode", "cursor", "zed"] as const)(
    "an entry for %s reaches the daemon of SVC_SERVER, and starts none of its own",
    async (client) => {
      const { host, address } = await team();
      const ann = box({ SVC_SERVER: `http://${address}`, SVC_AUTH_TOKEN: TOKEN });
      const words = ["--client", client, "--scope", "user", "--project", "tools", "--as", "bot-1"];
      const { path } = await ann.json<{ readonly path: string }>(
        ...["mcp", "install", ...words, "--command", COMMAND],
      );
      expect(readFileSync(path, "utf8")).not.toContain(TOKEN);
      // Only what every process has, and the secret, which the entry or the host itself hands on by its name.
      const env = { PATH: process.env["PATH"], HOME: ann.folder, SVC_AUTH_TOKEN: TOKEN };
      const answer = await created(client, path, { env, folder: ann.work });
      expect(answer).toContain(`Found by ${client}`);
      const { stdout } = await host.svc("list");
      expect(stdout).toContain(`Found by ${client}`);
      expect(existsSync(join(ann.folder, ".svc"))).toBe(false);
      expect(existsSync(join(ann.home, "runtime"))).toBe(false);
    },
    60_000,
  );

  test("an entry reaches the daemon of the SVC_HOME it was made for, which the host does not know", async () => {
    const ann = box();
    expect(await ann.svc("init", "--project", "web")).toMatchObject({ code: 0 });
    const words = ["mcp", "install", "--client", "codex", "--scope", "user"];
    const { path } = await ann.json<{ readonly path: string }>(...words, "--command", COMMAND);
    const elsewhere = join(ann.folder, "empty");
    mkdirSync(elsewhere);
    const env = { PATH: process.env["PATH"], HOME: elsewhere };
    expect(await created("codex", path, { env, folder: ann.work })).toContain("Found by codex");
    expect((await ann.svc("list")).stdout).toContain("Found by codex");
    expect(existsSync(join(elsewhere, ".svc"))).toBe(false);
  }, 60_000);
});
