import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import { jsonBytes } from "../budget.ts";

type Shown = Output<typeof showIssue>;

/** What the counts and the version that commands add take at most. */
const AROUND_BYTES = 256;

/**
 * Keeps the newest comments and the first children that fit; the issue itself always stays whole. Children get what
 * comments leave over, and at least half.
 */
export function boundedShow<T extends Shown>(shown: T, maxBytes: number | undefined): T {
  if (maxBytes === undefined || maxBytes === 0) return shown;
  const { comments, children } = shown;
  let left = maxBytes - AROUND_BYTES - jsonBytes({ ...shown, comments: [], children: [] });
  const fewChildren = fitting(children, left / 2);
  left -= jsonBytes(fewChildren);
  const newest = fitting([...comments].reverse(), left).reverse();
  left -= jsonBytes(newest);
  const some = [...fewChildren, ...fitting(children.slice(fewChildren.length), left)];
  if (newest.length === comments.length && some.length === children.length) return shown;
  return {
    ...shown,
    comments: newest,
    children: some,
    truncated: true,
    comment_count: comments.length,
    child_count: children.length,
  };
}

function fitting<R>(rows: readonly R[], bytes: number): R[] {
  let left = bytes;
  const end = rows.findIndex((row) => (left -= jsonBytes(row) + 1) < 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}
