import { instantToMs, msToInstant } from "../../../src/base/clock.ts";
import { initialState } from "../../../src/screen/initial-state.ts";
import type { Message } from "../../../src/screen/message.ts";
import { SCREENS } from "../../../src/screen/screens.ts";
import type { State } from "../../../src/screen/state.ts";
import { update } from "../../../src/screen/update.ts";
import { TERMINAL } from "../../../tui/fit.ts";
import { type Recording, readRecording } from "../../../tui/recording/format.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Parses a recording that must be valid. */
export function recordingOf(file: string): Recording {
  const read = readRecording(file);
  if ("wrong" in read) throw new Error(`line ${read.line}: ${read.wrong}`);
  return read.recording;
}

/** The state of a replay, computed from the messages alone: without terminal or player, and with effects ignored. */
export class Replayed {
  readonly recording: Recording;
  state: State;
  /** The number of messages that were applied. */
  told = 0;

  constructor(recording: Recording, { columns, rows }: Size) {
    this.recording = recording;
    const { opening } = recording;
    this.state = initialState({
      ...opening,
      fit: TERMINAL,
      screens: SCREENS,
      columns,
      rows,
      now: opening.at,
      version: opening.svc,
      session: "replay",
      confirmQuit: true,
      views: [],
      replay: { speed: 1000, ended: false },
    });
  }

  get isOver(): boolean {
    return this.told >= this.recording.moments.length;
  }

  /** Applies the next message at its time, and returns it. */
  next(): Message {
    const moment = this.recording.moments[this.told];
    if (moment === undefined) throw new Error("the recording is over");
    this.told += 1;
    this.pass(moment.at);
    return this.tell(moment.message);
  }

  /** Applies all messages up to that time. */
  until(at: number): this {
    const { moments } = this.recording;
    while (!this.isOver && (moments[this.told]?.at ?? 0) <= at) this.next();
    return this;
  }

  /** Applies the rest, and ends the replay as the player does. */
  end(): this {
    this.until(Number.POSITIVE_INFINITY);
    this.pass(this.recording.length);
    this.tell({ type: "replay", replay: "ended" });
    return this;
  }

  tell(message: Message): Message {
    this.state = update(this.state, message).state;
    return message;
  }

  keys(...keys: readonly string[]): this {
    for (const key of keys) this.tell({ type: "key", key });
    return this;
  }

  /** Moves only the time on. */
  pass(at: number): void {
    this.state = { ...this.state, now: msToInstant(instantToMs(this.recording.opening.at) + at) };
  }
}
