import { randomBytes } from "node:crypto";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { answerOf, requestOf } from "../exchange.ts";
import { type ProcessDeps, type Program, runProgram } from "../process.ts";

const PROTOCOL = "svc.connector.fixture.v1";

/** What the provider has, as the fixture sees it without the connector. */
export interface ProviderState {
  readonly root: { readonly title: string; readonly body: string; readonly state: string };
  /** In any order. */
  readonly comments: readonly {
    readonly id: string;
    readonly body: string;
    readonly deleted: boolean;
  }[];
  /** The values of the fields that can be written, by id. */
  readonly fields: JsonObject;
  /** All that the provider stores of the root, as text; absent if the fixture cannot say it. */
  readonly raw?: string;
}

/** A fixture that does not answer as it should. That is no fault of the connector. */
export class FixtureFault extends Error {}

/** The program that changes the provider for `svc connector test`. */
export class Fixture {
  readonly #program: Program;
  readonly #deps: ProcessDeps;

  constructor(program: Program, deps: ProcessDeps) {
    this.#program = program;
    this.#deps = deps;
  }

  /** Makes the root of the test anew, open and with at least three comments, and returns what names it. */
  async reset(): Promise<string> {
    const { locator } = await this.#ask("reset", {});
    if (typeof locator !== "string") throw new FixtureFault("reset gave no locator");
    return locator;
  }

  async state(root_key: string): Promise<ProviderState> {
    const { root, comments, fields, raw } = await this.#ask("state", { root_key });
    if (root === undefined || !Array.isArray(comments) || fields === undefined)
      throw new FixtureFault("state gave no root, comments and fields");
    return { root, comments, fields, raw } as unknown as ProviderState;
  }

  async editComment(root_key: string, comment_id: string, body: string): Promise<void> {
    await this.#ask("edit_comment", { root_key, comment_id, body });
  }

  async deleteComment(root_key: string, comment_id: string): Promise<void> {
    await this.#ask("delete_comment", { root_key, comment_id });
  }

  async #ask(method: string, params: JsonObject): Promise<Readonly<Record<string, JsonValue>>> {
    const { settings } = this.#program;
    const id = randomBytes(16).toString("hex");
    const asked = { protocol: PROTOCOL, id, method, instance: "fixture", settings, params };
    const ran = await runProgram(this.#program, Buffer.from(requestOf(asked)), this.#deps);
    if (!("stdout" in ran)) throw new FixtureFault(`${method}: ${ran.why}`);
    const answered = answerOf(ran.stdout, asked);
    if ("result" in answered) return answered.result;
    const why = "error" in answered ? answered.error.message : `breaks ${answered.broken}`;
    throw new FixtureFault(`${method}: ${why}`);
  }
}
