import type { CallInput, Route } from "../contract/route.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import type { CallParts } from "../shared/call-parts.ts";
import { compareVersions } from "../shared/versions.ts";
import type { Client } from "./client.ts";

/** The API version that added a field of a request, and what a client does with this field if the daemon is older. */
export interface AddedField {
  readonly since: string;
  /**
   * `omit`: the field is left out. The daemon still does what was asked, but its answer may be larger or in another
   * order, or a check is missing. `refuse`: nothing is sent. An old daemon would ignore an unknown query parameter and
   * do something else than was asked. It would refuse a body with an unknown field, without saying that it is too old.
   */
  readonly older: "omit" | "refuse";
}

const omit = (since: string): AddedField => ({ since, older: "omit" });
const refuse = (since: string): AddedField => ({ since, older: "refuse" });

const BYTES = { max_bytes: omit("0.15.0") };
const ROWS = { ...BYTES, fields: omit("0.15.0") };
const ORIGIN = {
  parent_uid: refuse("0.15.0"),
  author: refuse("0.15.0"),
  changed_since: refuse("0.15.0"),
};
const SHOW = {
  ...BYTES,
  comments_limit: omit("0.20.0"),
  comments_before: omit("0.20.0"),
  comment: omit("0.20.0"),
};
const LIST = { ...ROWS, ...ORIGIN, blocked: refuse("0.15.0") };
const READY = {
  ...ROWS,
  ...ORIGIN,
  after: refuse("0.15.0"),
  takeable_by: omit("0.15.0"),
};
const INBOX = { order: omit("0.15.0") };
/** Only daemons send these fields, when they call their hub. */
const LEASE = { claim_uid: refuse("0.20.0"), fence: refuse("0.20.0") };
const TAKE = { parent_uid: refuse("0.15.0") };

/** The fields that were added to requests after API 0.14.0, by the id of the route. */
export const ADDED_FIELDS: Readonly<Record<string, Readonly<Record<string, AddedField>>>> = {
  acquireIssueLease: LEASE,
  renewIssueLease: LEASE,
  releaseIssueLease: LEASE,
  forceReleaseIssueLease: LEASE,
  auditCloses: BYTES,
  digestGlobal: BYTES,
  digestProject: BYTES,
  listHolders: BYTES,
  listHoldersGlobal: BYTES,
  listIssueEvents: BYTES,
  pollEvents: BYTES,
  pollProjectEvents: BYTES,
  showIssue: SHOW,
  showIssueByUID: SHOW,
  listIssues: LIST,
  listAllIssues: LIST,
  readyIssues: READY,
  readyIssuesGlobal: READY,
  searchIssues: {
    ...ROWS,
    status: refuse("0.17.0"),
    priority: refuse("0.17.0"),
    max_priority: refuse("0.17.0"),
    owner: refuse("0.17.0"),
    unowned: refuse("0.17.0"),
    parent_uid: refuse("0.17.0"),
    author: refuse("0.17.0"),
    changed_since: refuse("0.17.0"),
    blocked: refuse("0.17.0"),
    meta: refuse("0.17.0"),
  },
  listInbox: INBOX,
  listInboxGlobal: INBOX,
  takeReadyIssue: TAKE,
  takeReadyIssueGlobal: TAKE,
  listCronJobs: { name: refuse("0.15.0"), times: omit("0.15.0") },
  previewCronJob: { from: refuse("0.15.0") },
  reportCronRuns: { issue_uid: refuse("0.18.0") },
  importIssues: {
    batch_uid: refuse("0.15.0"),
    decisions: refuse("0.15.0"),
    dry_run: refuse("0.15.0"),
    only: refuse("0.15.0"),
    prefer: refuse("0.15.0"),
    removed: refuse("0.15.0"),
  },
  editIssue: { metadata: refuse("0.16.0"), expected_body_hash: omit("0.17.0") },
};

/** Returns the names of the added fields that a request has, or `undefined` if it has none. */
function addedIn(id: string, { query, body }: CallParts): readonly string[] | undefined {
  const added = ADDED_FIELDS[id];
  if (added === undefined) return undefined;
  const fields = { ...query, ...(body as object | undefined) };
  const names = Object.entries(fields)
    .filter(([name, value]) => value !== undefined && Object.hasOwn(added, name))
    .map(([name]) => name);
  return names.length === 0 ? undefined : names;
}

/**
 * Returns the input of a call without the fields that the daemon is too old to support. Throws `daemon_api_too_old` if
 * the daemon would then do something else than was asked. A local daemon with an older API was replaced or refused when
 * it was found, so it gets the whole input. With the setting `skipVersionCheck` a local daemon may be older, so it is
 * treated like a remote daemon.
 */
export async function knownFields<T extends Route>(
  client: Pick<Client, "target" | "config" | "endpoint">,
  { id }: T,
  input: CallInput<T>,
): Promise<CallInput<T>> {
  const names = addedIn(id, input as CallParts);
  if (names === undefined) return input;
  if (client.target.kind === "local" && !client.config.settings.skipVersionCheck) return input;
  const { api } = await client.endpoint();
  return withoutNewer(id, input, names, api);
}

function withoutNewer<T extends object>(
  id: string,
  input: T,
  names: readonly string[],
  api: string | undefined,
): T {
  const unknown = names.filter((name) => {
    const since = ADDED_FIELDS[id]?.[name]?.since;
    return api === undefined || (since !== undefined && compareVersions(api, since) < 0);
  });
  if (unknown.length === 0) return input;
  const needed = unknown.find((name) => ADDED_FIELDS[id]?.[name]?.older === "refuse");
  if (needed !== undefined) throw tooOld(needed, ADDED_FIELDS[id]?.[needed]?.since, api);
  const { query, body } = input as CallParts;
  const withoutUnknown = (part: object): object =>
    Object.fromEntries(Object.entries(part).filter(([name]) => !unknown.includes(name)));
  return {
    ...input,
    ...(query === undefined ? {} : { query: withoutUnknown(query) }),
    ...(body === undefined ? {} : { body: withoutUnknown(body as object) }),
  };
}

function tooOld(
  name: string,
  since: string | undefined,
  api = "of an unknown version",
): UnavailableError {
  return new UnavailableError(`the daemon's API is ${api}, and the field ${name} needs ${since}`, {
    code: "daemon_api_too_old",
    hint: "update the daemon, or leave the field out",
  });
}
