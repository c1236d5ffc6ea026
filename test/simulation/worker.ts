import type { Chance } from "../support/fleet/work.ts";
import type { Outcome } from "./history.ts";
import { ask, type IssueHistory, type IssueQuestion, type Send } from "./issue-client.ts";
import type { IssueAnswer } from "./issue-model.ts";

/** An issue that several workers change, with the history of what they did. */
export interface Target {
  /** Its path below `/api/v1`. */
  readonly path: string;
  readonly history: IssueHistory;
}

/** What a worker can do with an issue. */
export const OPERATIONS = [
  "claim",
  "unassign",
  "set",
  "set under its fence",
  "lease",
  "lease for a minute",
  "release",
  "go on after the release",
  "comment",
  "show",
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** The steps of a program that gives its lease back and continues to write under the lease's fence. */
const GOES_ON = ["lease", "release", "set under its fence"] as const;

/** The operations that are one request. */
type Single = Exclude<Operation, "go on after the release">;

/** The operations of workers that choose at random. One that is listed twice is chosen twice as often. */
const USUAL: readonly Operation[] = [
  ...["claim", "unassign", "set", "set", "comment", "show", "show"],
  ...["lease", "release", "set under its fence"],
] as const;

export function chooseOperation(chance: Chance): Operation {
  return chance.pick(USUAL) ?? "show";
}

/**
 * What a worker knows of an issue: the last revision that it saw, the fence of its last lease, and the key of a comment
 * whose outcome it does not know.
 */
interface Memory {
  revision: number;
  fence: number | undefined;
  unknownKey: string | undefined;
}

/**
 * A person or agent who works on several issues through one daemon. Like a program, it relies on what it saw last,
 * which may be out of date. It reads the issue again only before a write under a fence. If the outcome of a comment is
 * unknown, it sends the comment again with the same key before it does anything else.
 */
export class Worker {
  readonly name: string;
  readonly #known = new Map<Target, Memory>();
  #made = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Carries out one step. `again` sends the same request a second time, and nobody learns the second answer. */
  async step(
    operation: Operation,
    target: Target,
    send: Send,
    again?: Send,
  ): Promise<Outcome<IssueAnswer>> {
    if (operation === "go on after the release") {
      const outcomes = [];
      for (const next of GOES_ON) outcomes.push(await this.step(next, target, send, again));
      return outcomes.at(-1) ?? { unknown: "nothing was done" };
    }
    const memory = this.#memory(target);
    if (operation === "set under its fence") await this.#look(target, memory, send);
    const input = this.#inputFor(operation, memory);
    const asked = { client: this.name, issue: target.path, input };
    const repeated =
      again && ask(again, target.history, { ...asked, client: `${this.name}, repeated` });
    const outcome = await ask(send, target.history, asked);
    await repeated;
    if (input.op === "comment") memory.unknownKey = "unknown" in outcome ? input.key : undefined;
    if ("answer" in outcome) {
      const { revision, lease } = outcome.answer;
      memory.revision = revision ?? memory.revision;
      if (input.op === "acquire" && lease?.holder === this.name) memory.fence = lease.fence;
    }
    return outcome;
  }

  /** Reads the issue, so that the next write is not refused because of an old revision, but because of its fence. */
  async #look(target: Target, memory: Memory, send: Send): Promise<void> {
    const asked = { client: this.name, issue: target.path, input: { op: "show" } } as const;
    const outcome = await ask(send, target.history, asked);
    if ("answer" in outcome) memory.revision = outcome.answer.revision ?? memory.revision;
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

  /** If the worker knows no lease of its own, it takes a lease instead of using a fence. */
  #inputFor(operation: Single, { revision, fence, unknownKey }: Memory): IssueQuestion["input"] {
    const by = this.name;
    this.#made += 1;
    if (unknownKey !== undefined) return { op: "comment", by, key: unknownKey };
    const value = this.#made;
    switch (operation) {
      case "claim":
      case "unassign":
        return { op: operation, by };
      case "set":
        return { op: "set", by, revision, value };
      case "set under its fence":
        if (fence === undefined) return { op: "acquire", by };
        return { op: "set", by, revision, value, fence };
      case "lease":
        return { op: "acquire", by };
      case "lease for a minute":
        return { op: "acquire", by, seconds: 60 };
      case "release":
        return fence === undefined ? { op: "acquire", by } : { op: "release", by, fence };
      case "comment":
        return { op: "comment", by, key: `${by}-${value}` };
      case "show":
        return { op: "show" };
    }
  }
}
