import { showIssue } from "../contract/issues.ts";
import { takeReadyIssue, takeReadyIssueGlobal } from "../contract/leases.ts";
import type { CallInput, Output } from "../contract/route.ts";
import { readyIssues } from "../contract/search.ts";
import { compareTake } from "../contract/take-order.ts";
import type { NamedProject } from "../shared/project-choice.ts";
import { askProjects } from "./ask-projects.ts";
import { roomFor } from "./budget.ts";
import { ToolError } from "./failure.ts";
import { linksOf, shownWithin, wholeIssue } from "./shown-issue.ts";
import type { ToolContext } from "./tool.ts";
import { writtenOf } from "./views.ts";

export interface TakeFilter {
  readonly project?: string | undefined;
  readonly labels?: string[] | undefined;
  readonly exclude_labels?: string[] | undefined;
  readonly idempotency_key?: string | undefined;
}

type Request = Pick<Required<CallInput<typeof takeReadyIssue>>, "body" | "headers">;
type TakeAnswer = Output<typeof takeReadyIssue>;

/**
 * Claims the next ready issue and returns it with its text. The daemon chooses and claims in one transaction, so agents
 * that call at the same moment get different issues. The answer has no issue if none is ready.
 */
export async function takeNext(wanted: TakeFilter, context: ToolContext) {
  const { idempotency_key: key, labels, exclude_labels } = wanted;
  const { actor, call, scope } = context;
  const request = {
    body: { labels, exclude_labels, actor },
    headers: key === undefined ? {} : { "idempotency-key": key },
  };
  const { issue, ...answer } = await take(wanted, request, context);
  if (issue === null) return { changed: false };
  const project = (await scope.projects()).find(({ id }) => id === issue.project_id);
  if (project === undefined)
    throw new ToolError("the issue was moved to a project outside this server's scope");
  const written = await writtenOf(project, { ...answer, issue }, scope);
  const params = { project_id: project.id, ref: issue.uid };
  const shown = await call(showIssue, { params, query: shownWithin(roomFor(undefined)) });
  const links = await linksOf(shown, context);
  const text = wholeIssue(shown, links, 0, roomFor(undefined, written));
  const { body, body_truncated, comments, comments_truncated, links_omitted } = text;
  return {
    ...written,
    issue: { ...written.issue, body, links: text.links, comments },
    ...(body_truncated ? { body_truncated } : {}),
    ...(links_omitted === 0 ? {} : { links_omitted }),
    comments_truncated,
  };
}

async function take(wanted: TakeFilter, request: Request, { scope, call }: ToolContext) {
  if (wanted.project === undefined && scope.reach.kind === "all")
    return await call(takeReadyIssueGlobal, request);
  const takeFrom = async ({ id }: NamedProject): Promise<TakeAnswer> =>
    await call(takeReadyIssue, { params: { project_id: id }, ...request });
  if (wanted.project !== undefined || scope.isBound)
    return await takeFrom(await scope.project(wanted.project));
  if (wanted.idempotency_key !== undefined)
    throw new ToolError(
      "invalid arguments: project: is required with idempotency_key on a server of several projects",
    );
  return await takeFromFirst(await scope.projects(), request, takeFrom, call);
}

/**
 * Takes the issue that comes first among the next issues of all projects. If another agent was faster, tries the
 * following projects. The daemon has no route that takes from a list of projects.
 */
async function takeFromFirst(
  projects: readonly NamedProject[],
  { body }: Request,
  takeFrom: (project: NamedProject) => Promise<TakeAnswer>,
  call: ToolContext["call"],
): Promise<TakeAnswer> {
  const { labels: label, exclude_labels: exclude_label, actor: takeable_by } = body;
  const query = {
    ...{ label, exclude_label, takeable_by, unowned: true, order: "take" as const, limit: 1 },
    fields: "id,updated_at,priority",
  };
  const firsts = await askProjects(
    projects,
    async (project) => {
      const params = { project_id: project.id };
      const [issue] = (await call(readyIssues, { params, query })).issues;
      return issue === undefined ? [] : [{ project, issue }];
    },
    () => false,
  );
  const ordered = firsts.flat().sort((one, other) => compareTake(one.issue, other.issue));
  for (const { project } of ordered) {
    const answer = await takeFrom(project);
    if (answer.issue !== null) return answer;
  }
  return { issue: null, event: null, events: [], changed: false };
}
