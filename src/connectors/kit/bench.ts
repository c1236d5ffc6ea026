import { randomBytes } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { type JsonValue, sameJson } from "../../base/json.ts";
import type { Described, Root } from "../../domain/bridges/values.ts";
import type { ConnectorClient } from "../../ops/bridges/far-side.ts";
import { clientOf, type Exchange } from "../client.ts";
import { type ProcessDeps, type Program, type Ran, runProgram } from "../process.ts";
import type { RuleId } from "../rules.ts";
import { Fixture } from "./fixture.ts";

/** A rule that a behaviour found broken. */
export class Broken extends Error {
  readonly rule: RuleId;

  constructor(rule: RuleId, why: string) {
    super(why);
    this.rule = rule;
  }
}

/** A behaviour that cannot be shown with this connector, with the reason. */
export class Skipped extends Error {}

export function requireRule(holds: boolean, rule: RuleId, why: string): void {
  if (!holds) throw new Broken(rule, why);
}

export interface BenchInput {
  readonly program: Program;
  /** What names the root of the test, for a connector without fixture. */
  readonly root?: string | undefined;
  readonly fixture?: Program | undefined;
}

export type BenchDeps = ProcessDeps & { readonly clock: Clock };

/** What a connector was sent as text, if it was no request of a method, and what came. */
export interface Heard {
  readonly sent: string;
  readonly ran: Ran;
}

/** A connector and a root that can be changed at will. */
export class Bench {
  /** A name that no provider has, so that it is found where it does not belong. */
  readonly instance = `svc-connector-test-${randomBytes(4).toString("hex")}`;
  readonly program: Program;
  readonly fixture: Fixture | undefined;
  readonly deps: BenchDeps;
  readonly client: ConnectorClient;
  readonly #root: string | undefined;
  #last: Heard | undefined;
  #described: Described | undefined;

  constructor({ program, root, fixture }: BenchInput, deps: BenchDeps) {
    this.program = program;
    this.deps = deps;
    this.fixture = fixture === undefined ? undefined : new Fixture(fixture, deps);
    this.client = this.clientFor(deps.signal);
    this.#root = root;
  }

  /** The last exchange with the connector. */
  get last(): Heard | undefined {
    return this.#last;
  }

  forget(): void {
    this.#last = undefined;
  }

  clientFor(signal: AbortSignal): ConnectorClient {
    const heard = ({ sent: { method, params }, ran }: Exchange): void => {
      this.#last = { sent: JSON.stringify({ method, params }), ran };
    };
    const slots = { run: async <T>(work: () => Promise<T>): Promise<T> => await work() };
    const { instance, program } = this;
    return clientOf({ instance, program }, { ...this.deps, ...{ signal, slots, heard } });
  }

  /** Sends a text that need not be a request. */
  async send(text: string): Promise<Ran> {
    const ran = await runProgram(this.program, Buffer.from(text), this.deps);
    this.#last = { sent: text.trim(), ran };
    return ran;
  }

  async described(): Promise<Described> {
    this.#described ??= await this.client.describe();
    return this.#described;
  }

  requireFixture(): Fixture {
    if (this.fixture === undefined) throw new Skipped("it needs a fixture");
    return this.fixture;
  }

  /** The root of the test: a new one if there is a fixture. */
  async root(): Promise<Root> {
    return await this.client.resolveRoot(await this.locator());
  }

  async locator(): Promise<string> {
    if (this.fixture !== undefined) return await this.fixture.reset();
    if (this.#root === undefined) throw new Skipped("it needs a root: --root, or a fixture");
    return this.#root;
  }
}

/** Whether two values are equal as JSON. Maps count as objects. */
export function same(left: unknown, right: unknown): boolean {
  return sameJson(plain(left), plain(right));
}

function plain(value: unknown): JsonValue {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof Map ? Object.fromEntries(inner) : inner,
  );
  return JSON.parse(text) as JsonValue;
}

/** A root without the time at which it was read. */
export function unobserved(
  root: Root,
): Omit<Root, "observed_at"> & { readonly observed_at: undefined } {
  return { ...root, observed_at: undefined };
}

/** One thing that a connector must do (docs/contract/connectors.md#12-the-test). */
export interface Behaviour {
  readonly number: number;
  readonly name: string;
  /**
   * Throws `Broken`, `ConnectorFault`, `FixtureFault` or `Skipped`. Returns what could not be shown, if something
   * could not.
   */
  run(bench: Bench): Promise<string | undefined>;
}
