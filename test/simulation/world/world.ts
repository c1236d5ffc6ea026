import { countingIds } from "../../support/ids.ts";
import { History } from "../history.ts";
import { ask, type Send } from "../issue-client.ts";
import type { IssueAnswer, IssueInput } from "../issue-model.ts";
import { askPlans, type PlanName, type Plans } from "../plan-client.ts";
import type { PlanAnswer, PlanInput } from "../plan-model.ts";
import type { Received, Sent } from "../send.ts";
import { type Operation, type Target, Worker } from "../worker.ts";
import { MachineClock, WorldClock } from "./clock.ts";
import { type DaemonParts, SimulatedDaemon, type WorkerEnd } from "./daemon.ts";
import { faultsOf, shown } from "./judge.ts";
import type { Order } from "./order.ts";
import type { Fate, Place } from "./place.ts";
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
const WORKERS = 4;
/** A daemon counts silence in steps of this length. */
const STEP_MS = 500;
/** A reader that has not caught up after this many rests, in which minutes pass, will not catch up any more. */
const PATIENCE = 600;

interface Member {
  readonly worker: Worker;
  readonly daemon: SimulatedDaemon;
  /** Settles when all that the worker was told to do is done. */
  busy: Promise<unknown>;
}

/**
 * Daemons on one database, workers who use them, and readers who follow their log, in one process. A story tells the
 * world from outside what happens. `Order` decides the order of everything that is ready.
 */
export class World {
  readonly #place: Place;
  readonly #order: Order;
  readonly #time: WorldClock;
  /** The clock by which leases end. */
  readonly #leaseClock: MachineClock;
  readonly #terms = new Terms();
  readonly #daemons: readonly SimulatedDaemon[];
  readonly #members: readonly Member[];
  readonly #readers: readonly Reader[];
  /** What happens beside the work of the workers. */
  readonly #loose: Promise<unknown>[] = [];
  readonly #faults: string[] = [];
  /** All issues that there ever were. Their histories end when an older copy is put back. */
  readonly #targets: Target[] = [];
  #current: readonly Target[] = [];
  /** The plans of all projects that there ever were; those of the current one come last. */
  readonly #plans: Plans[] = [];
  #era = 0;
  /** What the world has done, for the report of a world that is stuck. The last entry is what it is doing now. */
  readonly doing: string[] = ["the story"];

  constructor(place: Place, order: Order, plant: Plant) {
    this.#place = place;
    this.#order = order;
    const time = new WorldClock(order, place.dialect);
    this.#time = time;
    const serverClock = place.hasServerClock ? MachineClock.right(time) : undefined;
    const around: DaemonParts = {
      ...{ place, order, plant, time, serverClock },
      ...{ terms: this.#terms, ids: countingIds() },
    };
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
    const wrong = (): MachineClock => MachineClock.wrong(time, order.chance);
    this.#daemons = numbers(place.daemons).map(
      (at) => new SimulatedDaemon(`d${at}`, wrong(), around),
    );
    this.#leaseClock = serverClock ?? this.daemon(0).clock;
    const daemonOf = (at: number) => this.daemon(at);
    this.#members = numbers(WORKERS).map((at) => ({
      worker: new Worker(`w${at}`),
      daemon: daemonOf(at),
      busy: Promise.resolve(),
    }));
    this.#readers = this.#daemons.map((daemon, at) => {
      const name = `r${at}`;
      return new Reader(name, { daemon, order, clock: wrong().seenBy(time.sleepers(name)) });
    });
  }

  async begin(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.start();
    await this.#makeIssues(this.#era);
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
      const send = this.#sender(member, network);
      const again = this.#sender(member, "answer lost");
      await worker.step(operation, target, send, network === "repeated" ? again : undefined);
    });
  }

  /** Tells a worker to apply a plan next, or to list the issues of all plans. */
  plan(who: number, plan: PlanName | undefined, network: Network): void {
    const member = this.#members[who % this.#members.length];
    if (member === undefined) return;
    member.busy = member.busy.then(async () => {
      const plans = this.#plans.at(-1);
      if (plans === undefined || this.#current.length === 0) return;
      const send = this.#sender(member, network);
      const input: PlanInput = plan === undefined ? { op: "list" } : { op: "apply", plan };
      await askPlans(send, plans, member.worker.name, input);
    });
  }

  /** Lets time pass. While a server is silent, time passes in steps, because a waiting daemon counts it in steps. */
  async pass(seconds: number): Promise<void> {
    let leftMs = seconds * 1000;
    for (; leftMs > STEP_MS && this.#hearNothing; leftMs -= STEP_MS) {
      await this.#advance(STEP_MS);
      await this.#order.rest(4);
    }
    await this.#advance(leftMs);
    await this.#order.pause();
  }

  async #advance(ms: number): Promise<void> {
    await this.#moveTime(this.#leaseClock.after(ms), () => this.#time.advance(ms));
  }

  get #hearNothing(): boolean {
    return this.#daemons.some(({ hearsNothing }) => hearsNothing);
  }

  /** Somebody sets the clock of a daemon's machine. */
  async setClock(at: number, seconds: number): Promise<void> {
    const { clock } = this.daemon(at);
    const jump = (): void => clock.jump(seconds * 1000);
    if (clock === this.#leaseClock) await this.#moveTime(clock.nowMs + seconds * 1000, jump);
    else jump();
    await this.#order.pause();
  }

  /** Moves the clock by which leases end. The history of each issue gets an entry that the clock now shows `now`. */
  async #moveTime(now: number, move: () => void): Promise<void> {
    const moved = Promise.withResolvers<void>();
    const recorded = this.#current.map(
      async ({ history }) => await tell(history, now, moved.promise),
    );
    move();
    moved.resolve();
    await Promise.all(recorded);
  }

  /**
   * Lets the daemon `whose` lose its next term of the engine. When it hears that it has a term, all terms end, and
   * another daemon is elected before the first one notices.
   */
  async depose(engine: string, whose: number): Promise<void> {
    const deposed = this.daemon(whose);
    const other = this.#daemons.find((daemon) => daemon !== deposed);
    deposed.depose(engine, async () => {
      await this.#place.endTerms?.();
      await other?.elect(engine);
    });
    await this.#order.pause();
  }

  async endSessions(at?: number): Promise<void> {
    await this.#place.endSessions?.(at);
    await this.#order.pause();
  }

  doom(at: number, fate: Fate): void {
    this.daemon(at).doom(fate);
  }

  doomWorker(at: number, end: WorkerEnd): void {
    this.daemon(at).doomWorker(end);
  }

  async pause(): Promise<void> {
    await this.#order.pause();
  }

  async rest(): Promise<void> {
    await this.#order.rest();
  }

  async keepCopy(): Promise<void> {
    await this.#place.copies.keep();
  }

  /** Puts the copy back. Everything that was written since is gone, so the workers continue with new issues. */
  putBack(): void {
    this.#era += 1;
    const era = this.#era;
    this.#current = [];
    this.#puttingBack = this.#puttingBack.then(async () => await this.#putBack());
    this.#leave(this.#puttingBack.then(async () => await this.#makeIssues(era)));
  }

  #puttingBack: Promise<void> = Promise.resolve();

  /** Kills all daemons. They start again when the copy is in its place. */
  async #putBack(): Promise<void> {
    const isBack = Promise.withResolvers<void>();
    let alive = this.#daemons.length;
    const killed = async (): Promise<void> => {
      alive -= 1;
      if (alive === 0) {
        await this.#place.copies.putBack();
        this.#terms.putBack();
        isBack.resolve();
      }
      await isBack.promise;
    };
    await Promise.all(this.#daemons.map(async (daemon) => await daemon.restart(killed)));
  }

  /** Lets everything come to its end, and returns the faults: what happened although no daemon may do it. */
  async end(): Promise<readonly string[]> {
    for (const daemon of this.#daemons) daemon.spare();
    this.doing.push("the last calls");
    await this.#meanwhile(Promise.all(this.#members.map(async ({ busy }) => await busy)));
    await this.#meanwhile(Promise.all(this.#loose));
    this.doing.push("the last starts");
    await this.#meanwhile(Promise.all(this.#daemons.map(async (daemon) => await daemon.running())));
    this.doing.push("the last reads");
    for (const target of this.#current) await this.#meanwhile(this.#readThrough(target));
    await this.#meanwhile(this.#listPlans());
    this.doing.push("readers that catch up");
    const log = await this.#logOnceRead();
    const faults = faultsOf({
      log,
      readers: this.#readers,
      histories: this.#targets.map(({ history }) => history),
      plans: this.#plans.map(({ history }) => history),
      terms: this.#terms,
    });
    return [...this.#faults, ...faults];
  }

  /** What was asked and answered, issue by issue. */
  get calls(): readonly string[] {
    return [
      ...this.#targets.flatMap(({ path, history }) => [path, ...history.calls.map(shown)]),
      ...this.#plans.flatMap(({ project, history }) => [project, ...history.calls.map(shown)]),
    ];
  }

  async close(): Promise<void> {
    this.doing.push("readers that stop");
    for (const reader of this.#readers) await reader.stop();
    this.doing.push("daemons that stop");
    for (const daemon of this.#daemons) await daemon.stop();
    await this.#place.close();
  }

  /** Lets something continue in the background. Only the end of the world waits for it. */
  #leave(beside: Promise<unknown>): void {
    this.#loose.push(beside.catch((error: unknown) => this.#faults.push(String(error))));
  }

  /** Lets time pass until the promise settles. */
  async #meanwhile<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    const done = promise.finally(() => {
      isDone = true;
    });
    for (let rests = 1; !isDone; rests += 1) {
      await this.#order.rest();
      if (!isDone && rests % 4 === 0) await this.pass(5);
    }
    return await done;
  }

  /**
   * Lets time pass until every reader has read the log to its end, and returns this log. An engine may write more
   * events after that, so readers are compared only with the returned log.
   */
  async #logOnceRead(): Promise<readonly LoggedEvent[]> {
    for (let rests = 1; ; rests += 1) {
      const log = await this.#meanwhile(readLog(this.daemon(0)));
      const isRead = log !== undefined && this.#readers.every((reader) => isAtEnd(reader, log));
      if (log !== undefined && (isRead || rests > PATIENCE)) return log;
      await this.#order.rest();
      if (rests % 4 === 0) await this.pass(5);
    }
  }

  /** Returns the function that sends a worker's requests. It drops them in later eras, which have another database. */
  #sender(member: Member, network: Network): Send {
    const era = this.#era;
    return async (sent) => await this.#carry(member, sent, { network, era });
  }

  async #carry(
    { worker: { name }, daemon }: Member,
    sent: Sent,
    { network, era }: { readonly network: Network; readonly era: number },
  ): Promise<Received | undefined> {
    await this.#order.ready(`${name} sends`);
    if (network === "lost" || era !== this.#era) return undefined;
    const answering = daemon.answer(sent);
    if (network === "cut") this.#leave(answering);
    else await answering;
    await this.#order.ready(`${name} hears`);
    return network === "whole" || network === "repeated" ? await answering : undefined;
  }

  /** Makes the issues of this era. Drops them if the next era begins before they are made. */
  async #makeIssues(era: number): Promise<void> {
    const isOver = (): boolean => era !== this.#era;
    if (isOver()) return;
    const made = await this.#madeIn(`p${era}`).catch((error: unknown) => {
      if (!isOver()) throw error;
      return undefined;
    });
    if (isOver() || made === undefined) return;
    for (const { history } of made.targets) await tell(history, this.#leaseClock.nowMs);
    this.#targets.push(...made.targets);
    this.#plans.push({ project: made.project, history: new History<PlanInput, PlanAnswer>() });
    this.#current = made.targets;
  }

  async #madeIn(
    name: string,
  ): Promise<{ readonly project: string; readonly targets: readonly Target[] }> {
    const { project } = await this.#make("/projects", { name, actor: "ann" });
    const path = `/projects/${project?.id}`;
    const made: Target[] = [];
    for (let at = 0; at < ISSUES; at += 1) {
      const history = new History<IssueInput, IssueAnswer>();
      made.push({ path: `${path}/issues/${await this.#makeIssue(path)}`, history });
    }
    const definition = jobUnder(await this.#makeIssue(path));
    await this.#make(`${path}/cron/jobs`, { name: "each-minute", actor: "ann", definition });
    return { project: path, targets: made };
  }

  async #makeIssue(project: string): Promise<string> {
    const body = { title: "an issue", actor: "ann", force_new: true };
    const { issue } = await this.#make(`${project}/issues`, body);
    return issue?.uid ?? "";
  }

  /** Creates something. Repeats the request while a daemon ends or a commit fails. */
  async #make(path: string, body: object): Promise<CreateAnswer> {
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

  /** Lists the issues of all plans of the current project through each daemon. */
  async #listPlans(): Promise<void> {
    const plans = this.#plans.at(-1);
    if (plans === undefined || this.#current.length === 0) return;
    for (const daemon of this.#daemons) {
      const send = async (sent: Sent) => await daemon.answer(sent);
      const list = async () =>
        await askPlans(send, plans, `last, of ${daemon.name}`, { op: "list" });
      while (!("answer" in (await list()))) await this.#order.rest();
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

/** Whether the last event of the log is the last one that the reader knows. */
function isAtEnd({ known }: Reader, log: readonly LoggedEvent[]): boolean {
  const { event_id = 0, event_uid } = log.at(-1) ?? {};
  return Math.max(0, ...known.keys()) === event_id && known.get(event_id) === event_uid;
}

interface CreateAnswer {
  readonly project?: { readonly id: number };
  readonly issue?: { readonly uid: string };
}

/** Records in the history that the clock by which leases end moves to `now`; the move lasts until `moved` resolves. */
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
