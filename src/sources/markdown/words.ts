import type { ImportItem } from "../neutral/item.ts";
import type { Mapping, StatusRule } from "../neutral/mapping.ts";
import { plainWord } from "./values.ts";

const OPEN: StatusRule = { status: "open" };

/** The rule for a status such as "on hold": the issue stays open but is parked, so that nobody takes it. */
function parkedRule(word: string): StatusRule {
  return { status: "open", label: `status:${word.replaceAll(" ", "-")}`, someday: true };
}

/** The rule for a status such as "blocked": the tracker does not offer such issues as work. */
function notOffered(word: string): StatusRule {
  return { status: "open", label: `status:${word.replaceAll(" ", "-")}`, notOffered: true };
}

const CLOSED: readonly (readonly [NonNullable<ImportItem["closed_reason"]>, readonly string[]])[] =
  [
    [
      "done",
      [
        "done",
        "closed",
        "complete",
        "completed",
        "resolved",
        "fixed",
        "finished",
        "shipped",
        "released",
        "merged",
      ],
    ],
    [
      "wontfix",
      [
        "wontfix",
        "wont fix",
        "wont do",
        "cancelled",
        "canceled",
        "rejected",
        "declined",
        "abandoned",
        "invalid",
        "obsolete",
        "not planned",
        "archived",
      ],
    ],
    ["duplicate", ["duplicate"]],
    ["superseded", ["superseded", "replaced"]],
  ];

/**
 * The meaning of each status of Markdown trackers. The keys are spelt as `plainWord` spells them. A status that is not
 * listed becomes a label, and the issue is open.
 */
export const STATUSES: Readonly<Record<string, StatusRule>> = Object.fromEntries([
  ...["open", "todo", "to do", "new", "backlog", "ready", "pending", "planned"].map((word) => [
    word,
    OPEN,
  ]),
  ...["deferred", "someday", "icebox", "on hold", "paused", "later"].map((word) => [
    word,
    parkedRule(word),
  ]),
  ...["blocked", "waiting", "waiting for", "waiting on", "draft"].map((word) => [
    word,
    notOffered(word),
  ]),
  ...["deleted", "removed", "tombstone"].map((word) => [word, { status: "deleted" }]),
  ...CLOSED.flatMap(([reason, words]) =>
    words.map((word) => [
      word,
      reason === "done" || word === reason
        ? { status: "closed", reason }
        : { status: "closed", reason, label: `status:${word.replaceAll(" ", "-")}` },
    ]),
  ),
]);

/**
 * The meaning of each kind of link. `blocks` means that the issue with the link blocks the other issue. `parent` means
 * that the other issue is its parent.
 */
export const LINKS: Mapping["links"] = {
  "blocked by": "blocked-by",
  blocks: "blocks",
  parent: "parent",
  child: "child",
  related: "related",
  "duplicate of": "related",
};

export function reasonOf(word: string): ImportItem["closed_reason"] {
  const plain = plainWord(word);
  return CLOSED.find(([, words]) => words.includes(plain))?.[0];
}

const PRIORITIES: readonly (readonly string[])[] = [
  ["p0", "critical", "urgent", "highest", "blocker"],
  ["p1", "high", "h"],
  ["p2", "medium", "normal", "moderate", "med", "m"],
  ["p3", "low", "l"],
  ["p4", "lowest", "trivial", "none"],
];

/** The priority that a word stands for; 0 is the highest. `undefined` for an unknown word. */
export function priorityOf(word: string): number | undefined {
  const plain = plainWord(word);
  if (/^[0-4]$/.test(plain)) return Number(plain);
  const found = PRIORITIES.findIndex((words) => words.includes(plain));
  return found === -1 ? undefined : found;
}
