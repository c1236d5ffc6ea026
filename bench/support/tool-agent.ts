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
/** Finds the free issue that is named by the refusal of a claim that came too late. */
const FREE = / (\S+) is free/;

/**
 * An agent that calls the tools of its own tool server. It asks for the next issue and claims it. If another agent has
 * claimed that issue first, it claims the free issue that the refusal names.
 */
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

function mustWork({ failure }: ToolAnswer): void {
  if (failure !== undefined) throw new Error(failure);
}
