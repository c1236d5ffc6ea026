import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { Network } from "../support/network.ts";
import { hubAndSpokes, type Machine, type Spoke } from "./hub-and-spokes.ts";

/** For longer runs by hand: SVC_AGENTS_SECONDS=600, SVC_AGENTS_SPOKES=3, and another SVC_TEST_SEED. */
const SECONDS = Number(process.env["SVC_AGENTS_SECONDS"] ?? 15);
const SPOKES = Number(process.env["SVC_AGENTS_SPOKES"] ?? 2);
const SEED = Number(process.env["SVC_TEST_SEED"] ?? fc.sample(fc.nat(), 1)[0]);
const AGENTS = 64;
const ISSUES = 60;
const TTL = 60;

/** Numbers below `below`, the same for the same seed. */
class Chance {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(seed: number) {
    this.#numbers = fc.sample(fc.nat(), { numRuns: 5000, seed });
  }

  below(below: number): number {
    this.#at += 1;
    return (this.#numbers[this.#at % this.#numbers.length] ?? 0) % below;
  }
}

/** What happens to a network for a while. It is whole again afterwards. */
const TROUBLES: readonly ((network: Network, ms: number) => Promise<void>)[] = [
  async (network) => await Promise.resolve(network.cut()),
  async (network, ms) => {
    await network.refuse();
    network.cut();
    await systemClock.sleep(ms);
    await network.accept();
  },
  // Requests arrive, and their answers are lost.
  async (network, ms) => {
    network.drop("toClient");
    await systemClock.sleep(ms);
    network.cut();
    network.pass();
  },
  async (network, ms) => {
    network.hold();
    await systemClock.sleep(ms);
    network.pass();
  },
  async (network, ms) => {
    network.delay(ms / 10);
    await systemClock.sleep(ms);
    network.delay(0);
  },
];

async function storm(network: Network, chance: Chance, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await systemClock.sleep(50 + chance.below(600));
    await TROUBLES[chance.below(TROUBLES.length)]?.(network, 50 + chance.below(900));
  }
}

interface Taken {
  readonly issue: { readonly uid: string } | null;
  readonly error?: { readonly code: string };
}

/** Who has which issue, as the agents know it; an agent no longer has an issue once it begins to give it back. */
class Board {
  readonly #holders = new Map<string, string>();
  readonly #closed = new Set<string>();
  wins = 0;
  /** How often a take was refused, by its code. */
  readonly refusals: Record<string, number> = {};

  won(uid: string, agent: string): void {
    const other = this.#holders.get(uid);
    if (other !== undefined)
      throw new Error(`${uid} was won by ${other} and ${agent}, seed ${SEED}`);
    if (this.#closed.has(uid))
      throw new Error(`${uid} was closed before ${agent} won it, seed ${SEED}`);
    this.#holders.set(uid, agent);
    this.wins += 1;
  }

  givesBack(uid: string): void {
    this.#holders.delete(uid);
  }

  hasClosed(uid: string): void {
    this.#closed.add(uid);
  }
}

/** Refusals after which the agent has nothing. */
const NOTHING = ["federation_offline", "claim_denied", "hub_claim_failed", "busy"];

class Agent {
  readonly #at: Machine;
  readonly #name: string;
  readonly #leases: boolean;
  readonly #board: Board;
  #turn = 0;

  constructor(at: Machine, number: number, board: Board) {
    this.#at = at;
    this.#name = `agent-${number}`;
    this.#leases = number % 2 === 0;
    this.#board = board;
  }

  async work(chance: Chance, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const uid = await this.#take();
      if (uid === undefined) await systemClock.sleep(100 + chance.below(200));
      else {
        this.#board.won(uid, this.#name);
        await systemClock.sleep(chance.below(500));
        const closes = chance.below(4) === 0;
        // A lease ends with its release, a claim with what follows.
        if (closes && this.#leases) await this.#close(uid);
        this.#board.givesBack(uid);
        if (this.#leases) await this.#untilDone(uid, "lease/actions/release");
        else if (closes) await this.#close(uid);
        else await this.#untilDone(uid, "actions/unassign");
      }
    }
  }

  /** The uid of the issue that the agent gets; undefined without one. What is unknown is asked again with the same key. */
  async #take(): Promise<string | undefined> {
    this.#turn += 1;
    const body = { actor: this.#name, ...(this.#leases ? { lease: { ttl_seconds: TTL } } : {}) };
    const headers = { "idempotency-key": `${this.#name}/${this.#turn}` };
    for (;;) {
      const answer = await this.#at.ask("POST", "/ready/actions/take", { body, headers });
      const { issue, error } = answer.body as unknown as Taken;
      if (answer.status === 200) return issue?.uid;
      const code = error?.code ?? answer.text;
      this.#board.refusals[code] = (this.#board.refusals[code] ?? 0) + 1;
      if (NOTHING.includes(code)) return undefined;
      if (code !== "outcome_unknown") throw new Error(`${this.#name}: ${answer.text}`);
      await systemClock.sleep(200);
    }
  }

  async #close(uid: string): Promise<void> {
    await this.#untilDone(uid, "actions/close", { source: "tui" });
    this.#board.hasClosed(uid);
  }

  /**
   * Repeats the action while the hub gives no answer. A claim is no lease: until a machine that wanted one has heard who owns
   * the issue, and has given the hub's lease back, the owner cannot change it.
   */
  async #untilDone(uid: string, action: string, more: object = {}): Promise<void> {
    const passing = ["federation_offline", "busy", ...(this.#leases ? [] : ["claim_denied"])];
    for (;;) {
      const body = { actor: this.#name, ...more };
      const answer = await this.#at.ask("POST", `/issues/${uid}/${action}`, { body });
      if (answer.status === 200) return;
      const { error } = answer.body as { readonly error?: { readonly code: string } };
      if (!passing.includes(error?.code ?? ""))
        throw new Error(`${this.#name}, ${action}: ${answer.text}`);
      await systemClock.sleep(100);
    }
  }
}

test(`${AGENTS} agents whose network is cut at random never get the same issue twice, and no lease is left over`, {
  timeout: (SECONDS + 240) * 1000,
}, async () => {
  const { hub, spokes } = await hubAndSpokes({ spokes: SPOKES, issues: ISSUES });
  const machines: readonly Machine[] = [hub, ...spokes];
  const board = new Board();
  const end = performance.now() + SECONDS * 1000;
  const isOver = () => performance.now() > end;
  const agents = Array.from({ length: AGENTS }, async (_, n) => {
    const machine = machines[n % machines.length];
    if (machine === undefined) throw new Error("there are machines");
    await new Agent(machine, n, board).work(new Chance(SEED + n), isOver);
  });
  const storms = spokes.map(
    async ({ network }, n) => await storm(network, new Chance(SEED + AGENTS + n), isOver),
  );
  await Promise.all([...agents, ...storms]);
  const found = `seed ${SEED}, ${board.wins} wins, ${JSON.stringify(board.refusals)}`;
  expect(board.wins, found).toBeGreaterThan(AGENTS);
  expect(board.refusals["federation_offline"], found).toBeGreaterThan(0);

  await vi.waitFor(
    async () => {
      for (const spoke of spokes) await expectSettled(spoke);
      await expectFree(hub);
      const all = await Promise.all(machines.map(issuesAt));
      for (const issues of all) expect(issues).toEqual(all[0]);
    },
    { timeout: (TTL + 30) * 1000, interval: 500 },
  );
});

async function expectSettled(spoke: Spoke): Promise<void> {
  expect(await spoke.status()).toMatchObject({
    pending_push_count: 0,
    pending_claim_count: 0,
    active_quarantine_count: 0,
  });
}

interface Listed {
  readonly uid: string;
  readonly status: string;
  readonly owner?: string;
}

async function issuesAt(at: Machine): Promise<readonly Listed[]> {
  const { body } = await at.ask("GET", "/issues?status=&limit=1000");
  return (body as unknown as { issues: Listed[] }).issues
    .map(({ uid, status, owner }) => ({ uid, status, ...(owner === undefined ? {} : { owner }) }))
    .toSorted((left, right) => (left.uid < right.uid ? -1 : 1));
}

/** Nobody works any more, so nobody has a lease or owns an open issue. */
async function expectFree(hub: Machine): Promise<void> {
  for (const { uid, status, owner } of await issuesAt(hub)) {
    if (status === "open") expect(owner, `${uid} has an owner`).toBeUndefined();
    const lease = await hub.ask("GET", `/issues/${uid}/lease`);
    expect(lease.body, `seed ${SEED}`).toMatchObject({ held: false });
  }
}
