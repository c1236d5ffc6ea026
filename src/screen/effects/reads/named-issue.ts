import { SvcError } from "../../../contract/errors.ts";
import type { Transport } from "../../../shared/transport.ts";
import type { Candidate } from "../../detail/state.ts";
import type { EffectOf } from "../../effect.ts";
import type { MessageOf } from "../../message.ts";
import { textOf } from "../failures.ts";

/** The most issues that the daemon returns for one name. */
const MAX_OFFERED = 200; // docs/contract/http-api.md#314-browser-pages

/** Finds the issue that the page's address names by `abc4` or `project#abc4` instead of its uid. */
export async function findIssue(
  daemon: Transport,
  { name, project_id }: EffectOf<"find-issue">,
): Promise<MessageOf<"named" | "detail">> {
  try {
    const found = await issuesNamed(daemon, name, project_id);
    const [first, second] = found;
    if (first !== undefined && second === undefined)
      return { type: "named", name, uid: first.issue };
    return { type: "detail", uid: name, detail: { missing: true, error: "", candidates: found } };
  } catch (error) {
    const missing = error instanceof SvcError && error.code === "issue_not_found";
    const candidates = missing ? importedAs(error) : [];
    return { type: "detail", uid: name, detail: { missing, error: textOf(error), candidates } };
  }
}

async function issuesNamed(
  daemon: Transport,
  name: string,
  project_id: number | undefined,
): Promise<readonly Candidate[]> {
  const hash = name.lastIndexOf("#");
  if (hash > 0) return await inProjectNamed(daemon, name.slice(0, hash), name.slice(hash + 1));
  if (project_id !== undefined) return [await inProject(daemon, project_id, name)];
  return await inAnyProject(daemon, name.toLowerCase());
}

async function inProjectNamed(
  daemon: Transport,
  project: string,
  ref: string,
): Promise<readonly Candidate[]> {
  const { projects } = await daemon.call("listProjects", {});
  const found = projects.find(({ name }) => name === project);
  return found === undefined ? [] : [await inProject(daemon, found.id, ref)];
}

async function inProject(daemon: Transport, project_id: number, ref: string): Promise<Candidate> {
  // `max_bytes: 1` leaves out everything but the issue itself, which is all that is needed here.
  const query = { include_deleted: true, max_bytes: 1 };
  const { issue } = await daemon.call("showIssue", { params: { project_id, ref }, query });
  return { issue: issue.uid, name: issue.qualified_id, title: issue.title };
}

/** Finds the issues with this short id in all projects. A short id belongs to one project, so there may be several. */
async function inAnyProject(daemon: Transport, short_id: string): Promise<readonly Candidate[]> {
  const query = { q: `#${short_id}`, limit: MAX_OFFERED };
  const { issues } = await daemon.call("readUIReferences", { query });
  return issues
    .filter((issue) => issue.short_id === short_id)
    .map(({ uid, qualified_id, title }) => ({ issue: uid, name: qualified_id, title }));
}

/** The issues whose id in another tracker is the requested name. The daemon lists them in its refusal. */
function importedAs({ data }: SvcError): readonly Candidate[] {
  const { candidates } = data;
  if (!Array.isArray(candidates)) return [];
  // By the contract, each candidate has these two fields.
  const named = candidates as readonly { readonly qualified_id: string; readonly source: string }[];
  return named.map(({ qualified_id: name, source }) => ({
    ...{ issue: name, name },
    title: `from ${source}`,
  }));
}
