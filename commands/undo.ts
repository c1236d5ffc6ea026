import { instantToMs, msToInstant, parseInstant } from "../src/base/clock.ts";
import { LimitedCommand } from "../src/cli/bases/limited-command.ts";
import type { BudgetFlags } from "../src/cli/flags/budget.ts";
import { refuseAllWithPlace } from "../src/cli/flags/filters.ts";
import {
  booleanFlag,
  examples,
  integerFlag,
  requiredFlag,
  textFlag,
} from "../src/cli/flags/flags.ts";
import type { Answer } from "../src/cli/output/output.ts";
import { SvcError } from "../src/contract/errors.ts";
import { JSON_BUDGET_BYTES, TEXT_BUDGET_BYTES } from "../src/contract/list-budget.ts";
import type { Output } from "../src/contract/route.ts";
import { undoGlobal, undoProject } from "../src/contract/undo.ts";

type UndoAnswer = Output<typeof undoGlobal>;

interface Span {
  readonly of_actor: string;
  readonly since: string;
  readonly until?: string | undefined;
  /** Set in later portions of a long undo: the changes after `until` and up to this instant are already undone. */
  readonly undone_until?: string | undefined;
}

interface UndoPart {
  readonly span: Span;
  readonly plan: Answer<UndoAnswer>;
  /** The part of the span that is older than this portion; absent if this portion is the oldest. */
  readonly before?: Span;
}

export default class Undo extends LimitedCommand {
  static override summary = "undo what one actor did in a span of time";
  static override description =
    "Shows what would be undone, which changes others have built on, and which cannot be undone at all. With --yes, or when you agree at a terminal, it is done, all or nothing. The history stays: the undo is one batch of new changes by you, which can be undone as well. Of more than 10,000 changes the last are taken back first, in portions of that many, each whole or not at all; with --json each portion is an object on a line of its own. After an interruption the same command goes on.";
  static override flags = {
    actor: requiredFlag("the actor whose changes are undone", "<actor>"),
    since: requiredFlag(
      "start of the time span: how long ago (90m, 12h), or a day or a time (mon, 2026-01-31)",
      "<when>",
    ),
    until: textFlag("end of the time span, in the same forms; default now", "<when>"),
    "all-projects": booleanFlag("undo in every project; --all is the same", { aliases: ["all"] }),
    "dry-run": booleanFlag("only show what would be undone, and do not ask"),
    yes: booleanFlag("do it without asking", { char: "y", exclusive: ["dry-run"] }),
    "max-bytes": integerFlag(
      `of what would be undone print at most this many bytes; default ${TEXT_BUDGET_BYTES}, with --json ${JSON_BUDGET_BYTES}; 0 means all. What was undone is printed whole`,
      "<n>",
      { exclusive: ["yes"] },
    ),
  };
  static override examples = examples({
    "What a worker did in the last hour, shown and then asked for":
      "svc undo --actor worker-1 --since 1h",
    "Everywhere, in a script": "svc undo --actor worker-1 --since 1h --all-projects --yes",
    "One's own undo, from the moment that it printed":
      "svc undo --actor ann --since 2026-01-31T09:00:00.000Z --as ann --yes",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Undo);
    refuseAllWithPlace(flags["all-projects"], this.globals);
    const span = {
      of_actor: flags.actor,
      since: await this.instant("--since", flags.since),
      until: flags.until === undefined ? undefined : await this.instant("--until", flags.until),
    };
    const project = flags["all-projects"] ? undefined : await this.projectId();
    let rest: Span | undefined = span;
    while (rest !== undefined) {
      const part = await this.#lastPart(project, rest);
      if (!(await this.#takeBack(project, part, flags))) return this.#noteBefore(part);
      const undone_until: string = rest.undone_until ?? part.plan.body().until;
      rest = part.before && { ...part.before, undone_until };
    }
  }

  /** Plans the next portion to undo: the whole span, or its newest changes if the whole is too large for one undo. */
  async #lastPart(project: number | undefined, span: Span): Promise<UndoPart> {
    let part: Omit<UndoPart, "plan"> = { span };
    for (;;) {
      try {
        return { ...part, plan: await this.#askDaemon(project, part.span) };
      } catch (error) {
        // The error suggests a later start of the span, which the loop tries next. If the actor has made more changes
        // since the error, the daemon refuses the shorter span too, and the loop goes on.
        const since = sinceOf(error);
        if (since === undefined || since <= part.span.since) throw error;
        const before = { ...span, until: msToInstant(instantToMs(since) - 1) };
        part = { span: { ...span, since }, before };
      }
    }
  }

  /** Undoes one portion. Returns true if the next older portion should follow. */
  async #takeBack(
    project: number | undefined,
    { span, plan }: UndoPart,
    flags: BudgetFlags & { readonly yes: boolean; readonly "dry-run": boolean },
  ): Promise<boolean> {
    const { confirm, reverts, conflicts, until } = plan.body();
    if (!flags.yes) await this.#showPlan(plan, flags);
    // A dry run stops at the first portion with something to undo. After an empty portion it goes on to the next older
    // one.
    if (flags["dry-run"]) return reverts.length === 0 && conflicts.length === 0;
    if (reverts.length === 0) {
      if (flags.yes && conflicts.length === 0) await this.#show(plan);
      if (!flags.yes || conflicts.length === 0) return conflicts.length === 0;
    }
    if (!flags.yes && !this.#isConfirmed(conflicts.length > 0)) return false;
    // Undo only the changes that were shown, not changes that were made later.
    await this.#show(await this.#askDaemon(project, { ...span, until }, confirm));
    return true;
  }

  /**
   * The plan of an undo is cut to the limit. The result of an undo is printed whole, because it cannot be requested
   * again.
   */
  async #showPlan(plan: Answer<UndoAnswer>, flags: BudgetFlags): Promise<void> {
    this.boundHere(flags);
    await this.#show(plan);
    this.unbound();
  }

  async #show(undone: Answer<UndoAnswer>): Promise<void> {
    await this.print(undone, "undo", ({ undoView }) => undoView);
  }

  #noteBefore({ span, before }: UndoPart): void {
    if (before === undefined) return;
    this.note(`what was done before ${span.since} is planned once this is taken back`);
  }

  /** Sends the undo to the daemon. Without a confirmation the daemon only plans it. */
  async #askDaemon(
    project_id: number | undefined,
    span: Span,
    confirm?: string,
  ): Promise<Answer<UndoAnswer>> {
    const dry_run = confirm === undefined;
    const input = {
      headers: dry_run ? {} : { "x-svc-confirm": confirm },
      body: { ...span, dry_run, actor: await this.actor() },
    };
    return project_id === undefined
      ? await this.call(undoGlobal, input)
      : await this.call(undoProject, { ...input, params: { project_id } });
  }

  #isConfirmed(inConflict: boolean): boolean {
    const { stderr } = this.context;
    if (inConflict) {
      this.note("nothing was changed: settle the conflicts first");
      return false;
    }
    if (!stderr.isTerminal || this.mode !== "human") {
      this.note("nothing was changed: --yes does it");
      return false;
    }
    stderr.write("Take this back? [y/N] ");
    const typed = this.context.readLine()?.trim().toLowerCase();
    if (typed === "y" || typed === "yes") return true;
    this.note("nothing was changed");
    return false;
  }
}

/**
 * Returns the instant that the error suggests as `since`: the events from then on fit into one undo. Returns
 * `undefined` if the error suggests none.
 */
function sinceOf(error: unknown): string | undefined {
  if (!(error instanceof SvcError) || error.code !== "undo_too_large") return undefined;
  const { since } = error.data;
  return typeof since === "string" ? parseInstant(since) : undefined;
}
