import { type Clock, instantToMs, msToInstant } from "../../src/base/clock.ts";
import type { Effect } from "../../src/screen/effect.ts";
import { isLocalEffect } from "../../src/screen/effects/effects.ts";
import { textOf } from "../../src/screen/effects/failures.ts";
import type { Message } from "../../src/screen/message.ts";
import { onTerminal, type Surface } from "../terminal-effects.ts";
import { Answers, isQuestion, topicOf } from "./answers.ts";
import type { Recording } from "./format.ts";

/**
 * After playing messages for this long without a pause, the player yields, so that keys are handled and the screen is
 * drawn.
 */
const TURN_MS = 8;
/** A daemon is assumed to answer within this time. */
const ANSWER_MS = 5000;
const MAX_WAIT_MS = 1_000_000_000;

/** Plays a recording: sends its messages at their recorded times and runs a clock, both `speed` times as fast. */
export class Player {
  /** The clock of the recording. After the end of the recording it runs at normal speed. */
  readonly clock: Clock;
  readonly #recording: Recording;
  readonly #speed: number;
  readonly #real: Clock;
  readonly #startMs: number;
  /** The recorded time of the message that was sent last, in milliseconds. The clock does not show an earlier time. */
  #last = 0;
  /** The recorded time of the message that is sent next, in milliseconds. The clock does not show a later time. */
  #next: number;
  #endedMs: number | undefined;
  #index = 0;
  readonly #answers = new Answers();

  constructor(recording: Recording, speed: number, real: Clock) {
    this.#recording = recording;
    this.#speed = speed;
    this.#real = real;
    this.#startMs = real.nowMs();
    this.#next = recording.moments[0]?.at ?? recording.length;
    const fromMs = instantToMs(recording.opening.at);
    this.clock = {
      nowMs: () => fromMs + this.#place(),
      now: () => msToInstant(fromMs + this.#place()),
      sleep: async (ms, signal) =>
        await real.sleep(Math.min(ms / this.#pace(), MAX_WAIT_MS), signal),
    };
  }

  async play(dispatch: (message: Message) => void, signal: AbortSignal): Promise<void> {
    let turnMs = this.#real.nowMs();
    for (const { at, message } of this.#recording.moments) {
      this.#next = at;
      const isDue = this.#left(at) <= 0;
      if (!isDue || this.#real.nowMs() - turnMs >= TURN_MS) {
        await (isDue ? this.#real.sleep(0, signal) : this.#until(at, signal));
        turnMs = this.#real.nowMs();
      }
      if (signal.aborted) return;
      this.#last = at;
      this.#index += 1;
      this.#answers.keep(message);
      dispatch(message);
    }
    const { length } = this.#recording;
    this.#next = length;
    await this.#until(length, signal);
    if (signal.aborted) return;
    this.#last = length;
    this.#endedMs = this.#real.nowMs();
    dispatch({ type: "replay", replay: "ended" });
  }

  /** Answers an effect from the messages played so far, or reports that the recording has no answer. */
  run(effect: Effect, surface: Surface): void {
    if (isQuestion(effect)) {
      const answer = this.#answers.answerTo(effect, (topic) => this.#comes(topic));
      if (answer !== undefined) surface.dispatch(answer);
      return;
    }
    // No daemon answers the other effects. `src/screen/session/replay.ts` has already refused all commands that need an
    // answer.
    if (!isLocalEffect(effect) && effect.effect !== "wake") return;
    void onTerminal(effect, { ...surface, clock: this.clock }).catch((error: unknown) => {
      surface.dispatch({ type: "failed", text: textOf(error) });
    });
  }

  #comes(topic: string): boolean {
    const { moments } = this.#recording;
    const until = this.#place() + ANSWER_MS;
    for (let at = this.#index; at < moments.length; at += 1) {
      const moment = moments[at];
      if (moment === undefined || moment.at > until) return false;
      if (topicOf(moment.message) === topic) return true;
    }
    return false;
  }

  async #until(at: number, signal: AbortSignal): Promise<void> {
    for (let left = this.#left(at); left > 0 && !signal.aborted; left = this.#left(at))
      await this.#real.sleep(Math.min(left, MAX_WAIT_MS), signal);
  }

  #left(at: number): number {
    return at / this.#speed - (this.#real.nowMs() - this.#startMs);
  }

  #place(): number {
    if (this.#endedMs !== undefined) return this.#last + (this.#real.nowMs() - this.#endedMs);
    const place = Math.floor((this.#real.nowMs() - this.#startMs) * this.#speed);
    return Math.max(this.#last, Math.min(place, this.#next));
  }

  #pace(): number {
    return this.#endedMs === undefined ? this.#speed : 1;
  }
}
