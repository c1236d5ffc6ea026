import type { Clock } from "../../base/clock.ts";
import { SvcError } from "../../contract/errors.ts";
import type { LogCursor } from "../../shared/follow-state.ts";
import type { Transport } from "../../shared/transport.ts";
import type { GoneIssue } from "../detail/state.ts";
import type { Effect, EffectOf } from "../effect.ts";
import { issueOf } from "../issues/issues.ts";
import type { Message } from "../message.ts";
import { Debounce, Throttle } from "./debounce.ts";
import { refusalOf, textOf } from "./failures.ts";
import type { InterruptibleSleep } from "./interruptible-sleep.ts";
import { LateAnswers } from "./late-answers.ts";
import { authOf, readAuth } from "./reads/auth.ts";
import { readDetail } from "./reads/detail.ts";
import { readInbox } from "./reads/inbox.ts";
import { readIssues } from "./reads/issues.ts";
import { readProjects } from "./reads/projects.ts";
import type { Work } from "./work.ts";
import { WriteQueues } from "./write-queues.ts";

const HERE = [
  "save-view",
  "save-columns",
  "drop-draft",
  "edit-text",
  "run-program",
  "copy",
  "repaint",
  "suspend",
  "quit",
] as const;

/** Effects on the terminal or browser: clipboard, files, window. They need no daemon. */
export type LocalEffect = EffectOf<(typeof HERE)[number]>;

export function isLocalEffect(effect: Effect): effect is LocalEffect {
  return HERE.some((name) => name === effect.effect);
}

export interface EffectsInput {
  readonly clock: Pick<Clock, "nowMs" | "sleep">;
  readonly signal: AbortSignal;
  dispatch(message: Message): void;
  here(effect: LocalEffect): Promise<void>;
  readonly daemon: Transport;
  readonly actor: string;
  /** Queues issues to be read again, together with others that changed. */
  refresh(uids: readonly string[]): void;
  /** Loads the code that only some effects need. */
  load(): Promise<Work>;
  /** The delay between attempts to reach the daemon. */
  readonly pause: InterruptibleSleep;
}

export type DaemonEffect = Exclude<Effect, { readonly effect: "connect" }>;

/** The effects that need only one read, whose result is one message. */
const READS = {
  "load-auth": readAuth,
  "load-projects": readProjects,
  "load-inbox": readInbox,
} as const;

const LATER = [
  "find-issue",
  "find-project",
  "load-bridge",
  "load-graph",
  "load-chain",
  "load-older",
  "load-job-runs",
  "load-versions",
  "series-days",
  "load-fleet",
  "search",
] as const satisfies readonly (keyof Work["reads"])[];

type Read = EffectOf<keyof typeof READS>;
type LaterRead = EffectOf<(typeof LATER)[number]>;

function isRead(effect: Effect): effect is Read {
  return effect.effect in READS;
}

function isLaterRead(effect: Effect): effect is LaterRead {
  return LATER.some((name) => name === effect.effect);
}

const PREVIEW_MS = 80;
const COMPLETE_MS = 120;
/**
 * Timers are rounded up to a multiple of this, so that highlights that fade one after the other need at most one redraw
 * a second.
 */
const WAKE_MS = 1000;

/** Runs effects and dispatches their results. It does not change the state itself. */
export class Effects {
  readonly #outside: EffectsInput;
  readonly #later: Debounce;
  readonly #rests: Throttle;
  readonly #writes = new WriteQueues();
  readonly #late = new LateAnswers();
  #pages = new AbortController();
  /** The uids of issues that were found to be gone while the list was being read. */
  #gone = new Set<string>();
  #preview = new AbortController();
  #completing = new AbortController();

  constructor(outside: EffectsInput) {
    this.#outside = outside;
    this.#later = new Debounce(outside.clock, outside.signal);
    this.#rests = new Throttle(outside.clock);
  }

  run(effect: DaemonEffect): void {
    const wait = "wait" in effect ? effect.wait : 0;
    if (wait <= 0) return this.#start(effect);
    const rest = this.#rests.left(effect.effect);
    this.#later.ask(effect.effect, Math.max(wait, rest), () => this.#start(effect));
  }

  async settled(): Promise<void> {
    await this.#writes.settled();
  }

  #wake(ms: number): void {
    const { clock, dispatch } = this.#outside;
    const nowMs = clock.nowMs();
    const due = Math.ceil((nowMs + ms) / WAKE_MS) * WAKE_MS;
    this.#later.ask(`wake ${due}`, due - nowMs, () => dispatch({ type: "tick" }));
  }

  #start(effect: DaemonEffect): void {
    const work = async (): Promise<void> => await this.#run(effect);
    void this.#rests.during(effect.effect, work).catch((error: unknown) => {
      if (!this.#outside.signal.aborted)
        this.#outside.dispatch({ type: "failed", text: textOf(error) });
    });
  }

  async #run(effect: DaemonEffect): Promise<void> {
    const { daemon } = this.#outside;
    const dispatch = this.#late.dropping(effect, this.#outside.dispatch);
    if (isLocalEffect(effect)) return await this.#outside.here(effect);
    if (isRead(effect)) {
      // The cast is safe: in this table, the function under an effect's name accepts that effect.
      const read = READS[effect.effect] as (daemon: Transport, effect: Read) => Promise<Message>;
      return dispatch(await read(daemon, effect));
    }
    if (isLaterRead(effect)) {
      const { reads } = await this.#outside.load();
      // The cast is safe: in this table, the function under an effect's name accepts that effect.
      const read = reads[effect.effect] as (
        daemon: Transport,
        effect: LaterRead,
      ) => Promise<Message>;
      return dispatch(await read(daemon, effect));
    }
    switch (effect.effect) {
      case "create-project": {
        const { makeProject } = await this.#outside.load();
        dispatch(await makeProject(daemon, this.#outside.actor, effect.name));
        return;
      }
      case "load-issues":
        return await this.#loadIssues(effect.project_id, effect.serial);
      case "load-detail":
        return await this.#loadDetail(effect);
      case "load-cron": {
        const { readCron } = await this.#outside.load();
        for await (const message of readCron(daemon, effect)) dispatch(message);
        return;
      }
      case "write":
        return await this.#writes.send(effect, async () => await this.#write(effect));
      case "refresh":
        return this.#outside.refresh(effect.uids);
      case "reconnect":
        return this.#outside.pause.cut();
      case "complete":
        return await this.#complete(effect);
      case "wake":
        return this.#wake(effect.ms);
    }
  }

  /**
   * Reads the list, and aborts a read of the list that is still running. If an issue is found to be gone in the
   * meantime, it is left out of the pages.
   */
  async #loadIssues(project_id: number | undefined, serial: number): Promise<void> {
    const { daemon, pause, dispatch } = this.#outside;
    this.#pages.abort();
    this.#pages = new AbortController();
    const gone = (this.#gone = new Set());
    const signal = AbortSignal.any([this.#pages.signal, this.#outside.signal]);
    const failed = (error: unknown): void => dispatch({ type: "failed", text: textOf(error) });
    try {
      for await (const page of readIssues({ daemon, pause, signal, project_id, failed })) {
        if (signal.aborted) return;
        const issues = page.issues.filter(({ uid }) => !gone.has(uid));
        dispatch({ ...page, serial, issues });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Reads changed issues again. Issues that are missing from the answer are gone. */
  async read(uids: readonly string[]): Promise<Message> {
    const query = { issue_uid: [...uids] };
    const { issues: found } = await this.#outside.daemon.call("listAllIssues", { query });
    const issues = found.map(issueOf);
    const there = new Set(issues.map(({ uid }) => uid));
    const gone = uids.filter((uid) => !there.has(uid));
    for (const uid of gone) this.#gone.add(uid);
    for (const uid of there) this.#gone.delete(uid);
    return { type: "issues", part: "changed", serial: 0, issues, gone, truncated: false };
  }

  async #loadDetail(effect: EffectOf<"load-detail">): Promise<void> {
    const { daemon, clock, signal, dispatch } = this.#outside;
    const { uid } = effect;
    this.#preview.abort();
    this.#preview = new AbortController();
    const mine = this.#preview.signal;
    if (!effect.now) await clock.sleep(PREVIEW_MS, AbortSignal.any([mine, signal]));
    if (mine.aborted || signal.aborted) return;
    try {
      for await (const detail of readDetail(daemon, effect)) {
        if (mine.aborted) return;
        dispatch({ type: "detail", uid, detail });
      }
    } catch (error) {
      if (!mine.aborted) {
        const missing = error instanceof SvcError && error.code === "issue_not_found";
        // By the contract, the refusal `issue_not_found` says what became of the issue, if the daemon knows.
        const gone = missing ? (error.data["gone"] as GoneIssue | undefined) : undefined;
        dispatch({ type: "detail", uid, detail: { error: textOf(error), missing, gone } });
      }
    }
  }

  async #write({ id, write }: EffectOf<"write">): Promise<void> {
    const { daemon, actor, dispatch } = this.#outside;
    try {
      const { performWrite } = await this.#outside.load();
      dispatch({ type: "written", id, ...(await performWrite(daemon, actor, write)) });
    } catch (error) {
      dispatch({ type: "refused", id, ...refusalOf(error, write) });
    }
  }

  /**
   * Once typing pauses, asks the daemon for the issues that the text may mean. An answer to an older text is dropped.
   */
  async #complete({ text, project_id, q }: EffectOf<"complete">): Promise<void> {
    const { daemon, clock, signal, dispatch } = this.#outside;
    this.#completing.abort();
    const mine = (this.#completing = new AbortController()).signal;
    await clock.sleep(COMPLETE_MS, AbortSignal.any([mine, signal]));
    if (mine.aborted || signal.aborted) return;
    const { findRefs } = await this.#outside.load();
    const choices = await findRefs(daemon, project_id, q);
    if (!mine.aborted) dispatch({ type: "completed", text, choices });
  }

  /**
   * Returns the end of the log. It is read before anything else, so that an event stream that starts at this position
   * misses nothing.
   */
  async start(): Promise<LogCursor> {
    const { daemon, dispatch } = this.#outside;
    const { last_event_id: cursor, epoch, chain, auth } = await daemon.call("instance", {});
    dispatch(authOf(auth));
    void this.#tellApi();
    return epoch === undefined ? { cursor } : { cursor, log: { epoch, chain } };
  }

  /** Reads the contract version. The start does not wait for it, because only the title shows it. */
  async #tellApi(): Promise<void> {
    const { daemon, dispatch } = this.#outside;
    const { api_schema_version: api } = await daemon.call("health", {}).catch(() => ({
      api_schema_version: undefined,
    }));
    dispatch({ type: "api", api });
  }
}
