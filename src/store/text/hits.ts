import type { Connection } from "../connection.ts";
import { issueStatement } from "../repos/statements.ts";
import { issuesWithProject } from "../rows.ts";
import { isIn } from "../statement.ts";
import type { SearchHit } from "../types/issues.ts";
import type { StoredIssue } from "../types/rows.ts";
import { commentTexts } from "./comment-texts.ts";
import { excerptOf } from "./excerpt.ts";
import type { Found } from "./found.ts";
import { partsOf } from "./parts.ts";
import { rater, type Texts, type Wanted } from "./rank.ts";
import { plain } from "./words.ts";

/** UTF-16 units of a text that are searched for the places. */
const READ = 100_000;

/** The found issues in their order, each with the texts that have one of the words, and the place in them. */
export async function hitsOf(
  connection: Connection,
  found: readonly Found[],
  wanted: readonly Wanted[],
): Promise<readonly SearchHit[]> {
  if (found.length === 0) return [];
  const issues = await issuesByIds(
    connection,
    found.map(({ id }) => id),
  );
  const uids = [...issues.values()].map(({ uid }) => uid);
  const comments = await commentTexts(connection, uids);
  const rate = rater(wanted);
  return found.flatMap(({ id, score, matched }) => {
    const issue = issues.get(id);
    if (issue === undefined) return [];
    const texts = {
      title: issue.title,
      body: issue.body.slice(0, READ),
      comments: (comments.get(issue.uid) ?? "").slice(0, READ),
    };
    const { places } = rate(texts);
    const excerpt = placeIn(texts, wanted);
    const hit: SearchHit = { issue, score, matched_in: places, matched };
    return [excerpt === undefined ? hit : { ...hit, excerpt }];
  });
}

function placeIn({ body, comments }: Texts, wanted: readonly Wanted[]): string | undefined {
  const weights = new Map<string, number>();
  for (const { weight, words } of wanted)
    for (const [word, like] of words)
      weights.set(word, Math.max(weights.get(word) ?? 0, weight * like));
  const weightOf = (word: string): number =>
    Math.max(0, ...[plain(word), ...partsOf(word)].map((one) => weights.get(one) ?? 0));
  const grams = wanted.flatMap(({ gram }) => gram ?? []);
  return excerptOf(body, weightOf, grams) ?? excerptOf(comments, weightOf, grams);
}

export async function issuesByIds(
  connection: Connection,
  ids: readonly number[],
): Promise<ReadonlyMap<number, StoredIssue>> {
  const found = await issuesById.all(connection, { ids });
  return new Map(found.map((issue) => [issue.id, issue]));
}

const issuesById = issueStatement((db, p: { ids: readonly number[] }, dialect) =>
  issuesWithProject(db).where(({ ref }) => isIn(dialect, ref("i.id"), p.ids, "bigint")),
);
