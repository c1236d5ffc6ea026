import type { Clock } from "../../src/base/clock.ts";
import { counted } from "../../src/base/counted.ts";
import type { MessageOf } from "../../src/screen/message.ts";
import type { State } from "../../src/screen/state.ts";
import { issueText } from "./spoken-screen.ts";

/** Changes are collected for this long and then announced together, so that they interrupt the person less often. */
const LIVE_MS = 5000;

/** The issues that others have changed, until they are read out. */
export class ChangesByOthers {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #announce: (count: string) => void;
  readonly #changed = new Set<string>();
  #isWaiting = false;

  constructor(clock: Clock, signal: AbortSignal, announce: (count: string) => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#announce = announce;
  }

  note(self: string, events: MessageOf<"events">["events"]): void {
    for (const { actor, uid } of events)
      if (actor !== self && uid !== undefined) this.#changed.add(uid);
    if (this.#changed.size > 0 && !this.#isWaiting) void this.#announceSoon();
  }

  async #announceSoon(): Promise<void> {
    this.#isWaiting = true;
    await this.#clock.sleep(LIVE_MS, this.#signal);
    this.#isWaiting = false;
    const { size } = this.#changed;
    if (!this.#signal.aborted && size > 0) this.#announce(counted(size, "issue"));
  }

  /** Returns a line for each changed issue, and forgets these issues. */
  read(state: State): readonly string[] {
    const lines = [...this.#changed].map((uid) => {
      const issue = state.issues.get(uid);
      return issue === undefined ? "one that is not here any more" : issueText(state, issue);
    });
    this.#changed.clear();
    return lines.length === 0 ? ["nothing was changed by others"] : lines;
  }
}
