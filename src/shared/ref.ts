import { isUlid } from "../base/ulid.ts";
import { invalid, type SvcError } from "../contract/errors.ts";
import { isInteger, isShortUuid } from "../domain/refs.ts";

/** An issue as a person typed it, parsed without asking the daemon (docs/contract/command-line.md#53-refs). */
export interface TypedRef {
  /** The project of `project#abc4`, used instead of the workspace's; `undefined` if the ref names none. */
  readonly project: string | undefined;
  /** A short id, a uid, or an id or `#` number from the tracker that the issue was imported from. */
  readonly ref: string;
}

const SHORT_ID = /^[0-9a-z]{1,25}$/i;

/**
 * An id of another tracker, such as `bd-077e` or `PROJ-12`. It contains `-`, `_`, `.`, `:` or `/`, as no short id does.
 */
const FOREIGN_ID = /^(?=.{1,512}$)[0-9a-z]+(?:[-_.:/][0-9a-z]+)+$/i;

/**
 * `#` and the number of an issue in the tracker that it was imported from, such as `#12`. A ref with an svc short id
 * has a project's name before the `#`.
 */
const NUMBER = /^#\d+$/;

/**
 * Matches what is probably the beginning of a uid: uids begin with 0, and short ids hardly ever have eight characters.
 * Eight hexadecimal digits do not match, because they may be the beginning of another tracker's UUID.
 */
const UID_PREFIX = /^0(?![0-9a-f]{7}$)[0-9a-z]{7,}$/i;

export function readRef(text: string): TypedRef {
  if (NUMBER.test(text)) return { project: undefined, ref: text };
  const at = text.lastIndexOf("#");
  const ref = text.slice(at + 1);
  if (isUlid(ref)) return { project: projectBefore(text, at), ref: ref.toUpperCase() };
  if (FOREIGN_ID.test(ref)) return { project: projectBefore(text, at), ref };
  if (!SHORT_ID.test(ref)) throw refError(text, "it is no short id, project#short_id or uid");
  if (at === -1) {
    // An issue's number in the database differs between daemons, so it could name another issue. A text of eight digits
    // is not refused here: it is probably the beginning of another tracker's UUID, and the daemon never reads it as a
    // number.
    if (isInteger(ref) && !isShortUuid(ref))
      throw refError(text, "an issue's number is no reference", `project#${ref}`);
    if (UID_PREFIX.test(ref)) throw refError(text, "the beginning of a uid is no reference");
  }
  return { project: projectBefore(text, at), ref: ref.toLowerCase() };
}

function projectBefore(text: string, at: number): string | undefined {
  if (at === -1) return undefined;
  const project = text.slice(0, at);
  if (project.trim() === "") throw refError(text, "it names no project before the #");
  return project;
}

function refError(text: string, why: string, instead?: string): SvcError {
  const message = `${JSON.stringify(text)} is no reference to an issue: ${why}`;
  const forms = "write abc4, project#abc4 or the 26 characters of the uid; svc list shows them";
  const hint =
    instead === undefined ? forms : `${forms}; a short id of digits only is written ${instead}`;
  return invalid(message, hint);
}

/** The path parameters of issue routes. */
export interface IssuePlace {
  readonly project_id: number;
  readonly ref: string;
}

/**
 * Resolves a ref that a person typed, in the project that the ref names or else in the caller's project
 * (docs/contract/command-line.md#53-refs). A uid names an issue in any project. The daemon is asked only for what the
 * ref does not contain.
 */
export async function placeOf(
  text: string,
  ask: {
    /** Returns the project of this name, or the caller's own project if there is no name. */
    project(name?: string): Promise<{ readonly id: number }>;
    issue(uid: string): Promise<{ readonly project_id: number }>;
  },
): Promise<IssuePlace> {
  const { project, ref } = readRef(text);
  if (project === undefined && isUlid(ref))
    return { project_id: (await ask.issue(ref)).project_id, ref };
  return { project_id: (await ask.project(project)).id, ref };
}

export function projectOf(qualified_id: string): string {
  return qualified_id.slice(0, qualified_id.lastIndexOf("#"));
}
