import { type Circle, circlesIn } from "../domain/circles.ts";
import type { Finding } from "../domain/finding.ts";
import type { Reader } from "../store/types/store.ts";

/** At most this many circles are named, and at most this many issues of each circle. */
const MAX_NAMED = 20;

/**
 * Warns of issues that wait for each other. An import, a merge of projects, events of other daemons, or a parent that
 * blocks its child can make such a circle. None of the issues in a circle ever becomes ready.
 */
export async function circlesFound(reader: Reader): Promise<Finding> {
  const blocks = await reader.links.openBlocks();
  const circles =
    blocks.length === 0 ? [] : circlesIn({ blocks, parents: await reader.links.openFamilies() });
  if (circles.length === 0) return { status: "ok", summary: "no issues wait for each other" };
  const named = circles.slice(0, MAX_NAMED);
  const refs = await refsOf(reader, named);
  const refOf = (uid: string): string => refs.get(uid) ?? uid;
  const texts = named.map(({ uids }) => textOf(uids.map(refOf)));
  const many = circles.length === 1 ? "one circle" : `${circles.length} circles`;
  return {
    status: "warning",
    summary: `issues wait for each other in ${many}, so that none of them becomes ready: ${texts[0]}`,
    details: { circles: texts },
    fix: `remove a link of each circle: ${named.map(({ link }) => `svc unblock ${refOf(link.blocker)} ${refOf(link.blocked)}`).join("; ")}`,
  };
}

function textOf(refs: readonly string[]): string {
  const more = refs.length - MAX_NAMED;
  const shown = more > 0 ? [...refs.slice(0, MAX_NAMED), `${more} more`] : refs;
  return [...shown, refs[0]].join(" waits for ");
}

async function refsOf(
  reader: Reader,
  circles: readonly Circle[],
): Promise<ReadonlyMap<string, string>> {
  const uids = circles.flatMap(({ uids, link }) => [
    ...uids.slice(0, MAX_NAMED),
    link.blocker,
    link.blocked,
  ]);
  const outlines = await reader.issues.outlines([...new Set(uids)]);
  return new Map(
    [...outlines].map(([uid, { project_name, short_id }]) => [uid, `${project_name}#${short_id}`]),
  );
}
