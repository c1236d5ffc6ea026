import type { Chance } from "../support/fleet/work.ts";
import type { Outcome } from "./history.ts";
import { ask, type IssueHistory } from "./issue-client.ts";
import type { IssueAnswer, IssueInput } from "./issue-model.ts";

/** An issue that several workers change, with the history of what they did. */
export interface Target {
  /** Its path below `/api/v1`. */
  readonly path: string;
  readonly history: IssueHistory;
}

/** What a worker knows of an issue: the last revision that it saw, the fence of its lease, and the key of a comment
 * whose outcome it does not know. */
interface Memory {
  revision: number;
  fence: number | undefined;
  unknownKey: string | undefined;
}

/**
 * A person or agent who works on several issues through one daemon. Chance decides what it does, and it goes by what it
 * saw last, as programs do: it may be out of date. A comment whose outcome is unknown is sent again with its key.
 */
export class Worker {
  readonly #name: string;
  readonly #chance: Chance;
  readonly #known = new Map<Target, Memory>();
  #made = 0;

  constructor(name: string, chance: Chance) {
    this.#name = name;
    this.#chance = chance;
  }

  /** `socketPath` is that of the daemon that the worker uses. */
  async step(socketPath: string, target: Target): Promise<Outcome<IssueAnswer>> {
    const memory = this.#memory(target);
    const input = this.#choose(memory);
    const asked = { client: this.#name, issue: target.path, input };
    const outcome = await ask(socketPath, target.history, asked);
    if (input.op === "comment") memory.unknownKey = "unknown" in outcome ? input.key : undefined;
    if (input.op === "release") memory.fence = undefined;
    if ("answer" in outcome) {
      const { revision, lease } = outcome.answer;
      memory.revision = revision ?? memory.revision;
      if (input.op === "acquire" && lease?.holder === this.#name) memory.fence = lease.fence;
    }
    return outcome;
  }

  #memory(target: Target): Memory {
    const memory = this.#known.get(target) ?? {
      revision: 1,
      fence: undefined,
      unknownKey: undefined,
    };
    this.#known.set(target, memory);
    return memory;
  }

  #choose({ revision, fence, unknownKey }: Memory): IssueInput {
    const by = this.#name;
    this.#made += 1;
    if (unknownKey !== undefined) return { op: "comment", by, key: unknownKey };
    switch (this.#chance.below(8)) {
      case 0:
        return { op: "claim", by };
      case 1:
        return { op: "unassign", by };
      case 2:
      case 3:
        return { op: "set", by, revision, value: this.#made };
      case 4:
        return fence === undefined ? { op: "acquire", by } : { op: "release", by, fence };
      case 5:
        return { op: "comment", by, key: `${by}-${this.#made}` };
      default:
        return { op: "show" };
    }
  }
}
