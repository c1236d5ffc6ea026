import { SvcCommand } from "./base.ts";
import type { JsonBounds } from "./bounded-json.ts";
import { answerBytes, BUDGET_API, type BudgetFlags, bytesQuery, textBytes } from "./budget.ts";
import { type Answer, withVersion } from "./output.ts";
import { writeLines } from "./write-lines.ts";

/**
 * Base of commands with the flags `--max-bytes` or `--limit`. It computes the limits, cuts the output, and prints a
 * note if something was left out (docs/agents.md).
 */
export abstract class LimitedCommand extends SvcCommand {
  protected textBytes: number | undefined;
  /** Limits of a JSON answer that the daemon itself has not limited. */
  protected jsonBounds: JsonBounds | undefined;

  /** Makes the command itself limit its output, for a route without a query parameter that limits the answer. */
  protected boundHere(flags: BudgetFlags): void {
    this.textBytes = textBytes(flags);
    this.jsonBounds = { bytes: answerBytes("json", flags) };
  }

  /**
   * Returns the query parameters that limit a JSON answer. An older daemon does not know them, so the command then
   * limits the answer itself; `rest` adds the cursor of the next page to the answer.
   */
  protected async jsonBytes(flags: BudgetFlags, rest?: JsonBounds["rest"]) {
    const query = bytesQuery(this.mode, flags);
    if (this.mode !== "json") return {};
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
    if (this.jsonBounds === undefined) return await super.writeJson(answer);
    const { boundedJson } = await import("./bounded-json.ts");
    this.writeLine(withVersion(boundedJson(answer.json, this.jsonBounds)));
  }

  /**
   * Writes the first lines that fit into the limit. If lines are left out, people see a note on stderr, and agents see
   * `truncated=true` in the first line.
   */
  protected override async writeText(text: string | Iterable<string>): Promise<void> {
    if (this.textBytes === undefined) return await super.writeText(text);
    const { boundedLines } = await import("./render/bounded.ts");
    const { lines, left } = boundedLines(text, this.textBytes, this.mode === "agent");
    writeLines(this.context.stdout, lines);
    if (left && !this.quiet && this.mode === "human")
      this.note(`... showing the first ${lines.length} lines (--max-bytes 0 shows all)`);
  }

  /** Hints at `--limit` when the page is full, since there may be more rows (facts cli-and-config 1.6). */
  protected noteIfCut(
    found: Answer<{ readonly issues: { readonly length: number } }>,
    limit: number | undefined,
  ): void {
    if (this.mode === "json" || this.quiet || limit === undefined || limit === 0) return;
    const shown = found.body().issues.length;
    if (shown >= limit) this.note(`... showing ${shown} (raise --limit to see more)`);
  }

  protected noteNext(shown: number, limit: number, next: number): void {
    // Only people need the hint: programs read the next cursor from the answer.
    if (this.mode !== "human" || this.quiet || shown < limit) return;
    this.note(`... showing ${shown} (go on with --after ${next})`);
  }
}
