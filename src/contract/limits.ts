/** Limits of the contract; a name says whether bytes or characters (code points) are counted. */
export const DEFAULT_BODY_BYTES = 1024 * 1024; // facts http-api 1.1
export const IMPORT_BODY_BYTES = 64 * 1024 * 1024; // facts http-api 1.1
export const MAX_TITLE_CHARACTERS = 1024; // facts http-api 4.3, after doc 2
export const MAX_ACTOR_BYTES = 256; // facts http-api 4.3
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
export const MAX_UNDO_EVENTS = 1000; // our choice
export const MAX_PLAN_NAME_CHARACTERS = 48; // our choice; with its prefix a source of imports
export const MAX_ADDRESS_BYTES = 128; // doc 2, Limits
export const MAX_MESSAGE_BYTES = 1024; // doc 2, Limits; of a request for attention
export const MAX_EVENT_FILTER_VALUES = 100; // our choice; of each filter of a reading of the log
export const MAX_DEFINITION_BYTES = 256 * 1024; // doc 2, Limits; JSON of a job or workflow
export const MAX_RECORD_NAME_BYTES = 256; // doc 2, Limits; trimmed
export const MAX_PORTABLE_NAME_BYTES = 256; // doc 2, Limits
export const MAX_NATIVE_TITLE_CHARACTERS = 991; // doc 2, Limits; leaves room for the occurrence
export const MIN_NATIVE_INTERVAL_SECONDS = 60; // doc 2, Limits
export const MAX_RETRIES = 100; // doc 2, Limits
export const MAX_SECONDS = 9_223_372_036; // facts cron-and-inbox 2.2; a signed 64-bit count of nanoseconds

/** Issues that one list is asked for by uid. */
export const MAX_ISSUE_UIDS = 200;
export const PREVIEW_DEFAULT = 10; // our choice
export const MAX_PREVIEW = 1000; // our choice
export const LEDGER_DEFAULT_LIMIT = 50; // our choice
export const LEDGER_MAX_LIMIT = 1000; // our choice
