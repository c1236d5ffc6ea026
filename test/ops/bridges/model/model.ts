import { STALE_MS } from "../../../../src/domain/bridges/claim.ts";
import { ConnectorFault } from "../../../../src/ops/bridges/far-side.ts";
import { reconcile } from "../../../../src/ops/bridges/reconcile.ts";
import { claimBridge, TO_THE_END } from "../../../../src/ops/bridges/run.ts";
import { Died } from "../../../meaning/life.ts";
import type { OpenStore } from "../../../support/world.ts";
import { bridgedWorld } from "../bridged.ts";
import type { Act, Deed } from "./acts.ts";
import { BRIDGE } from "./bridge.ts";
import { Course } from "./course.ts";
import { FIELD_NAMES, FIELDS } from "./dates.ts";
import { HERE } from "./here.ts";
import { settle } from "./settle.ts";
import { THERE } from "./there.ts";
import { World } from "./world.ts";

const DEED_OF = { ...HERE, ...THERE, ...BRIDGE } satisfies Record<Deed, unknown>;

/** An issue and its root, to which random things happen. */
export class Model extends World {
  static async begin(open: OpenStore): Promise<Model> {
    const b = await bridgedWorld(open);
    for (const field of FIELD_NAMES) await b.map(field, FIELDS[field]);
    return new Model(b);
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
}
