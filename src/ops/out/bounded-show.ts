import { jsonBytes } from "../../base/json-bytes.ts";
import type { showIssue } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";

type ShownIssue = Output<typeof showIssue>;

/**
 * Bytes reserved for the numbers of comments, children and links, and for the key `svc_api_version`, which commands add
 * at the beginning.
 */
const AROUND_BYTES = 256;

/**
 * Keeps the newest comments, the first children and the first links that fit into `maxBytes`. The fields of the issue
 * itself stay whole. The bytes are given out in this order:
 *
 * - The links get up to a quarter of the bytes. Links to children come last, since `children` names these issues too.
 * - The children get up to half of the rest.
 * - The comments get all remaining bytes.
 * - Bytes that the comments do not use go to more children and then to more links.
 */
export function boundedShow<T extends ShownIssue>(shown: T, maxBytes: number | undefined): T {
  if (maxBytes === undefined || maxBytes === 0) return shown;
  const { issue, comments, children, links } = shown;
  const bare = { ...shown, comments: [], children: [], links: [] };
  let left = maxBytes - AROUND_BYTES - jsonBytes(bare);
  const take = <R>(rows: readonly R[], bytes: number): R[] => {
    const kept = fittingRows(rows, bytes);
    left -= jsonBytes(kept);
    return kept;
  };
  const isOfChild = ({ type, to }: ShownIssue["links"][number]): boolean =>
    type === "parent" && to.uid === issue.uid;
  const ranked = [...links.filter((link) => !isOfChild(link)), ...links.filter(isOfChild)];
  const fewLinks = take(ranked, left / 4);
  const fewChildren = take(children, left / 2);
  const newest = take([...comments].reverse(), left).reverse();
  const some = [...fewChildren, ...take(children.slice(fewChildren.length), left)];
  const named = new Set([...fewLinks, ...take(ranked.slice(fewLinks.length), left)]);
  const isWhole =
    newest.length === comments.length &&
    some.length === children.length &&
    named.size === links.length;
  if (isWhole) return shown;
  const { older_comment_count: older } = shown;
  return {
    ...shown,
    comments: newest,
    children: some,
    links: links.filter((link) => named.has(link)),
    truncated: true,
    comment_count: shown.comment_count ?? comments.length,
    ...(older === undefined
      ? {}
      : { older_comment_count: older + comments.length - newest.length }),
    child_count: children.length,
    link_count: links.length,
  };
}

function fittingRows<R>(rows: readonly R[], bytes: number): R[] {
  let left = bytes;
  const end = rows.findIndex((row) => (left -= jsonBytes(row) + 1) < 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}
