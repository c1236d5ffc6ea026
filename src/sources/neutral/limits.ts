import type { JsonValue } from "../../base/json.ts";
import { SvcError } from "../../contract/errors.ts";
import {
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_IMPORT_COMMENTS,
  MAX_ISSUE_LABELS,
  MAX_LINKS,
} from "../../contract/limits.ts";
import type { MappedLink } from "./edges.ts";
import type { SourceIssue } from "./record.ts";

/**
 * The maximum number of labels that an import itself adds to an issue: for status, type, project, milestone and hold.
 */
const OWN_LABELS = 5;

/**
 * Throws if the daemon would refuse the issue. This is checked before anything is sent, because otherwise the issues
 * that were sent earlier would stay. Texts are not checked, because characters that svc cannot store are replaced in
 * them.
 */
export function checkLimits(issue: SourceIssue, links: readonly MappedLink[]): void {
  const { id, labels, comments = [] } = issue;
  const counts = [
    ["labels", labels.length, MAX_ISSUE_LABELS - OWN_LABELS],
    ["links", links.length, MAX_LINKS],
    ["comments", comments.length, MAX_IMPORT_COMMENTS],
  ] as const;
  for (const [what, count, most] of counts) {
    if (count <= most) continue;
    throw limitError(
      `issue ${id} has ${count} ${what}, more than the ${most} that an import takes`,
      `remove some of its ${what} in the other tracker, or in the file`,
    );
  }
  const deep = Object.entries(issue.fields).find(([, value]) => nestsDeeper(value, MAX_LEVELS));
  if (deep !== undefined) {
    throw limitError(
      `issue ${id} nests its field ${JSON.stringify(deep[0])} deeper than ${MAX_LEVELS} levels`,
      "make it flatter in the other tracker, or in the file",
    );
  }
  const ofComments = comments.flatMap((one) => (one.id === undefined ? [] : `${id}/${one.id}`));
  const names = [id, ...links.map(({ to }) => to), ...ofComments];
  const bad = names.find((name) => !isName(name));
  if (bad !== undefined) {
    throw limitError(
      `issue ${id} has or names an id that svc cannot take: ${JSON.stringify(bad.slice(0, 100))}`,
      `an id has 1 to ${MAX_EXTERNAL_ID_CHARACTERS} characters without controls: mend it in the other tracker, or in the file`,
    );
  }
}

/**
 * How many levels a value in the metadata may nest. The body of a request may nest 256 levels, and a value in the
 * metadata is a few levels deep in the body.
 */
const MAX_LEVELS = 240;

function nestsDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1));
}

function isName(text: string): boolean {
  return text.length <= MAX_EXTERNAL_ID_CHARACTERS && /^[^\p{Cc}\p{Surrogate}]+$/u.test(text);
}

function limitError(why: string, hint: string): SvcError {
  return new SvcError("validation", { why }, { message: `${why}; nothing was written`, hint });
}
