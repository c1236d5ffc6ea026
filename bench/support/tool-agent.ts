import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { type Agent, DONE, followUpTitle, LATE_CLAIM, PROGRESS, SHA, Tally } from "./agents.ts";
import type { BenchDaemon } from "./daemon.ts";

const SVC = path.resolve(import.meta.dirname, "../../bin/svc");
const SECTIONS = ["issue_discovery", "issue_mutation", "issue_lifecycle"];

/** The largest answer of a tool, and of a write, in bytes. */
const ANSWER_BYTES = 8 * 1024;
const ECHO_BYTES = 2560;
/** The largest message that refuses a claim which came too late, in bytes. */
const LATE_BYTES = 200;
/** The free issue that such a message names. */
const FREE = / (\S+) is free/;

/**
 * An agent that calls tools over a server of its own. It asks for the next issue and claims it, or the one that it is
 * told of when it comes too late.
 */
export async function toolAgent({ env }: BenchDaemon, name: string, cwd: string): Promise<Agent> {
  const server = spawn(SVC, ["mcp", "serve", "--as", name], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = new Line(server);
  for (const section of SECTIONS) await line.call(`load_${section}`, {});
  await line.request("tools/list", {}, "tools/list");
  const start = line.tally.bytes();
  line.tally = new Tally();
  let keys = 0;
  const key = (): string => `${name}-${++keys}`;
  const write = async (tool: string, args: object) => await line.call(tool, args, ECHO_BYTES);
  return {
    start,
    tally: line.tally,
    take: async () => {
      const { issue } = (await line.call("next", { unowned: true })).answer as Found;
      let ref = issue?.ref;
      while (ref !== undefined) {
        const { failure } = await write("claim", { ref, if_unowned: true });
        if (failure === undefined) return ref;
        if (!failure.includes("already_claimed")) throw new Error(failure);
        [, ref] = FREE.exec(failure) ?? [];
      }
      return undefined;
    },
    show: async (ref: string) => mustWork(await line.call("show", { ref })),
    comment: async (ref: string) =>
      mustWork(await write("comment", { ref, body: PROGRESS, idempotency_key: key() })),
    close: async (ref: string) => {
      const evidence = [{ type: "commit", sha: SHA }];
      const message = `${ref}: ${DONE}`;
      const args = { ref, reason: "done", message, evidence, idempotency_key: key() };
      return (await write("close", args)).failure === undefined;
    },
    followUp: async (ref: string) => {
      const args = { title: followUpTitle(ref), related: [ref], force_new: true };
      mustWork(await write("create", { ...args, idempotency_key: key() }));
    },
    end: async () => {
      server.stdin?.end();
      await once(server, "exit");
    },
  };
}

interface Found {
  readonly issue?: { readonly ref: string };
}

interface ToolAnswer {
  readonly answer: unknown;
  readonly failure: string | undefined;
}

function mustWork({ failure }: ToolAnswer): void {
  if (failure !== undefined) throw new Error(failure);
}

/** Sends one request after the other to a tool server, and counts the bytes of its answers. */
class Line {
  tally = new Tally();
  readonly #server: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor(server: ChildProcess) {
    this.#server = server;
    if (server.stdout === null) throw new Error("the server has no output");
    this.#lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  }

  async call(tool: string, args: object, most = ANSWER_BYTES): Promise<ToolAnswer> {
    const params = { name: `svc.${tool}`, arguments: args };
    const { result, size } = await this.request("tools/call", params, tool);
    const { content, structuredContent, isError } = result as {
      readonly content: readonly { readonly text: string }[];
      readonly structuredContent?: unknown;
      readonly isError?: boolean;
    };
    const failure = isError ? content[0]?.text : undefined;
    const isLate = failure?.includes("already_claimed") === true;
    const allowed = isLate ? LATE_BYTES : most;
    if (size > allowed) throw new Error(`svc.${tool} answered ${size} bytes of ${allowed} allowed`);
    return { answer: structuredContent, failure };
  }

  async request(method: string, params: object, name: string) {
    const id = ++this.#id;
    this.#server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`the server ended before it answered ${method}`);
      const message = JSON.parse(value) as { id?: number; result?: unknown; error?: unknown };
      const size = Buffer.byteLength(value);
      this.tally.add(value.includes("already_claimed") ? LATE_CLAIM : name, size);
      if (message.id !== id) continue;
      if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
      return { result: message.result, size };
    }
  }
}
