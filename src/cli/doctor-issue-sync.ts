import type { testIssueSync } from "../contract/issue-sync.ts";
import type { Output } from "../contract/route.ts";
import { type Finding, skipped } from "../domain/finding.ts";

type Tested = Output<typeof testIssueSync>["tested"];

/** The maximum number of failures that the summary names. The details name all failures. */
const MOST_NAMED = 3;

/**
 * Warns about enabled bindings whose next run would fail. The daemon has found this out with a request to each host.
 */
export function checkIssueSync(tested: Tested): Finding {
  if (tested.length === 0)
    return { status: "ok", summary: "no project reads issues from a code host" };
  const details = { tested };
  const failed = tested.filter(({ result }) => result === "failed");
  const untested = tested.filter(({ result }) => result === "untested").length;
  const rest = untested === 0 ? "" : `; ${untested} not tested, for lack of time`;
  const [first] = failed;
  if (first !== undefined) {
    const named = failed.slice(0, MOST_NAMED).map(failureText).join("; ");
    const more = failed.length > MOST_NAMED ? `; and ${failed.length - MOST_NAMED} more` : "";
    const fix = first.hint === undefined ? {} : { fix: first.hint };
    return { status: "warning", summary: `${named}${more}${rest}`, details, ...fix };
  }
  if (untested === tested.length)
    return { ...skipped(`unknown: ${untested} not tested, for lack of time`), details };
  const answered = tested.length - untested;
  const repositories = answered === 1 ? "repository" : "repositories";
  const summary = `${answered} ${repositories} can be read with the daemon's credentials${rest}`;
  return { status: "ok", summary, details };
}

function failureText({ project, display_name, host, category, message }: Tested[number]): string {
  return `${project} from ${display_name} at ${host}: ${category}: ${message}`;
}
