/**
 * Limits of the contract. Each name says whether it counts bytes or characters (code points). Each limit names the
 * document that sets it; `our choice` means that no document does.
 */
export const DEFAULT_BODY_BYTES = 1024 * 1024; // facts http-api 1.1
export const IMPORT_BODY_BYTES = 64 * 1024 * 1024; // facts http-api 1.1
export const SESSION_BODY_BYTES = 16 * 1024; // facts http-api 1.1
export const MAX_WEB_SESSIONS = 1000; // our choice; open at a time
export const MAX_TCP_CONNECTIONS = 2000; // our choice; open connections of one TCP listener
export const MAX_TCP_CONNECTIONS_OF_ADDRESS = 500; // our choice; those of one remote address
export const MAX_TITLE_CHARACTERS = 1024; // facts http-api 4.3, after doc 2
export const MAX_ACTOR_BYTES = 256; // facts http-api 4.3
export const MAX_TOKEN_NAME_BYTES = 256; // our choice
export const MAX_PROJECT_NAME_BYTES = 256; // facts http-api 4.3
export const MAX_TEAMMATE_CHARACTERS = 64; // facts http-api 4.3; ASCII
export const MAX_LABEL_CHARACTERS = 64; // facts http-api 4.3
export const MAX_PRIORITY = 4; // facts http-api 4.1; 0 is the highest
export const SEARCH_DEFAULT_LIMIT = 20; // facts search 2
export const SEARCH_MAX_LIMIT = 200; // facts search 2
export const EVENTS_DEFAULT_LIMIT = 100; // facts http-api 1.9
export const EVENTS_MAX_LIMIT = 1000; // facts http-api 1.9
export const MAX_RULE_CHARACTERS = 4096; // our choice; of a recurrence rule
export const MAX_SOURCE_CHARACTERS = 64; // our choice
export const MAX_EXTERNAL_ID_CHARACTERS = 512; // our choice
export const PLAN_BODY_BYTES = 16 * 1024 * 1024; // our choice
export const MAX_PLAN_ISSUES = 5000; // our choice
export const MAX_ISSUE_LABELS = 200; // our choice
export const MAX_FILTER_VALUES = 100; // our choice; of each list in a filter: labels, metadata, actors
export const MAX_LINKS = 1000; // our choice; of each kind that one request writes for an issue
export const MAX_IMPORT_ITEMS = 100_000; // our choice; most imports reach the limit of the body first
export const MAX_IMPORT_COMMENTS = 10_000; // our choice; of an issue
export const MAX_EVIDENCE = 100; // our choice; of a close
export const MAX_EVIDENCE_PATHS = 1000; // our choice
/**
 * Our choice: one request undoes at most this many events, since a plan for more does not fit into 256 MB of memory.
 * `svc undo` sends several requests for more.
 */
export const MAX_UNDO_EVENTS = 10_000;
export const UNDO_IMPORT_ISSUES = 500; // our choice; as many as the command line imports in one request
export const IMPORTS_DEFAULT_LIMIT = 10; // our choice
export const MAX_IMPORTS_LIMIT = 50; // our choice
export const MAX_PLAN_NAME_CHARACTERS = 48; // our choice; with the prefix `plan:` it is an import source
export const MAX_ADDRESS_BYTES = 128; // doc 2, Limits
export const MAX_MESSAGE_BYTES = 1024; // doc 2, Limits; of an attention request
export const MAX_EVENT_FILTER_VALUES = 100; // our choice; of each filter when events are read
export const MAX_DEFINITION_BYTES = 256 * 1024; // doc 2, Limits; JSON of a job or workflow
export const MAX_RECORD_NAME_BYTES = 256; // doc 2, Limits; trimmed
export const MAX_PORTABLE_NAME_BYTES = 256; // doc 2, Limits
export const MAX_NATIVE_TITLE_CHARACTERS = 991; // doc 2, Limits; leaves room for the occurrence
export const MIN_NATIVE_INTERVAL_SECONDS = 60; // doc 2, Limits
export const MAX_RETRIES = 100; // doc 2, Limits
export const MAX_SECONDS = 9_223_372_036; // facts cron-and-inbox 2.2; a signed 64-bit count of nanoseconds

/** Maximum number of uids in one list request. */
export const MAX_ISSUE_UIDS = 200;
export const SNAPSHOT_DEFAULT_LIMIT = 500; // our choice
export const SNAPSHOT_MAX_LIMIT = 1000; // facts browser-and-auth 4
export const SNAPSHOT_HISTORY = 500; // facts http-api 3.0; events of the selected issue
export const SNAPSHOT_GRAPH_ISSUES = 1000; // our choice; the graph route has no limit
export const REFERENCES_DEFAULT_LIMIT = 100; // facts browser-and-auth 5
export const REFERENCES_MAX_LIMIT = 200; // facts browser-and-auth 5
export const MAX_REFERENCE_UIDS = 200; // doc 1, Limits
export const HOLDERS_DEFAULT_LIMIT = 1000; // our choice
export const HOLDERS_MAX_LIMIT = 5000; // our choice
export const PREVIEW_DEFAULT = 10; // our choice
export const MAX_PREVIEW = 1000; // our choice
export const LEDGER_DEFAULT_LIMIT = 50; // our choice
export const LEDGER_MAX_LIMIT = 1000; // our choice
export const OBSERVATION_BODY_BYTES = 96 * 1024; // doc 2, Limits
export const MAX_SUMMARY_BYTES = 64 * 1024; // doc 2, Limits; JSON
export const MAX_OCCURRENCE_KEY_CHARACTERS = 1024; // doc 2, Limits
export const MAX_RUNS = 100; // facts cron-and-inbox 1.2
export const REPORT_MAX_GROUPS = 1000; // our choice
