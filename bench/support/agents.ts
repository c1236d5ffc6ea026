import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { BenchDaemon } from "./daemon.ts";

const SVC = path.resolve(import.meta.dirname, "../../bin/svc");
const SECTIONS = ["issue_discovery", "issue_mutation", "issue_lifecycle"];

/** The largest answer of a tool, and of a write, in bytes. */
const ANSWER_BYTES = 8 * 1024;
const ECHO_BYTES = 2560;

const PROGRESS = "Read the report and found the place; a change and a test for it are under way.";
const DONE = "The report no longer applies: the change was made, and a test covers the case.";
const SHA = "0123456789abcdef0123456789abcdef01234567";
/** The ref in the line that `svc next --claim --agent` prints. */
const TAKEN = /^OK take issue=(\S+)/;

/** An agent at work. Each step returns once its answer was read. */
export interface Agent {
  /** Takes the issue to work on next and returns its ref, or `undefined` if there is none. */
  take(): Promise<string | undefined>;
  comment(ref: string): Promise<void>;
  close(ref: string): Promise<boolean>;
  followUp(ref: string): Promise<void>;
  /**
   * Bytes of the answers to the agent's work (`work`), bytes read before it, such as the list of tools (`start`), and
   * how many claims came too late (`lost`).
   */
  read(): { readonly work: number; readonly start: number; readonly lost: number };
  end(): Promise<void>;
}

/** An agent that calls tools over a server of its own. */
export async function toolAgent({ env }: BenchDaemon, name: string, cwd: string): Promise<Agent> {
  const server = spawn(SVC, ["mcp", "serve", "--as", name], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = new Line(server);
  for (const section of SECTIONS) await line.call(`load_${section}`, {});
  await line.request("tools/list", {});
  const start = line.bytes;
  let keys = 0;
  let lost = 0;
  const key = (): string => `${name}-${++keys}`;
  const write = async (tool: string, args: object) => await line.call(tool, args, ECHO_BYTES);
  return {
    take: async () => {
      for (;;) {
        const { issue } = (await line.call("next", { unowned: true })).answer as {
          readonly issue?: { readonly ref: string };
        };
        if (issue === undefined) return undefined;
        const { failure } = await write("claim", { ref: issue.ref, if_unowned: true });
        if (failure === undefined) return issue.ref;
        if (!failure.includes("already_claimed")) throw new Error(failure);
        lost++;
      }
    },
    comment: async (ref) => {
      await line.call("show", { ref });
      mustWork(await write("comment", { ref, body: PROGRESS, idempotency_key: key() }));
    },
    close: async (ref) => {
      const evidence = [{ type: "commit", sha: SHA }];
      const args = {
        ref,
        reason: "done",
        message: `${ref}: ${DONE}`,
        evidence,
        idempotency_key: key(),
      };
      return (await write("close", args)).failure === undefined;
    },
    followUp: async (ref) => {
      const title = `Look again at what ${ref} left open`;
      const args = { title, related: [ref], force_new: true, idempotency_key: key() };
      mustWork(await write("create", args));
    },
    read: () => ({ start, work: line.bytes - start, lost }),
    end: async () => {
      server.stdin?.end();
      await once(server, "exit");
    },
  };
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
  bytes = 0;
  readonly #server: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor(server: ChildProcess) {
    this.#server = server;
    if (server.stdout === null) throw new Error("the server has no output");
    this.#lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  }

  async call(tool: string, args: object, most = ANSWER_BYTES): Promise<ToolAnswer> {
    const { result, size } = await this.request("tools/call", {
      name: `svc.${tool}`,
      arguments: args,
    });
    if (size > most) throw new Error(`svc.${tool} answered ${size} bytes, allowed are ${most}`);
    const { content, structuredContent, isError } = result as {
      readonly content: readonly { readonly text: string }[];
      readonly structuredContent?: unknown;
      readonly isError?: boolean;
    };
    return { answer: structuredContent, failure: isError ? content[0]?.text : undefined };
  }

  async request(method: string, params: object) {
    const id = ++this.#id;
    this.#server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`the server ended before it answered ${method}`);
      const message = JSON.parse(value) as { id?: number; result?: unknown; error?: unknown };
      const size = Buffer.byteLength(value);
      this.bytes += size;
      if (message.id !== id) continue;
      if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
      return { result: message.result, size };
    }
  }
}

/** An agent that runs commands. */
export function commandAgent({ env }: BenchDaemon, name: string, cwd: string): Agent {
  let bytes = 0;
  const svc = async (...words: readonly string[]) => {
    const ran = await promisify(execFile)(SVC, [...words, "--agent", "--as", name], {
      cwd,
      env,
    }).catch((error: { code: number; stdout: string; stderr: string }) => error);
    bytes += Buffer.byteLength(ran.stdout) + Buffer.byteLength(ran.stderr);
    return { text: ran.stdout, failure: "code" in ran ? ran.stderr : undefined };
  };
  return {
    take: async () => {
      const { text, failure } = await svc("next", "--claim");
      if (failure !== undefined) throw new Error(failure);
      return TAKEN.exec(text)?.[1];
    },
    comment: async (ref) => {
      await svc("show", ref);
      mustRun(await svc("comment", ref, "-m", PROGRESS));
    },
    close: async (ref) =>
      (await svc("close", ref, "--done", "--commit", SHA, "-m", `${ref}: ${DONE}`)).failure ===
      undefined,
    followUp: async (ref) => {
      const title = `Look again at what ${ref} left open`;
      mustRun(await svc("create", title, "--related", ref, "--force-new"));
    },
    read: () => ({ start: 0, work: bytes, lost: 0 }),
    end: async () => undefined,
  };
}

function mustRun({ failure }: { readonly failure: string | undefined }): void {
  if (failure !== undefined) throw new Error(failure);
}
