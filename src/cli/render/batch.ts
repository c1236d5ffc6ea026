import { escapeControls } from "../../base/visible.ts";
import { header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import { EXIT_CODES, type Failure } from "../failure/failure.ts";
import type { Mode } from "../output/mode.ts";
import type { Answer, View } from "../output/output.ts";
import { quietRefs, refIn } from "../output/quiet.ts";
import { agentRow } from "./list.ts";
import type { Style } from "./palette.ts";
import type { RowIssue } from "./rows.ts";

export interface IssueAnswer {
  readonly issue: RowIssue;
  readonly changed?: boolean | undefined;
  readonly truncated?: boolean | undefined;
  readonly next_issue?: { readonly short_id: string } | undefined;
}

export interface Batch<T> {
  readonly command: string;
  readonly count: number;
  readonly view: View<T>;
  readonly style: Style;
  /**
   * Set if the whole answer about each issue is printed. `bytes` is then the most bytes of all answers together, or
   * `undefined` for no limit. If not set, each answer is one line.
   */
  readonly whole: { readonly bytes: number | undefined } | undefined;
  write(text: string): void;
}

export interface Totals {
  readonly count: number;
  readonly failed: number;
  readonly untried: number;
}

export interface BatchReport<T> {
  readonly left: number | undefined;
  /** True once an answer did not fit and was not printed. */
  readonly isFull: boolean;
  /** True once only a part of an answer was printed. */
  readonly hasCut: boolean;
  done(ref: string, answer: Answer<T>, project: string | undefined): void;
  failed(ref: string, failure: Failure): void;
  end(totals: Totals): void;
}

export function batchReport<T extends IssueAnswer>(mode: Mode, batch: Batch<T>): BatchReport<T> {
  if (mode === "json") return new JsonReport(batch);
  return mode === "agent" ? new AgentReport(batch) : new HumanReport(batch);
}

/** The most bytes of each answer, if several answers share one limit; `undefined` means no limit. */
export function shareOf({ whole, count }: Pick<Batch<never>, "whole" | "count">) {
  return whole?.bytes === undefined ? undefined : Math.floor((whole.bytes - END_BYTES) / count);
}

/** Bytes reserved for the text before and after the answers. */
const END_BYTES = 160;

/** Counts the bytes of the printed answers. The first answer always fits. */
class Budget {
  left: number | undefined;
  isFull = false;
  #isFirst = true;

  constructor(bytes: number | undefined) {
    // At least 1, because `left` is also sent to the daemon as `max_bytes`, where 0 means no limit.
    this.left = bytes === undefined ? undefined : Math.max(1, bytes - END_BYTES);
  }

  fits(text: string): boolean {
    if (this.left === undefined) return true;
    const bytes = Buffer.byteLength(text) + 1;
    this.isFull = bytes > this.left && !this.#isFirst;
    if (this.isFull) return false;
    this.#isFirst = false;
    this.left = Math.max(1, this.left - bytes);
    return true;
  }
}

class JsonReport<T extends IssueAnswer> implements BatchReport<T> {
  hasCut = false;
  readonly #batch: Batch<T>;
  readonly #budget: Budget;
  #before = "";

  constructor(batch: Batch<T>) {
    this.#batch = batch;
    this.#budget = new Budget(batch.whole?.bytes);
    batch.write('{"svc_api_version":1,"results":[');
  }

  get left(): number | undefined {
    return this.#budget.left;
  }

  get isFull(): boolean {
    return this.#budget.isFull;
  }

  done(ref: string, answer: Answer<T>): void {
    const { whole } = this.#batch;
    if (whole === undefined)
      return this.#add(ref, "answer", JSON.stringify(withoutTexts(answer.body())));
    this.hasCut ||= answer.json.includes(TRUNCATED) && answer.body().truncated === true;
    this.#add(ref, "answer", answer.json);
  }

  failed(ref: string, { kind, code, message, hint, data }: Failure): void {
    const exit_code = EXIT_CODES[kind];
    this.#add(ref, "error", JSON.stringify({ kind, code, message, exit_code, hint, data }));
  }

  end({ count, failed, untried }: Totals): void {
    const totals = {
      count,
      failed,
      ...(this.isFull ? { truncated: true } : {}),
      ...(untried === 0 ? {} : { untried }),
    };
    this.#batch.write(`],${JSON.stringify(totals).slice(1)}\n`);
  }

  #add(ref: string, name: "answer" | "error", json: string): void {
    const text = escapeControls(`{"ref":${JSON.stringify(ref)},"${name}":${json.trim()}}`);
    if (!this.#budget.fits(text)) return;
    this.#batch.write(this.#before + text);
    this.#before = ",";
  }
}

/** A long answer without this text is whole, and need not be parsed. */
const TRUNCATED = '"truncated":true';

function withoutTexts<T extends IssueAnswer>(body: T): object {
  const issue = Object.entries(body.issue).filter(([key]) => key !== "body" && key !== "metadata");
  return { ...body, issue: Object.fromEntries(issue) };
}

class AgentReport<T extends IssueAnswer> implements BatchReport<T> {
  hasCut = false;
  readonly #batch: Batch<T>;
  readonly #budget: Budget;
  readonly #share: number | undefined;
  /** With a limit, the rows wait here until the end, because the first line says whether all of them fit. */
  readonly #kept: string[] = [];

  constructor(batch: Batch<T>) {
    this.#batch = batch;
    this.#budget = new Budget(batch.whole?.bytes);
    this.#share = shareOf(batch);
    if (batch.whole?.bytes === undefined) batch.write(`${this.#headerLine()}\n`);
  }

  get left(): number | undefined {
    return this.#budget.left;
  }

  get isFull(): boolean {
    return this.#budget.isFull;
  }

  done(ref: string, answer: Answer<T>): void {
    const body = answer.body();
    if (this.#batch.whole === undefined) return this.#add(changedRow(ref, body));
    if (this.#share !== undefined && this.#share < LEAST_SHARE_BYTES) {
      this.hasCut = true;
      return this.#add(agentRow(body.issue, ref));
    }
    const [, ...lines] = this.#batch.view.agent(body, false).split("\n");
    this.#add([row({ issue: ref }), ...lines].join("\n"));
  }

  failed(ref: string, { kind, code, message }: Failure): void {
    this.#add(row({ issue: ref, error: kind, code, exit: EXIT_CODES[kind], message }));
  }

  end({ count, untried }: Totals): void {
    if (this.#batch.whole?.bytes === undefined) return;
    const { isFull } = this;
    const head = this.#headerLine(isFull ? { shown: count, truncated: true, untried } : {});
    this.#batch.write([head, ...this.#kept, ""].join("\n"));
  }

  #headerLine(more: Readonly<Record<string, number | boolean>> = {}): string {
    return header(this.#batch.command, { count: this.#batch.count, ...more });
  }

  #add(text: string): void {
    if (!this.#budget.fits(text)) return;
    if (this.#budget.left === undefined) this.#batch.write(`${text}\n`);
    else this.#kept.push(text);
  }
}

/**
 * If the limit leaves fewer bytes than this for each issue, agents get one row for each issue instead of its details.
 */
const LEAST_SHARE_BYTES = 700;

function changedRow(ref: string, { issue, changed, next_issue: next }: IssueAnswer): string {
  const { status, owner } = issue;
  return row({ issue: ref, changed, status, owner, next: next?.short_id });
}

class HumanReport<T extends IssueAnswer> implements BatchReport<T> {
  readonly left = undefined;
  readonly isFull = false;
  readonly hasCut = false;
  readonly #batch: Batch<T>;
  #isFirst = true;

  constructor(batch: Batch<T>) {
    this.#batch = batch;
  }

  done(_ref: string, answer: Answer<T>, project: string | undefined): void {
    const { view, style, whole, write } = this.#batch;
    const body = answer.body();
    if (style.quiet) {
      for (const shown of quietRefs(view.refs?.(body) ?? [], project)) write(`${shown}\n`);
      return;
    }
    const text = view.human(body, style);
    if (whole === undefined) write(`${withId(body.issue, text, style, project)}\n`);
    else write(`${this.#isFirst ? "" : `\n${style.paint("faint", RULE)}\n\n`}${text}\n`);
    this.#isFirst = false;
  }

  /** Does nothing: the command itself reports failures to people, on stderr. */
  failed(): void {}

  end(): void {}
}

const RULE = "─".repeat(50);

/**
 * Returns the first line of the text, which begins with the issue's id. The id is put in front if the line does not
 * begin with it. If the issue is not in the project of the command, the id includes the project.
 */
function withId(
  issue: RowIssue,
  text: string,
  { paint }: Style,
  project: string | undefined,
): string {
  const [line = ""] = text.split("\n", 1);
  const id = paint("id", issue.short_id);
  const rest = line.startsWith(id) ? line.slice(id.length) : ` ${line}`;
  return paint("id", oneLine(refIn(issue, project))) + rest;
}
