import { LIVE_STATES } from "../../src/screen/connection/state.ts";
import type { Message } from "../../src/screen/message.ts";
import type { TerminalMessage } from "../update.ts";
import {
  anything,
  type Check,
  count,
  instant,
  isObject,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  rows,
  table,
  text,
  truth,
} from "./checks.ts";
import { bridge, graph, root } from "./parts.ts";

export interface Kind {
  readonly check: Check;
  /** The name of the message field that contains a change of the state. In this field null means "removed". */
  readonly change?: string;
}

const uids = list(text);

const facts = {
  uid: text,
  short_id: text,
  qualified_id: text,
  project_id: count,
  title: text,
  body: text,
  status: oneOf("open", "closed"),
  author: text,
  owner: optional(text),
  priority: optional(count),
  metadata: table(anything),
  labels: list(text),
  revision: count,
  created_at: instant,
  updated_at: instant,
  external_root: optional(root),
};

const issue = object({
  ...facts,
  project_uid: text,
  project_name: text,
  parent: optional(text),
  blocked_by: uids,
  blocks: uids,
  blocked: truth,
  child_counts: object({ open: count, total: count }),
  deleted_at: nullable(instant),
});

const event = object({
  id: count,
  kind: text,
  actor: text,
  at: instant,
  project_id: count,
  uid: optional(text),
  uids,
  description: text,
});

const peer = object({ uid: text, qualified_id: text });

const shown = object(facts);

const detail = object({
  show: optional(
    object({
      issue: shown,
      comments: rows({ uid: text, author: text, created_at: instant, body: text }),
      links: rows({ type: oneOf("parent", "blocks", "related"), from: peer, to: peer }),
      children: rows({
        uid: text,
        qualified_id: text,
        status: text,
        title: text,
        owner: optional(text),
        updated_at: instant,
      }),
      lease: optional(object({ holder: text, expires_at: optional(instant) })),
    }),
  ),
  events: optional(
    rows({ type: text, actor: text, created_at: instant, payload: table(anything) }),
  ),
  peers: optional(list(issue)),
  error: optional(text),
  eventsError: optional(text),
  peersError: optional(text),
  bridge: optional(bridge),
  bridgeError: optional(text),
});

const runs = rows({
  uid: text,
  status: text,
  actor: text,
  teammate: optional(text),
  job_uid: optional(text),
  issue_uid: optional(text),
  revision: count,
  created_at: instant,
  started_at: optional(instant),
  ended_at: optional(instant),
  summary: table(anything),
});

const cron = object({
  jobs: optional(
    rows({
      uid: text,
      name: text,
      definition: table(anything),
      held: optional(text),
      revision: count,
      updated_at: instant,
    }),
  ),
  workflows: optional(
    rows({ uid: text, name: text, definition: table(anything), updated_at: instant }),
  ),
  runs: optional(runs),
  series: optional(
    rows({
      uid: text,
      rrule: text,
      dtstart: text,
      timezone: text,
      template_title: text,
      template_body: text,
      template_labels: list(text),
      template_owner: optional(text),
      template_priority: optional(count),
      last_materialized_uid: optional(text),
      revision: count,
      updated_at: instant,
    }),
  ),
  more: optional(text),
  ledger: optional(
    object({
      job: object({ uid: text, held: optional(text) }),
      entries: rows({ at: instant, outcome: text, late_seconds: optional(number) }),
      next_before: optional(text),
    }),
  ),
  preview: optional(
    object({
      job: object({ uid: text, held: optional(text) }),
      occurrences: rows({ at: instant, local: text, offset: text }),
    }),
  ),
  unsupported: optional(truth),
  error: optional(text),
});

const versions = list((value) =>
  isObject(value) && value["error"] !== undefined
    ? object({ kind: text, uid: text, error: text })(value)
    : object({
        kind: text,
        uid: text,
        event: text,
        name: text,
        actor: optional(text),
        at: instant,
        isCurrent: truth,
        differs: list(text),
        text,
      })(value),
);

const inbox = object({
  requests: optional(
    rows({
      to: text,
      ref: text,
      issue_uid: optional(text),
      project_id: optional(count),
      title: optional(text),
      from: optional(text),
      message: optional(text),
      requested_at: optional(instant),
      fault: optional(text),
    }),
  ),
  error: optional(text),
});

const project = object({
  uid: text,
  id: count,
  name: text,
  open: count,
  closed: count,
  last: optional(instant),
  isInbox: optional(truth),
  readOnlyCopyOf: optional(text),
});

const holder = object({
  at: object({ uid: text, project_id: count, ref: text, name: text }),
  title: text,
  status: optional(oneOf("open", "closed")),
  holder: text,
  owner: optional(text),
  since: optional(instant),
  lease: optional(object({ expires_at: optional(instant), fence: count, purpose: text })),
  last: optional(object({ kind: text, at: instant, uid: optional(text) })),
});

const fleet = object({
  rows: optional(list(holder)),
  truncated: optional(truth),
  error: optional(text),
});

/** Checks the choice of a project in a recording. Without `project`, all projects are chosen. */
export const scope = object({ project: optional(object({ id: count, name: text })) });

/**
 * The messages in a recording. Each check covers all fields that drawing relies on, so that no line can crash a screen.
 * Messages that a person causes are not recorded.
 */
export const KINDS = {
  scope: { check: object({ scope }) },
  projects: { check: object({ projects: list(project) }) },
  issues: {
    check: object({
      part: oneOf("first", "more", "all", "changed"),
      since: optional(instant),
      issues: list(issue),
      gone: uids,
      truncated: truth,
    }),
  },
  detail: { check: object({ uid: text, detail }), change: "detail" },
  graph: { check: object({ source: text, graph }), change: "graph" },
  cron: {
    check: object({
      cron,
      project_id: optional(count),
      tab: optional(text),
      job: optional(text),
      older: optional(text),
    }),
    change: "cron",
  },
  "job-runs": { check: object({ job: text, runs: optional(runs), error: optional(text) }) },
  versions: { check: object({ of: text, versions }) },
  inbox: { check: object({ address: text, all: truth, inbox }), change: "inbox" },
  fleet: { check: object({ project_id: optional(count), fleet }), change: "fleet" },
  live: { check: object({ live: oneOf(...LIVE_STATES), why: optional(text) }) },
  behind: { check: object({ behind: truth }) },
  events: { check: object({ events: list(event) }) },
  auth: { check: object({ quickClose: truth, readOnly: optional(text) }) },
  api: { check: object({ api: optional(text) }) },
  failed: { check: object({ text }) },
} as const satisfies Partial<Record<Message["type"], Kind>>;

export type RecordedMessage = Extract<Message, { readonly type: keyof typeof KINDS }>;

export function isRecordedMessage(message: TerminalMessage): message is RecordedMessage {
  return Object.hasOwn(KINDS, message.type);
}
