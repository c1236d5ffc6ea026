import type { History, Outcome } from "./history.ts";
import type { Send } from "./issue-client.ts";
import { PLAN_ISSUES, type PlanAnswer, type PlanInput } from "./plan-model.ts";
import type { Sent } from "./send.ts";

export type PlanHistory = History<PlanInput, PlanAnswer>;

/** The plans of a project, with the history of what was asked about them. */
export interface Plans {
  /** The path of the project below `/api/v1`. */
  readonly project: string;
  readonly history: PlanHistory;
}

/** This plan has so much text that its events are read by the read worker. */
export const LONG_PLAN = "long" as const;

export const SHORT_PLANS = ["p", "q"] as const;

export type PlanName = typeof LONG_PLAN | (typeof SHORT_PLANS)[number];

const LONG_TEXT = "word ".repeat(60_000);

/** Asks a daemon about plans, and writes down what was asked and what the client learned. */
export async function askPlans(
  send: Send,
  { project, history }: Plans,
  client: string,
  input: PlanInput,
): Promise<Outcome<PlanAnswer>> {
  return await history.record(client, input, async () => {
    const received = await send(requestOf(project, client, input));
    if (received === undefined) return { unknown: "the connection broke" };
    const body: Body = JSON.parse(received.text);
    if (received.status < 300) return { answer: answerOf(body) };
    const code = body.error?.code ?? `status ${received.status}`;
    return code === "outcome_unknown" ? { unknown: code } : { refused: code };
  });
}

interface Body {
  readonly error?: { readonly code: string };
  readonly created?: number;
  readonly issues: readonly { readonly labels?: readonly string[] }[];
}

function requestOf(project: string, actor: string, input: PlanInput): Sent {
  if (input.op === "list") return { method: "GET", path: `${project}/issues?limit=500` };
  const issues = Array.from({ length: PLAN_ISSUES }, (_, at) => ({
    ...{ name: `i${at}`, title: `issue ${at}`, labels: [`plan-${input.plan}`] },
    ...(input.plan === LONG_PLAN ? { body: LONG_TEXT } : {}),
  }));
  const body = { plan: input.plan, issues, actor };
  return { method: "POST", path: `${project}/plans`, body };
}

function answerOf({ created, issues }: Body): PlanAnswer {
  if (created !== undefined) return { created };
  const counts: Record<string, number> = {};
  for (const { labels = [] } of issues)
    for (const label of labels) {
      const plan = label.replace(/^plan-/, "");
      counts[plan] = (counts[plan] ?? 0) + 1;
    }
  return { issues: counts };
}
