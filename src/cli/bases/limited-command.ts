import {
  answerBytes,
  BUDGET_API,
  type BudgetFlags,
  bytesQuery,
  textBytes,
} from "../flags/budget.ts";
import type { JsonBounds } from "../output/bounded-json.ts";
import type { CutAnswer, Limits } from "../output/cut-note.ts";
import { type Answer, withVersion } from "../output/output.ts";
import { writeLines } from "../output/write-lines.ts";
import { SvcCommand } from "./svc-command.ts";

/**
 * Base of commands with the flags `--max-bytes` or `--limit`. It computes the limits, cuts the output, and says on
 * stderr, in every output mode, if something was left out and how to get it (docs/agents.md).
 */
export abstract class LimitedCommand extends SvcCommand {
  protected textBytes: number | undefined;
  /** Limits of a JSON answer that the daemon itself has not limited. */
  protected jsonBounds: JsonBounds | undefined;
  /** The limits of the answer, for the note about what was left out. */
  protected limits: Limits = {};
  /** The flag that shows a whole issue, if its long fields were cut. */
  protected readonly wholeFlag: string = "--max-bytes 0";
  #isNoted = false;

  /** Makes the command itself limit its output, for a route without a query parameter that limits the answer. */
  protected boundHere(flags: BudgetFlags): void {
    this.textBytes = textBytes(flags);
    this.jsonBounds = { bytes: answerBytes("json", flags) };
    this.limits = { hasBytes: true };
  }

  /** Removes the limit, so that the command prints what follows in full. */
  protected unbound(): void {
    this.textBytes = undefined;
    this.jsonBounds = undefined;
  }

  /** Sets the limits of the answer: `--max-bytes`, and for rows the number that was requested. */
  protected limitBy(flags: BudgetFlags, rows: Pick<Limits, "rows" | "mostRows"> = {}): void {
    this.limits = { ...rows, hasBytes: answerBytes(this.mode, flags) !== undefined };
  }

  /**
   * Returns the query parameters that limit a JSON answer. If the daemon is too old to support them, the command itself
   * limits the answer, and `rest` adds the cursor of the next page to the answer.
   */
  protected async jsonBytes(flags: BudgetFlags, rest?: JsonBounds["rest"]) {
    return this.mode === "json" ? await this.pageBytes(flags, rest) : {};
  }

  /**
   * Like `jsonBytes`, but also returns parameters for text output. With them the daemon says whether there are more
   * rows, and the command itself cuts the text.
   */
  protected async pageBytes(flags: BudgetFlags, rest?: JsonBounds["rest"]) {
    const query = bytesQuery(this.mode, flags);
    if (await (await this.session()).hasApi(BUDGET_API)) return query;
    this.jsonBounds = { bytes: answerBytes("json", flags), ...(rest && { rest }) };
    return {};
  }

  protected async fitted<T extends object>(
    found: Answer<T>,
    bytes: number | undefined,
    cut: () => Promise<(body: T, bytes: number, forAgent: boolean) => T>,
  ): Promise<Answer<T>> {
    if (this.mode === "json" || bytes === undefined) return found;
    // With -q only ids are printed for people, so nothing is cut.
    if (this.mode === "human" && this.quiet) return found;
    const page = (await cut())(found.body(), bytes, this.mode === "agent");
    return { json: found.json, body: () => page };
  }

  protected override async writeJson(answer: Answer<unknown>): Promise<void> {
    const { jsonBounds: bounds, limits, wholeFlag: whole } = this;
    const { jsonCutNotes } = await import("../output/json-cut.ts");
    let json = answer.bytes;
    if (bounds === undefined) await super.writeJson(answer);
    else {
      const { boundedJson } = await import("../output/bounded-json.ts");
      const text = boundedJson(answer.json, bounds);
      this.writeLine(withVersion(text));
      json = Buffer.from(text);
    }
    json ??= Buffer.from(answer.json);
    const notes = jsonCutNotes(json, limits, { whole, isOld: bounds !== undefined });
    for (const note of notes) this.note(note);
  }

  /**
   * Writes the first lines that fit into the limit. If lines are left out, agents also see `truncated=true` in the
   * first line.
   */
  protected override async writeText(text: string | Iterable<string>): Promise<void> {
    if (this.textBytes === undefined) return await super.writeText(text);
    const { boundedLines } = await import("../render/bounded.ts");
    const { lines, left } = boundedLines(text, this.textBytes, this.mode === "agent");
    writeLines(this.context.stdout, lines);
    if (!left) return;
    this.note(`... showing the first ${lines.length} lines (--max-bytes 0 shows all)`);
    this.#isNoted = true;
  }

  /** Says on stderr, after a text, what the text leaves out. For a JSON answer, `writeJson` says this. */
  protected noteRest(answer: CutAnswer, shown?: number): void {
    if (this.mode !== "json" && !this.#isNoted) this.noteCut(answer, { ...this.limits, shown });
  }
}
