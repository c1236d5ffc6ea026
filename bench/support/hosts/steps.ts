import type { Body } from "./conversation.ts";
import { isOffered, type Plan } from "./offered.ts";

export const TITLE = "Sharpen the pencils";
export const FOLLOW_UP = "Buy more pencils";
export const COMMENT = "Half of them are done.";

interface Step {
  readonly name: string;
  readonly tool: string;
  readonly args: (ref: string) => Body;
  /** What the model must find in the answer. */
  readonly says: (ref: string) => string;
}

/** A short piece of work of an agent. Each step uses only what earlier answers contain. */
const STEPS: readonly Step[] = [
  { name: "find", tool: "svc.ready", args: () => ({}), says: () => TITLE },
  { name: "take", tool: "svc.claim", args: (ref) => ({ ref }), says: (ref) => ref },
  { name: "read", tool: "svc.show", args: (ref) => ({ ref }), says: () => TITLE },
  {
    name: "comment",
    tool: "svc.comment",
    args: (ref) => ({ ref, body: COMMENT, idempotency_key: "comment-1" }),
    says: (ref) => ref,
  },
  {
    name: "create",
    tool: "svc.create",
    args: () => ({ title: FOLLOW_UP, idempotency_key: "create-1" }),
    says: () => "ref",
  },
  {
    name: "close",
    tool: "svc.close",
    args: (ref) => ({
      ref,
      reason: "done",
      message: "All pencils of the drawer are sharp again, and the broken ones are gone.",
      evidence: [{ type: "commit", sha: "0123456789abcdef0123456789abcdef01234567" }],
      idempotency_key: "close-1",
    }),
    says: (ref) => ref,
  },
];

export const STEP_NAMES: readonly string[] = STEPS.map(({ name }) => name);

/** How many steps of the work a host completed. */
export interface Played {
  /** The steps whose answers reached the model. */
  readonly done: string[];
  /** Why the next step did not work; absent if all did. */
  fault?: string;
}

/** Plays the steps in order, and stops at the first one whose answer does not reach the model. */
export function workPlan(played: Played): Plan {
  let ref = "";
  return (turn, said) => {
    const step = STEPS[played.done.length];
    if (said !== undefined && step !== undefined) {
      ref ||= refIn(said);
      if (ref === "" || !said.includes(step.says(ref))) {
        played.fault = `${step.name}: the model got ${said.slice(0, 400)}`;
        return "done";
      }
      played.done.push(step.name);
    }
    const next = STEPS[played.done.length];
    if (next === undefined) return "done";
    if (!isOffered(turn, next.tool)) played.fault = `${next.name}: ${next.tool} is not offered`;
    return { name: next.tool, args: next.args(ref) };
  };
}

/**
 * Finds the ref in an answer. Some hosts pass on an answer as a JSON string inside other JSON, where each quote has a
 * backslash.
 */
function refIn(said: string): string {
  return /\\*"ref\\*": *\\*"([^"\\]+)/.exec(said)?.[1] ?? "";
}
