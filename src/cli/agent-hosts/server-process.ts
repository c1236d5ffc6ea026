import { type ChildProcess, spawn } from "node:child_process";
import { type Clock, systemClock } from "../../base/clock.ts";
import { errorCode } from "../../base/error-code.ts";
import { isPlainObject, type JsonObject, parseJson } from "../../base/json.ts";
import type { ConfiguredServer } from "./configured.ts";

/** How long a server may take for one answer. */
export const LONGEST_ANSWER_MS = 10_000;

/** How long a server may take to end after the end of its input. */
const LONGEST_END_MS = 2000;

/** A server that writes more than this to stdout is killed, because no list of tools is so long. */
const MAX_OUTPUT_CHARS = 16 * 1024 * 1024;
/** What a server writes to stderr beyond this length is discarded. */
const MAX_ERROR_CHARS = 16 * 1024;

/** Why a server does not answer requests. */
export class ServerFault extends Error {
  readonly kind: "missing" | "ended" | "silent" | "refused";

  constructor(kind: ServerFault["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

export type Reply = { readonly result: JsonObject } | { readonly error: string };

/** A tool server, started in the same way as a host starts it. Requests are sent to it one after another. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  /** Resolves when the server has ended, or could not be started. */
  readonly #ended: Promise<ServerFault>;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #signals: () => void;
  #lastId = 0;
  #rest = "";
  #chars = 0;
  #errors = "";
  /** The first line of the server's output that is not a message of the protocol. */
  #stray: string | undefined;

  constructor(
    { command, args, env }: ConfiguredServer,
    folder: string,
    clock: Clock = systemClock,
  ) {
    this.#clock = clock;
    this.#child = spawn(command, args, {
      cwd: folder,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      // The server gets its own process group, so that killing the group also kills what the server started.
      detached: process.platform !== "win32",
    });
    this.#ended = this.#end(command);
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (this.#errors.length < MAX_ERROR_CHARS) this.#errors += text;
    });
    this.#signals = killedWith(() => this.#kill());
  }

  /** What the server has written to stderr so far. */
  get errors(): string {
    return this.#errors.slice(0, MAX_ERROR_CHARS);
  }

  /** Sends one request and returns the reply. Throws if the server has ended or does not answer in time. */
  async ask(method: string, params: JsonObject): Promise<Reply> {
    const id = ++this.#lastId;
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.#send({ jsonrpc: "2.0", id, method, params });
    const over = new AbortController();
    const late = this.#clock
      .sleep(LONGEST_ANSWER_MS, over.signal)
      .then(() => new ServerFault("silent", this.#silenceText(method)));
    try {
      const first = await Promise.race([reply, this.#ended, late]);
      if (first instanceof ServerFault) throw first;
      return first;
    } finally {
      over.abort();
      this.#waiting.delete(id);
    }
  }

  tell(method: string): void {
    this.#send({ jsonrpc: "2.0", method });
  }

  /** Ends the server as a host does, and kills the processes of its group that remain. */
  async stop(): Promise<void> {
    const over = new AbortController();
    this.#child.stdin?.end();
    await Promise.race([this.#ended, this.#clock.sleep(LONGEST_END_MS, over.signal)]);
    over.abort();
    this.#kill();
    this.#signals();
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.destroy();
  }

  #send(message: JsonObject): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #silenceText(method: string): string {
    const silent = `the server did not answer ${method} within ${LONGEST_ANSWER_MS / 1000} seconds`;
    return this.#stray === undefined
      ? silent
      : `${silent}; its output is not the protocol: ${this.#stray}`;
  }

  async #end(command: string): Promise<ServerFault> {
    return await new Promise((resolve) => {
      this.#child.once("error", (error) => {
        const what = errorCode(error) ?? error.message;
        resolve(new ServerFault("missing", `${command} cannot be started (${what})`));
      });
      this.#child.once("close", (code, signal) => {
        if (this.#chars > MAX_OUTPUT_CHARS) {
          resolve(
            new ServerFault("ended", "the server writes more than 16 MiB, which is no answer"),
          );
          return;
        }
        const how = signal === null ? `exit code ${code ?? "unknown"}` : `the signal ${signal}`;
        resolve(new ServerFault("ended", `the server ended with ${how} before it had answered`));
      });
    });
  }

  #take(text: string): void {
    this.#chars += text.length;
    if (this.#chars > MAX_OUTPUT_CHARS) {
      this.#kill();
      return;
    }
    if (!text.includes("\n")) {
      this.#rest += text;
      return;
    }
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    const message = parsed(line);
    if (message === undefined) {
      if (line.trim() !== "") this.#stray ??= line.slice(0, 200);
      return;
    }
    const { id, result, error } = message;
    if (typeof id !== "number") return;
    if (isPlainObject(result)) this.#waiting.get(id)?.({ result });
    else if (isPlainObject(error)) {
      const { message: text } = error;
      const message = typeof text === "string" ? text : "an error without a message";
      this.#waiting.get(id)?.({ error: message });
    }
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill("SIGKILL");
      else process.kill(-pid, "SIGKILL");
    } catch (error) {
      if (errorCode(error) !== "ESRCH") throw error;
    }
  }
}

function parsed(line: string): JsonObject | undefined {
  // Only an object can be a message. If a server floods its output, parsing each line would exceed the time limit.
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const value = parseJson(line);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Kills the server when a signal ends this process, because the terminal's signals do not reach the server's group. */
function killedWith(kill: () => void): () => void {
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const listeners = names.map((name) => {
    const listener = (): void => {
      stop();
      kill();
      process.kill(process.pid, name);
    };
    process.on(name, listener);
    return [name, listener] as const;
  });
  const stop = (): void => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  return stop;
}
