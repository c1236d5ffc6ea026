import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { type Agent, DONE, followUpTitle, PROGRESS, SHA, Tally } from "./agents.ts";
import type { BenchDaemon } from "./daemon.ts";
import { type ToolAnswer, ToolLine } from "./tool-line.ts";

const SVC = path.resolve(import.meta.dirname, "../../bin/svc");
const SECTIONS = ["issue_discovery", "issue_mutation", "issue_lifecycle"];

/** The largest allowed answer to a write, in bytes. */
const ECHO_BYTES = 2560;
/** An agent that calls the tools of its own tool server. It takes each issue with its text in one call. */
export async function toolAgent({ env }: BenchDaemon, name: string, cwd: string): Promise<Agent> {
  const server = spawn(SVC, ["mcp", "serve", "--as", name], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const line = new ToolLine(server);
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
      const { answer, failure } = await line.call("claim", { idempotency_key: key() });
      if (failure !== undefined) throw new Error(failure);
      return (answer as TakeAnswer).issue?.ref;
    },
    // The answer of `take` has the text of the issue, so nothing is left to read.
    show: async () => undefined,
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

interface TakeAnswer {
  readonly issue?: { readonly ref: string };
}

function mustWork({ failure }: ToolAnswer): void {
  if (failure !== undefined) throw new Error(failure);
}
