type Payload = Readonly<Record<string, unknown>>;

/**
 * What clients may see of events if the server reaches only some projects: `projects` has the names of these projects,
 * `kinds` the kinds of events whose payloads this version of svc knows.
 */
export interface Insight {
  /** The uids of projects and issues in reach. */
  readonly uids: ReadonlySet<string>;
  readonly projects: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/**
 * Where the payload of a kind of event names other issues or projects:
 * - `together`: groups of members that name the same issue. The members of a group are shown or left out together.
 * - `lists`: members whose value is a list, in which each entry names an issue.
 * - `parallel`: pairs of a member with short ids and a member with the uids of the same issues.
 * - `within`: pairs of a member whose value is a list, and the member of its entries that names an issue.
 */
interface Names {
  readonly together?: readonly (readonly string[])[];
  readonly lists?: readonly string[];
  readonly parallel?: readonly (readonly [string, string])[];
  readonly within?: readonly (readonly [string, string])[];
}

const ENDS: Names = {
  together: [
    ["from_short_id", "from_uid", "link_from_uid"],
    ["to_short_id", "to_uid", "link_to_uid"],
  ],
};

const CHANGED_LISTS = ["blocks", "blocked_by", "related"].flatMap((name) =>
  ["added", "removed"].map((how) => `${name}_${how}`),
);

const NAMES: Readonly<Record<string, Names>> = {
  "issue.created": { lists: ["links"] },
  "issue.linked": ENDS,
  "issue.unlinked": ENDS,
  "issue.links_changed": {
    together: [
      ["parent_set", "parent_set_uid"],
      ["parent_removed", "parent_removed_uid"],
    ],
    parallel: CHANGED_LISTS.map((name) => [name, `${name}_uids`] as const),
  },
  "issue.closed": {
    together: [["parent_uid", "parent_short_id"]],
    within: [["evidence", "issue_ref"]],
  },
  "issue.moved": { together: [["from_project_uid", "from_short_id"], ["to_project_uid"]] },
  "close.throttled": { together: [["parent"], ["prior"]], lists: ["cohort"] },
};

/** The kinds of events whose whole payload is left out if any part of it names something out of reach. */
const WHOLE: ReadonlySet<string> = new Set(["project.merged"]);

/**
 * Returns the payload without the names of issues and projects that are out of reach
 * (docs/contract/tools.md#92-events).
 */
export function redacted(type: string, payload: Payload, insight: Insight): Payload {
  const isForeign = (value: unknown): boolean =>
    value !== undefined && namesForeign(JSON.stringify(value), insight);
  if (WHOLE.has(type)) return isForeign(payload) ? {} : payload;
  const { together = [], lists = [], parallel = [], within = [] } = NAMES[type] ?? {};
  const shown: Record<string, unknown> = { ...payload };
  for (const members of together)
    if (members.some((member) => isForeign(payload[member])))
      for (const member of members) delete shown[member];
  for (const member of lists)
    if (member in payload) shown[member] = asList(payload[member]).filter((one) => !isForeign(one));
  for (const [ids, uids] of parallel) {
    const known = asList(payload[uids]);
    const keptOf = (member: string): unknown[] =>
      asList(payload[member]).filter(
        (_one, at) => known[at] !== undefined && !isForeign(known[at]),
      );
    for (const member of [ids, uids]) if (member in payload) shown[member] = keptOf(member);
  }
  for (const [list, member] of within)
    if (list in payload)
      shown[list] = asList(payload[list]).map((one) =>
        isForeign(memberOf(one, member)) ? { ...(one as Payload), [member]: undefined } : one,
      );
  return shown;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, member: string): unknown {
  return (value as Payload | null)?.[member];
}

const UID = /[0-9A-HJKMNP-TV-Z]{26}/gi;
const QUALIFIED = /"([^"#]+)#[0-9a-z]{1,26}"/gi;

export function uidsIn(text: string): readonly string[] {
  return (text.match(UID) ?? []).map((uid) => uid.toUpperCase());
}

function namesForeign(text: string, { uids, projects }: Insight): boolean {
  if (uidsIn(text).some((uid) => !uids.has(uid))) return true;
  return [...text.matchAll(QUALIFIED)].some(([, project = ""]) => !projects.has(project));
}
