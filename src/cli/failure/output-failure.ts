import { oneLine } from "../../shared/text.ts";
import type { Failure } from "./failure.ts";
import type { OutputError } from "./output-error.ts";
import { reasonOf } from "./system-fault.ts";

/** Commands that change this machine without a request to a daemon. */
const CHANGES_HERE =
  /^(?:autocomplete|backup$|daemon:(?:reload|restart|start|stop|trust)|demo|export|import$|mcp:(?:un)?install|storage:postgres:migrate)/;

const MAX_NAMES = 10;
const MAX_TEXT = 200;

interface FinishedCommand {
  readonly id: string;
  /** The daemon's answers to the changes. */
  readonly made: readonly Buffer[];
  /** True if the command knows that there was nothing to change. */
  readonly changedNothing: boolean;
}

/**
 * The failure of a command whose result could not be written. If a change was made, the failure names it, because a
 * caller that repeats the command would make the change twice.
 */
export function outputFailure(
  error: OutputError,
  { id, made, changedNothing }: FinishedCommand,
): Failure & { readonly code: "output_failed" } {
  const base = { kind: "internal", code: "output_failed" } as const;
  const why = `stdout cannot be written to (${reasonOf(error.cause)})`;
  const answers = made.map(parsed).filter((answer) => answer["changed"] !== false);
  if (changedNothing || (answers.length === 0 && !CHANGES_HERE.test(id))) {
    const hint = "mend that, then repeat the command: it has changed nothing";
    return { ...base, message: `the result is lost: ${why}`, hint };
  }
  const names = [...new Set(answers.flatMap(namesIn))];
  const shown = names.slice(0, MAX_NAMES).join(", ");
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  const what = names.length === 0 ? oneLine(error.text).slice(0, MAX_TEXT) : `${shown}${more}`;
  return {
    ...base,
    message: `the change was made (${what}), and only its result is lost: ${why}`,
    hint: "do not repeat the command; look at what it made instead",
    ...(names.length === 0 ? {} : { data: { made: names } }),
  };
}

type Members = Readonly<Record<string, unknown>>;

function parsed(body: Buffer): Members {
  const answer: unknown = body.length === 0 ? {} : JSON.parse(body.toString("utf8"));
  return typeof answer === "object" && answer !== null ? { ...answer } : {};
}

/**
 * Returns names for what an answer contains. The answer itself is named by its id, if it has one. Each object in the
 * answer, or in one of its lists, is named by its qualified id, name, uid or id. The event of the change is left out.
 */
function namesIn({ event: _event, ...answer }: Members): readonly string[] {
  const own = typeof answer["id"] === "number" ? [`id ${answer["id"]}`] : [];
  const parts = Object.entries(answer).flatMap(([key, value]) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item) => nameOf(key, item));
  });
  return [...own, ...parts];
}

function nameOf(key: string, value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const { qualified_id, name, uid, id }: Members = { ...value };
  const found = [qualified_id, name, uid, id].find((one) => {
    return typeof one === "string" || typeof one === "number";
  });
  return found === undefined ? [] : [qualified_id === found ? String(found) : `${key} ${found}`];
}
