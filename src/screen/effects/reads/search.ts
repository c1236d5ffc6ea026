import { SEARCH_MAX_LIMIT } from "../../../contract/limits.ts";
import type { Output } from "../../../contract/route.ts";
import type { searchIssues } from "../../../contract/search.ts";
import { interleaved } from "../../../shared/interleaved.ts";
import type { Transport } from "../../../shared/transport.ts";
import type { EffectOf } from "../../effect.ts";
import { issueOf } from "../../issues/issues.ts";
import type { MessageOf } from "../../message.ts";
import { textOf } from "../failures.ts";

type Answer = Output<typeof searchIssues>;

const PROJECTS_AT_ONCE = 8;

/** Reads the best matches of a search in all projects, and the mode in which the daemon searched. */
export async function readSearch(
  daemon: Transport,
  effect: EffectOf<"search">,
): Promise<MessageOf<"found">> {
  const { serial, projects } = effect;
  try {
    const answers: Answer[] = [];
    for (let at = 0; at < projects.length; at += PROJECTS_AT_ONCE) {
      const some = projects.slice(at, at + PROJECTS_AT_ONCE);
      answers.push(...(await Promise.all(some.map((id) => searchIn(daemon, id, effect)))));
    }
    const results = interleaved(answers.map((answer) => answer.results));
    const shown = results.slice(0, SEARCH_MAX_LIMIT);
    const issues = shown.map(({ issue }) => issueOf(issue));
    const meant = shown.filter(isMeant).map(({ issue }) => issue.uid);
    return { type: "found", serial, issues, meant, how: howOf(answers) };
  } catch (error) {
    return { type: "found", serial, error: textOf(error) };
  }
}

/** Whether the issue was found by its meaning, and not by words. */
function isMeant({ matched, matched_in }: Answer["results"][number]): boolean {
  return matched === undefined && matched_in.length === 1 && matched_in[0] === "semantic";
}

async function searchIn(
  daemon: Transport,
  project_id: number,
  { words: q, labels, withoutLabels }: EffectOf<"search">,
): Promise<Answer> {
  const query = {
    q,
    limit: SEARCH_MAX_LIMIT,
    label: [...labels],
    exclude_label: [...withoutLabels],
  };
  return await daemon.call("searchIssues", { params: { project_id }, query });
}

/** The search modes that the daemon used and, if a better mode was not available, the reason. */
function howOf(answers: readonly Answer[]): string {
  const modes = [...new Set(answers.map(({ mode }) => mode))].join(", ");
  const reason = answers.find(({ degraded }) => degraded === true)?.degraded_reason;
  return reason === undefined ? modes : `${modes} (${reason})`;
}
