import { createWriteStream } from "node:fs";
import type { Clock } from "../../src/base/clock.ts";
import { isLate } from "../../src/screen/loading/reload.ts";
import type { Scope } from "../../src/screen/scope/state.ts";
import type { State } from "../../src/screen/state.ts";
import type { Store } from "../store.ts";
import type { TerminalMessage } from "../update.ts";
import { endLine, momentLine, openingLine, type RecordingHeader } from "./format.ts";
import { isRecordedMessage, type RecordedMessage } from "./kinds.ts";

export interface RecorderOptions {
  /** The descriptor of an empty, open file. */
  readonly fd: number;
  readonly opening: RecordingHeader;
  readonly clock: Pick<Clock, "nowMs">;
  /** The recording ends before its file would become larger than this. */
  readonly maxBytes: number;
}

/** Writes each message that is dispatched to the store into a file, as one line. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #startMs: number;
  readonly #file: ReturnType<typeof createWriteStream>;
  #scope: Scope | undefined;
  #bytes = 0;
  #over: string | undefined;
  /** Called once if recording ends early because the file is full or cannot be written. */
  onOver: (why: string) => void = () => undefined;

  constructor(options: RecorderOptions) {
    const { fd, opening, clock } = options;
    this.#options = options;
    this.#startMs = clock.nowMs();
    this.#scope = opening.scope;
    this.#file = createWriteStream("", { fd });
    this.#file.on("error", (error) => this.#stop(`the recording broke off: ${error.message}`));
    this.#write(openingLine(opening));
  }

  /** Returns a store that writes each message before it dispatches the message. */
  record(store: Store): Store {
    return {
      ...store,
      dispatch: (message) => {
        this.#note(message, store.get());
        store.dispatch(message);
      },
    };
  }

  async close(): Promise<void> {
    if (this.#over === undefined) this.#write(endLine(this.#now()));
    await new Promise<void>((resolve) => {
      if (this.#file.destroyed) resolve();
      else this.#file.once("close", resolve).end();
    });
  }

  #note(message: TerminalMessage, before: State): void {
    if (this.#over !== undefined || !isRecordedMessage(message)) return;
    if (message.type === "issues" && isLate(before, message)) return;
    const { project } = before.scope;
    const scope = { project };
    if (project?.id !== this.#scope?.project?.id) this.#record({ type: "scope", scope });
    this.#scope = scope;
    this.#record(message);
  }

  #record(message: RecordedMessage): void {
    this.#write(momentLine(this.#now(), message));
  }

  #write(line: string): void {
    const bytes = Buffer.byteLength(line) + 1;
    const { maxBytes } = this.#options;
    if (this.#bytes + bytes > maxBytes)
      return this.#stop(`the recording is full at ${this.#bytes} bytes and has ended`);
    this.#bytes += bytes;
    this.#file.write(`${line}\n`);
  }

  #now(): number {
    // Times never decrease, even if the clock is set back.
    return (this.#last = Math.max(this.#last, this.#options.clock.nowMs() - this.#startMs));
  }
  #last = 0;

  #stop(why: string): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    this.onOver(why);
  }
}
