import type { IssuePlace } from "../../shared/ref.ts";
import { oneLine } from "../../shared/text.ts";
import { CommandError, type Failure, failureOf, usage } from "../failure/failure.ts";
import { readTextFile } from "../input/file.ts";
import type { Answer, View } from "../output/output.ts";
import type { BatchReport, IssueAnswer } from "../render/batch.ts";
import type { ViewFile, Views } from "../render/views.ts";
import { LimitedCommand } from "./limited-command.ts";

export interface EachIssue<T extends IssueAnswer, F extends ViewFile> {
  /** `left` is the most bytes that the answer may have; `undefined` means no limit. */
  act(params: IssuePlace, left: number | undefined): Promise<Answer<T>>;
  readonly file: F;
  /** `bytes` is the most bytes of text for one issue; `undefined` means no limit. */
  choose(views: Views<F>, bytes: number | undefined): View<T> | Promise<View<T>>;
  readonly comment?: string | undefined;
  /** Flags that are allowed for one issue only, with their values. */
  readonly single?: Readonly<Record<string, unknown>>;
  /**
   * Set for a command that prints the whole answer about each issue (`svc show`). `bytes` is the most bytes of all
   * answers together; `undefined` means no limit.
   */
  readonly whole?: { readonly bytes: number | undefined };
}

/** Base of the commands that take several issues; docs/agents.md says what they print and how they end. */
export abstract class IssuesCommand extends LimitedCommand {
  #isCut = false;

  /** Records that the answer about an issue was cut. The command says this once, after all answers. */
  protected wasCut(): void {
    this.#isCut = true;
  }

  protected async each<T extends IssueAnswer, F extends ViewFile>(
    args: readonly string[],
    options: EachIssue<T, F>,
  ): Promise<void> {
    const [ref, ...others] = args;
    if (ref === undefined) return;
    if (others.length > 0 || ref === "-") return await this.several(args, options);
    const params = await this.target(ref);
    const { file, whole } = options;
    const answer = await options.act(params, whole?.bytes);
    this.limits = { hasBytes: true };
    await this.print(answer, file, (views) => options.choose(views, whole?.bytes));
    this.noteRest({ truncated: this.#isCut });
    await this.alsoComment(params, options.comment);
  }

  private async several<T extends IssueAnswer, F extends ViewFile>(
    args: readonly string[],
    options: EachIssue<T, F>,
  ): Promise<void> {
    this.refuseSingle({ ...options.single, fence: this.globals.fence });
    const refs = this.named(args);
    const report = await this.report(refs.length, options);
    const bar = await this.progress(this.leaf);
    const showsBar = !this.context.stdout.isTerminal;
    let failed = 0;
    let first: Failure | undefined;
    let done = 0;
    for (const ref of refs) {
      if (showsBar) bar.show(done, refs.length);
      const failure = await this.one(ref, options, report);
      if (report.isFull) break;
      done += 1;
      if (failure === undefined) continue;
      failed += 1;
      first ??= failure;
      if (this.mode === "human") {
        bar.end();
        const { failureText } = await import("../render/failure.ts");
        const message = `${oneLine(ref)}: ${failure.message}`;
        this.note(failureText({ ...failure, message }, "human", this.leaf));
      }
      report.failed(ref, failure);
      // Stop, since each further issue would wait just as long for the daemon.
      if (failure.kind === "daemon_unavailable") break;
    }
    bar.end();
    report.end({ count: done, failed, untried: refs.length - done });
    const truncated = report.isFull || report.hasCut || this.#isCut;
    this.noteCut({ truncated }, { hasBytes: true });
    if (first !== undefined) throw summary(first, { all: refs.length, failed, done });
  }

  private async one<T extends IssueAnswer, F extends ViewFile>(
    ref: string,
    options: EachIssue<T, F>,
    report: BatchReport<T>,
  ): Promise<Failure | undefined> {
    try {
      const params = await this.target(ref);
      const answer = await options.act(params, report.left);
      await this.alsoComment(params, options.comment);
      report.done(ref, answer, await (await this.session()).projectName());
      return undefined;
    } catch (error) {
      return failureOf(error);
    }
  }

  private async report<T extends IssueAnswer, F extends ViewFile>(
    count: number,
    options: EachIssue<T, F>,
  ): Promise<BatchReport<T>> {
    const { file, whole } = options;
    const { batchReport, shareOf } = await import("../render/batch.ts");
    const { VIEWS } = await import("../render/views.ts");
    const views = (await VIEWS[file]()) as Views<F>;
    return batchReport(this.mode, {
      command: this.leaf,
      count,
      view: await options.choose(views, shareOf({ whole, count })),
      style: await this.style(),
      whole,
      write: (text) => this.context.stdout.write(text),
    });
  }

  private refuseSingle(flags: Readonly<Record<string, unknown>>): void {
    const [flag] = Object.keys(flags).filter((name) => {
      return flags[name] !== undefined && flags[name] !== false;
    });
    if (flag !== undefined)
      throw usage(`--${flag} is for one issue`, "name one issue in each command, or leave it out");
  }

  /** The refs in order. A `-` is replaced by the refs that standard input contains. */
  private named(args: readonly string[]): readonly string[] {
    if (args.filter((ref) => ref === "-").length > 1)
      throw usage("- stands for standard input, which can be read once");
    return args.flatMap((ref) => {
      if (ref !== "-") return [ref];
      const text = readTextFile("-", this.context, { most: MAX_STDIN_BYTES });
      return text.split(/\s+/).filter((word) => word !== "");
    });
  }
}

/** Enough for a million refs of eight characters. */
const MAX_STDIN_BYTES = 8 * 1024 * 1024;

/** The failure of the whole command. Its exit code is the exit code for the first issue that failed. */
function summary(
  { kind, code, hint, message }: Failure,
  { all, failed, done }: { readonly all: number; readonly failed: number; readonly done: number },
): CommandError {
  const untried = all - done;
  const rest = untried === 0 ? "" : `, and ${untried} were not tried`;
  return new CommandError(kind, `${failed} of ${all} issues failed${rest}; first: ${message}`, {
    ...(code === undefined ? {} : { code }),
    ...(hint === undefined ? {} : { hint }),
    data: { count: all, failed, untried },
  });
}
