import type { Call } from "../history.ts";
import { explain, type IssueAnswer, type IssueInput } from "../issue-model.ts";
import type { Verdict } from "../linearizable.ts";
import { explainPlans, type PlanAnswer, type PlanInput } from "../plan-model.ts";
import type { LoggedEvent, Reader } from "./reader.ts";
import type { Terms } from "./terms.ts";

/** What is left of a world when its story has been told. */
export interface WorldRemains {
  readonly log: readonly LoggedEvent[];
  readonly readers: readonly Pick<Reader, "name" | "known" | "faults">[];
  readonly histories: readonly { readonly calls: readonly Call<IssueInput, IssueAnswer>[] }[];
  readonly plans: readonly { readonly calls: readonly Call<PlanInput, PlanAnswer>[] }[];
  readonly terms: Pick<Terms, "faults">;
}

/** Returns in words what happened although no daemon may do it; empty if all is well. */
export function faultsOf(remains: WorldRemains): readonly string[] {
  const { log, readers, histories, plans, terms } = remains;
  return [
    ...histories.flatMap(({ calls }) => unexplained("one issue", explain(calls))),
    ...plans.flatMap(({ calls }) => unexplained("the plans of a project", explainPlans(calls))),
    ...readers.flatMap((reader) => [...reader.faults, ...misread(reader, log)]),
    ...terms.faults,
    ...deliveredTwice(log),
  ];
}

/** A text for a history that no order of its calls explains. */
function unexplained<I, A>(what: string, verdict: Verdict<I, A>): readonly string[] {
  if (verdict.linearizable) return [];
  const limit = verdict.isUndecided ? " (the search was ended at its limit)" : "";
  return [
    [
      `no order of these calls on ${what} explains the last ones${limit}`,
      ...verdict.order.map(shown),
      "unexplained:",
      ...verdict.unexplained.map(shown),
    ].join("\n"),
  ];
}

export function shown({
  client,
  input,
  invoked,
  returned,
  outcome,
}: Call<unknown, unknown>): string {
  return `${invoked}-${returned} ${client} ${JSON.stringify(input)} ${JSON.stringify(outcome)}`;
}

/** A reader that has read to the end knows each event of the log and no other. */
function misread(
  { name, known }: Pick<Reader, "name" | "known">,
  log: readonly LoggedEvent[],
): readonly string[] {
  const missing = log.filter(({ event_id, event_uid }) => known.get(event_id) !== event_uid);
  const ids = new Set(log.map(({ event_id }) => event_id));
  const surplus = [...known.keys()].filter((id) => !ids.has(id));
  if (missing.length === 0 && surplus.length === 0) return [];
  const missed = missing.map(({ event_id }) => event_id).join(", ");
  return [
    `${name} has not read the events ${missed} of the log, and others: ${surplus.join(", ")}`,
  ];
}

/** An occurrence of a recurring job has one child issue. */
function deliveredTwice(log: readonly LoggedEvent[]): readonly string[] {
  const seen = new Set<string>();
  return log.flatMap(({ type, event_id, payload }) => {
    const occurrence = payload.metadata?.["cron.occurrence"];
    if (type !== "issue.created" || occurrence === undefined) return [];
    const text = JSON.stringify(occurrence);
    if (seen.has(text)) return [`event ${event_id} delivers ${text} again`];
    seen.add(text);
    return [];
  });
}
