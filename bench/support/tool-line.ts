import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { LATE_CLAIM, Tally } from "./agents.ts";

/** The largest allowed answer of a tool, in bytes. */
export const ANSWER_BYTES = 8 * 1024;
/** The largest allowed refusal of a claim that came too late, in bytes. */
const LATE_BYTES = 200;

export interface ToolAnswer {
  readonly answer: unknown;
  readonly failure: string | undefined;
  /** The size in bytes of what a model is given: the text of the answer, without the structure that repeats it. */
  readonly size: number;
}

/** Sends one request after the other to a tool server over stdio, and counts the bytes of its answers. */
export class ToolLine {
  tally = new Tally();
  readonly #server: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor(server: ChildProcess) {
    this.#server = server;
    if (server.stdout === null) throw new Error("the server has no output");
    this.#lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  }

  /** Calls `svc.<tool>`. Throws if the answer has more bytes than `most`. */
  async call(tool: string, args: object, most = ANSWER_BYTES): Promise<ToolAnswer> {
    const params = { name: `svc.${tool}`, arguments: args };
    const { result } = await this.request("tools/call", params, tool);
    const { content, structuredContent, isError } = result as {
      readonly content: readonly { readonly text: string }[];
      readonly structuredContent?: unknown;
      readonly isError?: boolean;
    };
    const size = textBytes(result);
    const failure = isError ? content[0]?.text : undefined;
    const isLate = failure?.includes("already_claimed") === true;
    const allowed = isLate ? LATE_BYTES : most;
    if (size > allowed) throw new Error(`svc.${tool} answered ${size} bytes of ${allowed} allowed`);
    return { answer: structuredContent, failure, size };
  }

  async request(method: string, params: object, name: string) {
    const id = ++this.#id;
    this.#server.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`the server ended before it answered ${method}`);
      const message = JSON.parse(value) as { id?: number; result?: unknown; error?: unknown };
      const size = textBytes(message.result) || Buffer.byteLength(value);
      this.tally.add(value.includes("already_claimed") ? LATE_CLAIM : name, size);
      if (message.id !== id) continue;
      if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
      return { result: message.result, size };
    }
  }
}

/** The bytes of the text of a tool's result, or 0 for another result. */
function textBytes(result: unknown): number {
  const { content = [] } = (result ?? {}) as { content?: readonly { readonly text?: string }[] };
  return content.reduce((sum, { text = "" }) => sum + Buffer.byteLength(text), 0);
}
