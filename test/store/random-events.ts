import fc from "fast-check";
import type { EventDraft } from "../../src/contract/events.ts";
import type { MemoryState } from "../../src/domain/memory.ts";
import {
  bridged,
  closed,
  commented,
  created,
  deleted,
  labeled,
  linksChanged,
  metadataSet,
  projectRemoved,
  projectRestored,
  reopened,
  restored,
  uid,
  unlabeled,
} from "./drafts.ts";

/** Random events about a few issues of two projects, which must exist already. */

export const [P, Q] = [uid(1), uid(2)];

/** A random step: what is done to which issues. */
export type Step = readonly [kind: number, issue: number, other: number, third: number];

const KINDS = 18;
const ISSUES = 9;

/** Returns the drafts for a step in this state; none if the step would make no sense, such as a circle of parents. */
export function draftsOf(state: MemoryState, [kind, a, b, c]: Step): readonly EventDraft[] {
  const [issue, other, third] = [uid(100 + a), uid(100 + b), uid(100 + c)];
  const home = state.issue(issue)?.project_uid ?? (c % 3 === 0 ? Q : P);
  const known = state.issue(issue) !== undefined;
  if (!known)
    return [
      created(home, issue, {
        metadata: a % 4 === 0 ? { someday: true } : {},
        ...initialLinks(state, issue, other, b),
      }),
    ];
  switch (kind) {
    case 0:
      return [closed(home, issue)];
    case 1:
      return [reopened(home, issue)];
    case 2:
      // An issue that an external root owns cannot be deleted.
      return state.row("external_root", issue) === undefined ? [deleted(home, issue)] : [];
    case 3:
      return [restored(home, issue)];
    case 4:
    case 5:
      return canAdopt(state, issue, other)
        ? [linksChanged(home, issue, { parent_set_uid: other })]
        : [];
    case 6: {
      const parent = state.parentLink(issue)?.to_uid;
      return parent === undefined
        ? []
        : [
            linksChanged(home, issue, {
              parent_removed_uid: parent,
              blocks_added_uids: others(issue, [third]),
            }),
          ];
    }
    case 7:
    case 8:
      return [linksChanged(home, issue, { blocks_added_uids: others(issue, [other, third]) })];
    case 9:
      return [
        linksChanged(home, issue, {
          blocked_by_added_uids: others(issue, [other]),
          related_added_uids: others(issue, [third]),
        }),
      ];
    case 10:
      return [
        linksChanged(home, issue, {
          blocks_removed_uids: [other],
          blocked_by_removed_uids: [third],
          related_removed_uids: [third],
        }),
      ];
    case 11:
      return [metadataSet(home, issue, { someday: b % 2 === 0 ? { to: true } : {} })];
    case 12:
      return [
        metadataSet(home, issue, { scheduled_on: b % 3 === 0 ? {} : { to: `2026-01-0${b + 1}` } }),
      ];
    case 13:
      return [labeled(home, issue, `l${b}`), unlabeled(home, issue, `l${c}`)];
    case 14:
      return [commented(home, issue, uid(1000 + b), `words ${c}`)];
    case 15:
      return [bridged(home, issue, "bound", uid(5000 + c))];
    case 16: {
      const action = (["paused", "resumed", "unbound"] as const)[b % 3] ?? "paused";
      return [bridged(home, issue, action, bindingOf(state, issue) ?? uid(5000 + c))];
    }
    default: {
      const project = b % 2 === 0 ? P : Q;
      return [
        state.project(project)?.deleted_at === null
          ? projectRemoved(project)
          : projectRestored(project),
      ];
    }
  }
}

function bindingOf(state: MemoryState, issue: string): string | undefined {
  return state.row("external_root", issue)?.binding_uid;
}

function initialLinks(
  state: MemoryState,
  issue: string,
  other: string,
  b: number,
): Partial<Parameters<typeof created>[2] & object> {
  if (state.issue(other) === undefined || other === issue || b % 3 === 0) return {};
  const link = { to_issue_uid: other, to_short_id: "", author: "ann" };
  if (b % 3 === 1) return { links: [{ ...link, type: "parent" }] };
  return { links: [{ ...link, type: "blocks", incoming: b % 2 === 0 }] };
}

function others(issue: string, uids: readonly string[]): string[] {
  return [...new Set(uids)].filter((other) => other !== issue);
}

function canAdopt(state: MemoryState, child: string, parent: string): boolean {
  for (let at: string | undefined = parent; at !== undefined; at = state.parentLink(at)?.to_uid)
    if (at === child) return false;
  return state.issue(parent) !== undefined;
}

export const steps = fc.array(
  fc.tuple(fc.nat(KINDS - 1), fc.nat(ISSUES - 1), fc.nat(ISSUES - 1), fc.nat(ISSUES - 1)),
  { minLength: 1, maxLength: 80, size: "max" },
);

export function isStep(step: Step | readonly EventDraft[]): step is Step {
  return typeof step[0] === "number";
}

export function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
