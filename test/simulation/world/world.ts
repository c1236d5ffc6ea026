import { countingIds } from "../../support/ids.ts";
import { History } from "../history.ts";
import { ask } from "../issue-client.ts";
import type { IssueAnswer, IssueInput } from "../issue-model.ts";
import type { Received, Sent } from "../send.ts";
import { type Operation, type Target, Worker } from "../worker.ts";
import { WorldClock } from "./clock.ts";
import { type Around, SimulatedDaemon } from "./daemon.ts";
import { faultsOf, shown } from "./judge.ts";
import type { Order } from "./order.ts";
import type { Place } from "./place.ts";
import type { Plant } from "./plant.ts";
import { type LoggedEvent, Reader, readLog } from "./reader.ts";
import { Terms } from "./terms.ts";

/**
 * What the network does with a request.
 * - `whole`: it arrives, and so does the answer.
 * - `lost`: it does not arrive.
 * - `cut`: it arrives, and the client loses its connection before the answer, at any time before or after the commit.
 * - `answer lost`: the answer does not arrive.
 * - `repeated`: it arrives twice.
 */
export const NETWORKS = ["whole", "lost", "cut", "answer lost", "repeated"] as const;

export type Network = (typeof NETWORKS)[number];

const ISSUES = 2;
const WORKERS = 6;
/** Of a reader that has not caught up after so many rests of the world, in which a minute passes, nothing more comes. */
const PATIENCE = 600;

interface Member {
  readonly worker: Worker;
  readonly daemon: SimulatedDaemon;
  /** Settles when all that the worker was told to do is done. */
  busy: Promise<unknown>;
}

/**
 * Daemons on one database, workers who use them, and readers who follow their log, in one process. What happens, the
 * story, is told from outside, and the order of what is ready is decided by `Order`.
 */
export class World {
  readonly #place: Place;
  readonly #order: Order;
  readonly #clock: WorldClock;
  readonly #terms = new Terms();
  readonly #daemons: readonly SimulatedDaemon[];
  readonly #members: readonly Member[];
  readonly #readers: readonly Reader[];
  /** What goes on beside the workers. */
  readonly #loose: Promise<unknown>[] = [];
  readonly #faults: string[] = [];
  /** All issues that there ever were. Their histories end when an older copy is put back. */
  readonly #targets: Target[] = [];
  #current: readonly Target[] = [];
  #era = 0;
  /** What the world has been at, for one that stands still. The last is what it is at. */
  readonly doing: string[] = ["the story"];

  constructor(place: Place, order: Order, plant: Plant) {
    this.#place = place;
    this.#order = order;
    this.#clock = new WorldClock(order);
    const around: Around = {
      ...{ place, order, plant, clock: this.#clock },
      ...{ terms: this.#terms, ids: countingIds() },
    };
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
    this.#daemons = numbers(place.daemons).map((at) => new SimulatedDaemon(`d${at}`, around));
    const daemonOf = (at: number) => this.daemon(at);
    this.#members = numbers(WORKERS).map((at) => ({
      worker: new Worker(`w${at}`),
      daemon: daemonOf(at),
      busy: Promise.resolve(),
    }));
    this.#readers = this.#daemons.map((daemon, at) => {
      const name = `r${at}`;
      return new Reader(name, { daemon, order, clock: this.#clock.of(name) });
    });
  }

  async begin(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.start();
    await this.#makeIssues();
    for (const reader of this.#readers) reader.start();
  }

  daemon(at: number): SimulatedDaemon {
    const found = this.#daemons[at % this.#daemons.length];
    if (found === undefined) throw new Error("a world has a daemon");
    return found;
  }

  /** Tells a worker what to do next. */
  act(who: number, on: number, operation: Operation, network: Network): void {
    const member = this.#members[who % this.#members.length];
    if (member === undefined) return;
    member.busy = member.busy.then(async () => {
      const target = this.#current[on % ISSUES];
      if (target === undefined) return;
      const { worker } = member;
      const send = async (sent: Sent) => await this.#carry(member, sent, network);
      const again = async (sent: Sent) => await this.#carry(member, sent, "answer lost");
      await worker.step(operation, target, send, network === "repeated" ? again : undefined);
    });
  }

  /** Moves the clock, and writes down for each issue that the time has passed. */
  async pass(seconds: number): Promise<void> {
    const moved = Promise.withResolvers<void>();
    const now = this.#clock.nowMs + seconds * 1000;
    const recorded = this.#current.map(
      async ({ history }) => await tell(history, now, moved.promise),
    );
    this.#clock.advance(seconds * 1000);
    moved.resolve();
    await Promise.all(recorded);
    await this.#order.pause();
  }

  /** All terms end, and a daemon is elected before the one that had them notices. */
  async depose(engine: string, by: number): Promise<void> {
    await this.#place.endTerms?.();
    await this.daemon(by).elect(engine);
    await this.#order.pause();
  }

  async endSessions(): Promise<void> {
    await this.#place.endSessions?.();
    await this.#order.pause();
  }

  async pause(): Promise<void> {
    await this.#order.pause();
  }

  async rest(): Promise<void> {
    await this.#order.rest();
  }

  keepCopy(): void {
    this.#place.copies?.keep();
  }

  /** What was written since the copy is gone, so the workers go on with new issues. */
  putBack(): void {
    this.#era += 1;
    this.#current = [];
    const daemon = this.daemon(0);
    daemon.kill(() => this.#place.copies?.putBack());
    this.#leave(this.#makeIssues());
  }

  /** Lets everything come to its end, and returns what no daemon may do. */
  async end(): Promise<readonly string[]> {
    for (const daemon of this.#daemons) daemon.spare();
    this.doing.push("the last calls");
    await this.#meanwhile(Promise.all(this.#members.map(async ({ busy }) => await busy)));
    await this.#meanwhile(Promise.all(this.#loose));
    this.doing.push("the last starts");
    await this.#meanwhile(Promise.all(this.#daemons.map(async (daemon) => await daemon.running())));
    this.doing.push("readers that catch up");
    await this.#catchUp();
    this.doing.push("the last reads");
    for (const target of this.#current) await this.#meanwhile(this.#readThrough(target));
    const log = await this.#wholeLog();
    const faults = faultsOf({
      log,
      readers: this.#readers,
      histories: this.#targets.map(({ history }) => history),
      terms: this.#terms,
    });
    return [...this.#faults, ...faults];
  }

  /** Reads the log again while the daemon says that it has no database. */
  async #wholeLog(): Promise<readonly LoggedEvent[]> {
    for (;;) {
      const log = await readLog(this.daemon(0));
      if (log !== undefined) return log;
      await this.#order.rest();
    }
  }

  /** What was asked and answered, issue by issue. */
  get calls(): readonly string[] {
    return this.#targets.flatMap(({ path, history }) => [path, ...history.calls.map(shown)]);
  }

  async close(): Promise<void> {
    this.doing.push("readers that stop");
    for (const reader of this.#readers) await reader.stop();
    this.doing.push("daemons that stop");
    for (const daemon of this.#daemons) await daemon.stop();
    await this.#place.close();
  }

  /** Lets something go on, for whose end only the end of the world waits. */
  #leave(beside: Promise<unknown>): void {
    this.#loose.push(beside.catch((error: unknown) => this.#faults.push(String(error))));
  }

  /** Lets time pass until the promise settles. */
  async #meanwhile(promise: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = promise.finally(() => {
      isDone = true;
    });
    for (let rests = 1; !isDone; rests += 1) {
      await this.#order.rest();
      if (!isDone && rests % 10 === 0) await this.pass(5);
    }
    await done;
  }

  async #catchUp(): Promise<void> {
    for (let rests = 1; rests <= PATIENCE; rests += 1) {
      const last = (await readLog(this.daemon(0)))?.at(-1);
      const isThere = ({ known }: Reader): boolean =>
        last !== undefined && known.get(last.event_id) === last.event_uid;
      if (this.#readers.every(isThere)) return;
      await this.#order.rest();
      if (rests % 10 === 0) await this.pass(5);
    }
  }

  async #carry(
    { worker: { name }, daemon }: Member,
    sent: Sent,
    network: Network,
  ): Promise<Received | undefined> {
    const era = this.#era;
    await this.#order.ready(`${name} sends`);
    if (network === "lost" || era !== this.#era) return undefined;
    const answering = daemon.answer(sent);
    if (network === "cut") this.#leave(answering);
    else await answering;
    await this.#order.ready(`${name} hears`);
    return network === "whole" || network === "repeated" ? await answering : undefined;
  }

  /** Makes the issues of this era. They are of no use if the next era begins meanwhile. */
  async #makeIssues(): Promise<void> {
    const era = this.#era;
    const isOver = (): boolean => era !== this.#era;
    const made = await this.#madeIn(`p${era}`).catch((error: unknown) => {
      if (!isOver()) throw error;
      return [];
    });
    if (isOver()) return;
    for (const { history } of made) await tell(history, this.#clock.nowMs);
    this.#targets.push(...made);
    this.#current = made;
  }

  async #madeIn(name: string): Promise<readonly Target[]> {
    const { project } = await this.#make("/projects", { name, actor: "ann" });
    const path = `/projects/${project?.id}`;
    const made: Target[] = [];
    for (let at = 0; at < ISSUES; at += 1) {
      const history = new History<IssueInput, IssueAnswer>();
      made.push({ path: `${path}/issues/${await this.#makeIssue(path)}`, history });
    }
    const definition = jobUnder(await this.#makeIssue(path));
    await this.#make(`${path}/cron/jobs`, { name: "each-minute", actor: "ann", definition });
    return made;
  }

  async #makeIssue(project: string): Promise<string> {
    const body = { title: "an issue", actor: "ann", force_new: true };
    const { issue } = await this.#make(`${project}/issues`, body);
    return issue?.uid ?? "";
  }

  /** Makes something. Asks again while a daemon ends or a commit fails. */
  async #make(path: string, body: object): Promise<Made> {
    for (;;) {
      const daemon = this.daemon(0);
      await daemon.running();
      const received = await daemon.answer({ method: "POST", path, body });
      if (received !== undefined && received.status < 300) return JSON.parse(received.text);
      if (received !== undefined && received.status !== 503)
        throw new Error(`${path} was not made: ${received.text}`);
      await this.#order.rest();
    }
  }

  async #readThrough({ path, history }: Target): Promise<void> {
    for (const daemon of this.#daemons) {
      const send = async (sent: Sent) => await daemon.answer(sent);
      const asked = {
        client: `last, of ${daemon.name}`,
        issue: path,
        input: { op: "show" },
      } as const;
      while (!("answer" in (await ask(send, history, asked)))) await this.#order.rest();
    }
  }
}

interface Made {
  readonly project?: { readonly id: number };
  readonly issue?: { readonly uid: string };
}

async function tell(
  history: Target["history"],
  now: number,
  moved: Promise<void> = Promise.resolve(),
): Promise<void> {
  await history.record("clock", { op: "time", now }, async () => {
    await moved;
    return { answer: {} };
  });
}

/** A job that makes a child of the issue each minute. */
function jobUnder(parent: string): object {
  return {
    version: 1,
    kind: "job",
    enabled: true,
    trigger: { kind: "cron", cron: "* * * * *", timezone: "UTC" },
    action: { kind: "notify", recipient: "current-owner-or-author" },
    issue: { kind: "per-run", parent_uid: parent, title: "each minute" },
    overlap: "allow",
    catchup: "latest",
  };
}
