import type { Root } from "../../../../src/domain/bridges/values.ts";
import type { Bridged } from "../bridged.ts";

/** What became of the states of the issue and of the root, and how often people may be asked about it. */
export class States {
  readonly faults: string[] = [];
  readonly #b: Bridged;
  /** How many requests there may be at most. */
  readonly #allowed = { completion: 0, reopen: 0 };
  /** Set if a person completed the root of an open issue, and nothing else touched the states since the last rest. */
  #isExpected = false;
  #isDisturbed = true;
  #completions = 0;

  constructor(b: Bridged) {
    this.#b = b;
  }

  /** Something happened to the states that may make a request needless. */
  disturb(): void {
    this.#isDisturbed = true;
    this.#isExpected = false;
  }

  beginBind(): void {
    this.disturb();
    this.#allowed.completion += 1;
  }

  async changeThere(state: Root["state"]): Promise<void> {
    const { status } = await this.#b.shown();
    this.#allowed[state === "complete" ? "completion" : "reopen"] += 1;
    this.#isExpected = !this.#isDisturbed && status === "open" && state === "complete";
    if (!this.#isExpected) this.disturb();
    this.#b.provider.edit("r", { state });
  }

  /** A call of the connector begins: only the root of a closed issue with a bridge that runs may be completed. */
  async called(method: string): Promise<void> {
    if (method !== "complete_root") return;
    const { store, issue } = this.#b;
    const bridge = await store.read(async ({ bridges }) => await bridges.active(issue.uid));
    const { status } = await this.#b.shown();
    if (status === "open" || bridge?.enabled !== 1)
      this.faults.push("a completion nobody asked for");
    // If its answer is lost and the issue is reopened, people are asked about it.
    this.#allowed.completion += 1;
    this.disturb();
  }

  async check(requests: { readonly completion: number; readonly reopen: number }): Promise<void> {
    const { title, body, status } = await this.#b.shown();
    const root = this.#b.provider.record("r");
    if (title !== root.title || body !== root.body)
      this.faults.push(`the words are ${title}, ${body} instead of ${root.title}, ${root.body}`);
    if (status === "closed" && root.state !== "complete")
      this.faults.push("the issue is closed and the root is not complete");
    for (const kind of ["completion", "reopen"] as const)
      if (requests[kind] > this.#allowed[kind])
        this.faults.push(`${requests[kind]} requests of ${kind} instead of ${this.#allowed[kind]}`);
    if (this.#isExpected && requests.completion <= this.#completions)
      this.faults.push("nobody was asked about a completed root");
    this.#completions = requests.completion;
    this.#isExpected = false;
    this.#isDisturbed = false;
  }
}
