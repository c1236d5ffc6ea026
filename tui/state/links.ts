import { removing } from "./inverse.ts";
import type { Issue } from "./issues.ts";
import { issueNamed } from "./optimism.ts";
import type { State } from "./state.ts";
import { atOf, type Write } from "./writes.ts";

/** How a link reads from the issue that has it. */
const KINDS = { "waits for": "blocked_by", blocks: "blocks", related: "related" } as const;

/** Every link of these issues, as a person reads it and as it is typed to take it off. */
export function linksOf(
  { issues }: Pick<State, "issues">,
  of: readonly Issue[],
): readonly string[] {
  const line = (kind: string, uid: string): string => {
    const peer = issues.get(uid);
    return peer === undefined ? `${kind} ${uid}` : `${kind} ${peer.qualified_id}  ${peer.title}`;
  };
  const lines = of.flatMap((issue) => [
    ...(issue.parent === undefined ? [] : [line("parent", issue.parent)]),
    ...Object.entries(KINDS).flatMap(([kind, list]) => issue[list].map((uid) => line(kind, uid))),
  ]);
  return [...new Set(lines)];
}

/** Takes the link off every issue that has it. */
export function unlinkWrites(state: State, of: readonly Issue[], text: string): readonly Write[] {
  const [, kind, ref] = /^(parent|waits for|blocks|related) (\S+)/.exec(text) ?? [];
  if (kind === undefined || ref === undefined) return [];
  return of.flatMap((issue): readonly Write[] => {
    const at = atOf(issue);
    const peer = issueNamed(state, issue, ref);
    const uid = peer?.uid ?? ref;
    const peers = peer?.qualified_id ?? ref;
    if (kind === "parent")
      return issue.parent === uid
        ? [{ act: "link", at, change: { remove_parent: uid }, peers }]
        : [];
    const list = KINDS[kind as keyof typeof KINDS];
    if (!issue[list].includes(uid)) return [];
    return [{ act: "link", at, change: removing(list, [uid]), peers }];
  });
}
