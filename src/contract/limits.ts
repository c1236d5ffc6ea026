/**
 * Limits of the contract. Each name says whether it counts bytes or characters (code points). A comment names the
 * document that sets a limit. A limit without such a comment is svc's own choice.
 */

/** Set by docs/contract/http-api.md#11-transport-and-formats. */
export const DEFAULT_BODY_BYTES = 1024 * 1024;
/** Set by docs/contract/http-api.md#11-transport-and-formats. */
export const IMPORT_BODY_BYTES = 64 * 1024 * 1024;
/** Set by docs/contract/http-api.md#11-transport-and-formats. */
export const INGEST_BODY_BYTES = 64 * 1024 * 1024;
/** Set by docs/contract/http-api.md#11-transport-and-formats. */
export const SESSION_BODY_BYTES = 16 * 1024;
/** Browser sessions that are open at the same time. */
export const MAX_WEB_SESSIONS = 1000;
/** One-time codes for pages that are valid at the same time. */
export const MAX_WEB_CODES = 100;
/** Open connections of one TCP listener. */
export const MAX_TCP_CONNECTIONS = 2000;
/** Open connections of one remote address. */
export const MAX_TCP_CONNECTIONS_OF_ADDRESS = 500;
/** Set by docs/contract/http-api.md#43-texts. */
export const MAX_TITLE_CHARACTERS = 1024;
/** Set by docs/contract/http-api.md#43-texts. */
export const MAX_ACTOR_BYTES = 256;
export const MAX_TOKEN_NAME_BYTES = 256;
/** Set by docs/contract/tools.md#89-external_roots. The id in config.toml is shorter. */
export const MAX_CONNECTOR_INSTANCE = 128;
/** Id or name of a field of a connector, in characters (docs/contract/tools.md#89-external_roots). */
export const MAX_EXTERNAL_FIELD = 256;
/** Locators, keys, ids of comments and reasons, in characters (docs/contract/tools.md#89-external_roots). */
export const MAX_BRIDGE_TEXT = 4096;
/** Set by docs/contract/http-api.md#43-texts. */
export const MAX_PROJECT_NAME_BYTES = 256;
/** Only ASCII characters are allowed (docs/contract/http-api.md#43-texts). */
export const MAX_TEAMMATE_CHARACTERS = 64;
/** Set by docs/contract/http-api.md#43-texts. */
export const MAX_LABEL_CHARACTERS = 64;
/** The lowest priority; 0 is the highest (docs/contract/http-api.md#41-small-enumerations). */
export const MAX_PRIORITY = 4;
/** Set by docs/contract/search.md#2-the-route. */
export const SEARCH_DEFAULT_LIMIT = 20;
/** Set by docs/contract/search.md#2-the-route. */
export const SEARCH_MAX_LIMIT = 200;
/** Set by docs/contract/http-api.md#19-order-pages-and-limits-of-answers. */
export const EVENTS_DEFAULT_LIMIT = 100;
/** Set by docs/contract/http-api.md#19-order-pages-and-limits-of-answers. */
export const EVENTS_MAX_LIMIT = 1000;
/** The maximum number of warnings about links in the answer to a plan or an undo. */
export const MAX_LINK_WARNINGS = 20;
/** The answer about one issue names at most this many events whose values another daemon overwrote: the newest ones. */
export const MAX_OVERWRITTEN_SHOWN = 5;
/** Length of a recurrence rule. */
export const MAX_RULE_CHARACTERS = 4096;
export const MAX_SOURCE_CHARACTERS = 64;
export const MAX_EXTERNAL_ID_CHARACTERS = 512;
export const PLAN_BODY_BYTES = 16 * 1024 * 1024;
export const MAX_PLAN_ISSUES = 5000;
export const MAX_ISSUE_LABELS = 200;
/** Values in each list of a filter: labels, metadata, actors. */
export const MAX_FILTER_VALUES = 100;
/** Links of each kind that one request writes for an issue. */
export const MAX_LINKS = 1000;
/** Most imports reach `IMPORT_BODY_BYTES` before this limit. */
export const MAX_IMPORT_ITEMS = 100_000;
/** Comments of one issue. */
export const MAX_IMPORT_COMMENTS = 10_000;
/** Evidence entries of one close. */
export const MAX_EVIDENCE = 100;
export const MAX_EVIDENCE_PATHS = 1000;
/**
 * One request undoes at most this many events, since a plan for more does not fit into 256 MB of memory. `svc undo`
 * sends several requests for more.
 */
export const MAX_UNDO_EVENTS = 10_000;
/**
 * The maximum number of issues that one request takes back from an import. It equals the number of issues that the
 * command line imports in one request.
 */
export const UNDO_IMPORT_ISSUES = 500;
export const IMPORTS_DEFAULT_LIMIT = 10;
export const MAX_IMPORTS_LIMIT = 50;
/** The import of a plan has the source name `plan:<name of the plan>`. */
export const MAX_PLAN_NAME_CHARACTERS = 48;
/** Set by docs/contract/cron-and-inbox.md#14-limits. */
export const MAX_ADDRESS_BYTES = 128;
/** Message of an attention request (docs/contract/cron-and-inbox.md#14-limits). */
export const MAX_MESSAGE_BYTES = 1024;
/** Values of each filter when events are read. */
export const MAX_EVENT_FILTER_VALUES = 100;
/** Length of the JSON of a job or workflow (docs/contract/cron-and-inbox.md#14-limits). */
export const MAX_DEFINITION_BYTES = 256 * 1024;
/** Length of the trimmed name (docs/contract/cron-and-inbox.md#14-limits). */
export const MAX_RECORD_NAME_BYTES = 256;
/** Set by docs/contract/cron-and-inbox.md#14-limits. */
export const MAX_PORTABLE_NAME_BYTES = 256;
/** Leaves room for the due time that is added to titles of child issues (docs/contract/cron-and-inbox.md#14-limits). */
export const MAX_NATIVE_TITLE_CHARACTERS = 991;
/** Set by docs/contract/cron-and-inbox.md#14-limits. */
export const MIN_NATIVE_INTERVAL_SECONDS = 60;
/** Set by docs/contract/cron-and-inbox.md#14-limits. */
export const MAX_RETRIES = 100;
/** In nanoseconds, this still fits into a signed 64-bit integer (docs/contract/cron-and-inbox.md#22-bounds). */
export const MAX_SECONDS = 9_223_372_036;

/** A year. */
export const MAX_SYNC_INTERVAL_SECONDS = 31_536_000;

/** Maximum number of uids in one list request. */
export const MAX_ISSUE_UIDS = 200;
export const SNAPSHOT_DEFAULT_LIMIT = 500;
/** Set by docs/contract/network-and-access.md#4-the-snapshot. */
export const SNAPSHOT_MAX_LIMIT = 1000;
/** Events of the selected issue (docs/contract/http-api.md#30-shared-objects). */
export const SNAPSHOT_HISTORY = 500;
/** Issues in the graph of a snapshot. The graph route itself has no limit. */
export const SNAPSHOT_GRAPH_ISSUES = 1000;
/** Set by docs/contract/network-and-access.md#5-references. */
export const REFERENCES_DEFAULT_LIMIT = 100;
/** Set by docs/contract/network-and-access.md#5-references. */
export const REFERENCES_MAX_LIMIT = 200;
/** Set by docs/contract/http-api.md#314-browser-pages. */
export const MAX_REFERENCE_UIDS = 200;
export const HOLDERS_DEFAULT_LIMIT = 1000;
export const HOLDERS_MAX_LIMIT = 5000;
export const PREVIEW_DEFAULT = 10;
export const MAX_PREVIEW = 1000;
export const LEDGER_DEFAULT_LIMIT = 50;
export const LEDGER_MAX_LIMIT = 1000;
/** Set by docs/contract/cron-and-inbox.md#14-limits. */
export const OBSERVATION_BODY_BYTES = 96 * 1024;
/** Length of the summary as JSON (docs/contract/cron-and-inbox.md#14-limits). */
export const MAX_SUMMARY_BYTES = 64 * 1024;
/** Set by docs/contract/cron-and-inbox.md#14-limits. */
export const MAX_OCCURRENCE_KEY_CHARACTERS = 1024;
/** Set by docs/contract/cron-and-inbox.md#12-uids. */
export const MAX_RUNS = 100;
export const REPORT_MAX_GROUPS = 1000;
/**
 * The size of the answer to a spoke's poll, after decompression (docs/contract/federation.md#12-limits). The answer has
 * about 2 MiB of payloads and 1 MiB of envelopes, and then room for one event of any size that a hub sends.
 */
export const MAX_FEDERATION_PAGE_BYTES = 64 * 1024 * 1024;
/** The size of the payload of one event that a hub sends. With this limit, each event fits into a page. */
export const MAX_FEDERATION_PAYLOAD_BYTES = 60 * 1024 * 1024;
