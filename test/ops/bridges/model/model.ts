import type { Route } from "../../../../src/contract/route.ts";
import { STALE_MS } from "../../../../src/domain/bridges/claim.ts";
import { ConnectorFault } from "../../../../src/ops/bridges/far-side.ts";
import { reconcile } from "../../../../src/ops/bridges/reconcile.ts";
import { claimBridge, TO_THE_END } from "../../../../src/ops/bridges/run.ts";
import { Died } from "../../../meaning/life.ts";
import type { CallInput, OpenStore } from "../../../support/world.ts";
import { type Bridged, bridgedWorld } from "../bridged.ts";
import type { Act, Deed } from "./acts.ts";
import { BRIDGE } from "./bridge.ts";
import { Comments } from "./comments.ts";
import { Course } from "./course.ts";
import { Dates, FIELD_NAMES, FIELDS } from "./dates.ts";
import { HERE } from "./here.ts";
import { settle } from "./settle.ts";
import { States } from "./states.ts";
import { THERE } from "./there.ts";

const DEED_OF = { ...HERE, ...THERE, ...BRIDGE } satisfies Record<Deed, unknown>;

/** An issue and its root, to which random things happen, and the ledgers that tell what must come of it. */
export class Model {
  readonly b: Bridged;
  readonly dates: Dates;
  readonly comments: Comments;
  readonly states: States;
  readonly faults: string[] = [];
  #made = 0;

  static async begin(open: OpenStore): Promise<Model> {
    const b = await bridgedWorld(open);
    for (const field of FIELD_NAMES) await b.map(field, FIELDS[field]);
    return new Model(b);
  }

  private constructor(b: Bridged) {
    this.b = b;
    this.dates = new Dates(b);
    this.comments = new Comments(b);
    this.states = new States(b);
    b.provider.before = async (method) => await this.states.called(method);
  }

  get differences(): readonly string[] {
    const { dates, comments, states } = this;
    return [this, dates, comments, states].flatMap(({ faults }) => faults);
  }

  async act({ kind, number, meanwhile, death }: Act): Promise<void> {
    if (kind === "run") return await this.#run(meanwhile, { death, isLater: number % 5 > 0 });
    await this.#deed(kind, number);
  }

  /** Lets everything come to rest, and compares both sides. */
  async quiet(): Promise<void> {
    await settle(this);
    await this.look();
    this.dates.checkEqual();
    await this.comments.check((await this.b.bridge()).uid);
    await this.states.check(this.comments.requests);
  }

  async look(): Promise<void> {
    await this.comments.look();
    await this.dates.look();
  }

  async #deed(deed: Deed, number: number): Promise<void> {
    await this.look();
    this.b.clock.advance(number % 3);
    await DEED_OF[deed](this, number);
    await this.look();
  }

  /** Runs the bridge once. `isLater`: after the claim of a run that died. */
  async #run(
    meanwhile: Act["meanwhile"],
    { death, isLater }: { readonly death: number | undefined; readonly isLater: boolean },
  ): Promise<void> {
    const { b } = this;
    const bridge = await this.active();
    if (isLater && bridge?.claim_token !== null) b.clock.advance(STALE_MS);
    const claim = bridge && (await claimBridge(b.runDeps, bridge.uid, true));
    if (claim === undefined) return;
    const happenings = new Map(
      meanwhile.map(({ at, what, number }) => [at, async () => await this.#deed(what, number)]),
    );
    const course = new Course(happenings, death, async () => await this.look());
    try {
      await reconcile(course.over(b.runDeps), claim, TO_THE_END);
    } catch (error) {
      if (error instanceof Died || error instanceof ConnectorFault) return;
      const { code } = error as { readonly code?: string };
      // The time may pass while the end of the run waits for the store.
      if (code !== "external_root_claim_lost" && code !== "unavailable") throw error;
    }
    await this.look();
  }

  async active() {
    return await this.b.store.read(async ({ bridges }) => await bridges.active(this.b.issue.uid));
  }

  /** Makes a request, and returns the code of its refusal, or an empty text. */
  async ask<T extends Route>(route: T, input: CallInput<T>): Promise<string> {
    const response = await this.b.send(route, input);
    const body = (await response.json()) as { readonly error?: { readonly code: string } };
    const code = body.error?.code ?? "";
    if (code === "internal") this.faults.push(`${route.id} is ${JSON.stringify(body)}`);
    return code;
  }

  get at() {
    return { params: this.b.issue.path };
  }

  /** The record; undefined while it is gone. */
  get root() {
    return this.b.provider.hidden === undefined ? this.b.provider.record("r") : undefined;
  }

  /** A number that there was never before. */
  next(): number {
    this.#made += 1;
    return this.#made;
  }
}
