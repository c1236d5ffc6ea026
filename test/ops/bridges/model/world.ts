import type { Route } from "../../../../src/contract/route.ts";
import type { CallInput } from "../../../support/world.ts";
import type { Bridged } from "../bridged.ts";
import { Comments } from "./comments.ts";
import { Dates } from "./dates.ts";
import { States } from "./states.ts";

/** An issue and its root, and the ledgers that tell what must come of what happens to them. */
export class World {
  readonly b: Bridged;
  readonly dates: Dates;
  readonly comments: Comments;
  readonly states: States;
  readonly faults: string[] = [];
  #made = 0;

  constructor(b: Bridged) {
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

  async look(): Promise<void> {
    await this.comments.look();
    await this.dates.look();
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
