/**
 * The rules of docs/connectors.md, as the page writes them: `svc connector test` names the rule that a connector
 * breaks.
 */
export const RULES = {
  "process.start":
    "The program is an executable file with its whole path, and its variables are set.",
  "process.exit":
    "It ends with exit code 0 after an answer, also after an answer that is an error.",
  "process.stdout": "No program that it started holds its stdout open when it has ended.",
  "process.time": "It answers within its time limit.",
  "process.size": "It prints at most 4 MiB.",
  "answer.document": "It prints exactly one JSON object, in UTF-8, and nothing else.",
  "answer.protocol": "The answer repeats `protocol`.",
  "answer.id": "The answer repeats the `id` of the request.",
  "answer.one": "The answer has either `result`, an object, or `error`, not both.",
  "error.form":
    "An `error` has a `code` of lower-case letters, digits and _ (at most 64) and a `message` of one line (1 to 512 bytes).",
  "request.refused":
    "A request with another protocol, an id of another form, a method that is not in the table of methods, members that are unknown, missing or of the wrong type, or that is no JSON gets no answer: the exit code is not 0 and stdout is empty.",
  "method.result":
    "A method that the connector has is answered with a result for a root that is there.",
  "method.unknown":
    "A method of the table that the connector does not advertise is answered with an error and changes nothing.",
  "text.id":
    "Ids, keys and revisions are text of 1 to 512 characters without spaces at their ends. Names of people and fields have at most 4096 characters. None of them has NUL.",
  "describe.form":
    "`describe` says `connector_id`, `display_name`, `protocol`, `capabilities` and `account_identity`.",
  "describe.names":
    "Each text that `describe` says of itself is one line of at most 256 characters.",
  "describe.capabilities":
    "`capabilities` has each of `publish_comment`, `fields` and `conditional_fields` at most once, and nothing else.",
  "describe.self": "A connector that can publish comments says its `self_actor_id`.",
  "describe.stable": "`describe` says the same each time.",
  "root.form":
    "A root has `key`, `identity_key`, `title`, `body`, `state`, `revision`, `updated_at` and `observed_at`.",
  "root.state": "`state` is `open`, `complete` or `deleted`.",
  "root.times": "Times are RFC 3339, and `observed_at` is not before `updated_at`.",
  "root.account": "`identity_key` is the `account_identity` of `describe`.",
  "root.observed": "`observed_at` is the time of the call, and does not go back.",
  "root.stable": "A root that nobody changes is the same each time, but for `observed_at`.",
  "root.state_there": "A root says what the provider has.",
  "comments.form":
    "A comment has `id`, `revision`, `body`, `author` with an `id`, `created_at`, `updated_at` and `deleted`.",
  "comments.times": "A comment's times are RFC 3339, and `updated_at` is not before `created_at`.",
  "comments.unique": "No two comments of a root have the same `id`.",
  "comments.order": "Comments are ordered by `created_at`, then by `id`.",
  "comments.all": "All comments of the root are listed, also deleted ones.",
  "comments.edit":
    "A comment that was edited keeps its `id` and gets a new `revision` and a later `updated_at`.",
  "complete.state": "`complete_root` answers with the same root, and its `state` is `complete`.",
  "complete.revision": "Completing an open root gives it a new `revision`.",
  "complete.idempotent": "Completing a complete root changes nothing.",
  "publish.comment":
    "`publish_comment` answers with the comment: the same body, not deleted, its author the `self_actor_id`.",
  "publish.once": "A second `publish_comment` with the same `operation_id` adds no second comment.",
  "fields.form":
    "A field has `id`, `display_name`, `accepted_kinds`, `nullable`, `writable` and `schema_revision`.",
  "fields.unique": "No two fields have the same `id`.",
  "fields.secret":
    "No `id` and no `schema_revision` of a field has the value of a variable of the connector.",
  "value.form":
    "A value is `null`, a `date`, a `local_datetime` with seconds and an IANA `timezone`, or an `instant` in UTC.",
  "read_fields.ids": "`read_fields` answers with exactly the fields that were asked for.",
  "write_fields.ids": "`write_fields` answers with exactly the fields that were written.",
  "write_fields.values": "`write_fields` answers with the values that were written.",
  "fields.round_trip": "A value that was written is read back as it was written.",
  "fields.conflict":
    "A write whose `expected` is not the current value changes nothing and is answered with the error `field_conflict`.",
  "params.exact":
    "The connector asks its provider for what it was asked for, and for nothing else.",
  "missing.error":
    "A root that is not there is answered with the error `not_found`, `root_not_found`, `deleted` or `gone`.",
  "missing.text": "The message of an error names no path, no command and no setting.",
} as const;

export type RuleId = keyof typeof RULES;
