import { type Instant, instantToMs } from "../../base/clock.ts";
import { isInvisible } from "../../base/visible.ts";
import { MAX_ISSUE_LABELS, MAX_SOURCE_CHARACTERS } from "../../contract/limits.ts";
import { spellLabel } from "../imports/spell-label.ts";
import { NO_AUTHOR, storableActor } from "../imports/storable-actor.ts";
import { cutCodePoints, MAX_TITLE, storableText } from "../imports/storable-text.ts";
import { PROVIDER_LABELS } from "./provider-labels.ts";
import type { RemoteComment, RemoteIssue } from "./remote-issue.ts";
import type { RepositoryAddress, SyncComment, SyncItem } from "./sync-item.ts";

const LABEL = PROVIDER_LABELS.github;

/** The address of an issue's page for people. */
export function githubIssueUrl({ host, owner, repo }: RepositoryAddress, number: number): string {
  return `https://${host}/${owner}/${repo}/issues/${number}`;
}

/** Stands for an account that no longer exists. */
const GHOST = "github-ghost";

/** How GitHub names the reasons for closing an issue, in lower case, and what svc calls them. */
export const CLOSE_REASONS: Readonly<Record<string, NonNullable<SyncItem["closed_reason"]>>> = {
  completed: "done",
  not_planned: "wontfix",
  duplicate: "duplicate",
};

/** The external id of an issue that was imported from a file. GitHub itself recognizes the form `gh-12`. */
export function githubFileId(number: number | string): string {
  return `gh-${number}`;
}

/**
 * Whether an import from a file names its source after this repository. A name that is too long for a source is cut
 * there, and ends with a mark (`sources/github/read.ts`).
 */
export function isGithubFileSource(source: string, repository: string): boolean {
  const name = `github:${repository.toLowerCase()}`;
  if (name.length <= MAX_SOURCE_CHARACTERS) return source === name;
  const mark = source.lastIndexOf("~");
  return (
    mark > 0 && source.length === MAX_SOURCE_CHARACTERS && name.startsWith(source.slice(0, mark))
  );
}

interface Mapping {
  readonly titlePrefix: boolean;
  /** When the run began. Used where the host gives neither the time of creation nor that of the last change. */
  readonly startedAt: Instant;
}

/** Maps an issue of GitHub to the fields of svc (docs/contract/issue-sync.md#6-mapping). */
export function mapGithubIssue(issue: RemoteIssue, mapping: Mapping): SyncItem {
  const { keys, parent } = issue;
  const [external_id, ...others] = keys;
  const times = timesOf(issue, mapping.startedAt);
  const whole = titleOf(issue, mapping);
  const title = cutCodePoints(whole, MAX_TITLE);
  const owner = issue.owner === undefined ? NO_AUTHOR : storableActor(issue.owner);
  return {
    external_id,
    other_external_ids: others,
    number: issue.number,
    title,
    body: bodyOf(issue, title === whole ? undefined : whole),
    author: authorOf(issue.author),
    ...(owner === NO_AUTHOR ? {} : { owner }),
    ...times,
    ...stateOf(issue, times),
    labels: labelsOf(issue.labels),
    comments: issue.comments.map((comment) => commentOf(comment, times.updated_at)),
    parent,
  };
}

function titleOf({ title, number }: RemoteIssue, { titlePrefix }: Mapping): string {
  const text = storableText(title).trim();
  if (!titlePrefix) return isInvisible(text) ? `(untitled ${LABEL} issue #${number})` : text;
  return `[${LABEL} #${number}] ${isInvisible(text) ? "(untitled)" : text}`;
}

/** If svc has to cut the title, the body begins with the whole title, as after an import from a file. */
function bodyOf({ body, url }: RemoteIssue, fullTitle: string | undefined): string {
  const text = storableText(body).replace(/[\r\n]+$/, "");
  const full = fullTitle === undefined ? "" : `Full title: ${fullTitle}\n\n`;
  const start = full + text;
  return `${start}${start === "" ? "" : "\n"}---\nImported from ${LABEL}: ${storableText(url)}`;
}

function authorOf(login: string | undefined): string {
  const name = storableActor(login);
  return name === NO_AUTHOR && login !== NO_AUTHOR ? GHOST : name;
}

type Times = Pick<SyncItem, "created_at" | "updated_at">;

function timesOf(issue: RemoteIssue, startedAt: Instant): Times {
  const { state, closed_at } = issue;
  const stated = issue.created_at ?? issue.updated_at ?? startedAt;
  const isLate = state === "closed" && closed_at !== undefined && isBefore(closed_at, stated);
  const created_at = isLate && issue.created_at === undefined ? closed_at : stated;
  const updated_at = issue.updated_at ?? created_at;
  return { created_at, updated_at: isBefore(updated_at, created_at) ? created_at : updated_at };
}

function stateOf(
  { state, state_reason, closed_at }: RemoteIssue,
  { created_at, updated_at }: Times,
): Pick<SyncItem, "status" | "closed_at" | "closed_reason"> {
  if (state === "open") return { status: "open" };
  const isKnown = closed_at !== undefined && !isBefore(closed_at, created_at);
  return {
    status: "closed",
    closed_at: isKnown ? closed_at : updated_at,
    closed_reason: CLOSE_REASONS[state_reason?.toLowerCase() ?? ""] ?? "done",
  };
}

function isBefore(a: string, b: string): boolean {
  return instantToMs(a) < instantToMs(b);
}

/** The labels in the spelling of svc, each once, and no more than an issue may have. */
function labelsOf(names: readonly string[]): readonly string[] {
  const spelt = new Set(names.flatMap((name) => spellLabel(storableText(name)) ?? []));
  return [...spelt].slice(0, MAX_ISSUE_LABELS);
}

function commentOf({ key, body, author, created_at }: RemoteComment, at: Instant): SyncComment {
  const text = storableText(body);
  return {
    external_id: key,
    author: authorOf(author),
    body: isInvisible(text) ? "(no content)" : text,
    created_at: created_at ?? at,
  };
}
