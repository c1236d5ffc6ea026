/**
 * `svc/contract`: the public contract. Each schema is a function that builds it on first use and caches it: `Issue()`
 * returns the zod schema.
 */
export * from "../contract/actions.ts";
export * from "../contract/activity.ts";
export * from "../contract/capabilities.ts";
export * from "../contract/comments.ts";
export * from "../contract/cron-jobs.ts";
export * from "../contract/cron-ledger.ts";
export * from "../contract/cron-runs.ts";
export * from "../contract/cron-workflows.ts";
export * from "../contract/error-codes.ts";
export { type ErrorBody, SvcError, type SvcErrorOptions } from "../contract/errors.ts";
export * from "../contract/events.ts";
export * from "../contract/evidence.ts";
export * from "../contract/graph.ts";
export * from "../contract/health.ts";
export * from "../contract/holders.ts";
export * from "../contract/imports.ts";
export * from "../contract/inbox.ts";
export * from "../contract/index.ts";
export * from "../contract/issues.ts";
export * from "../contract/labels.ts";
export * from "../contract/leases.ts";
export * from "../contract/limits.ts";
export * from "../contract/links.ts";
export * from "../contract/objects.ts";
export * from "../contract/planning.ts";
export * from "../contract/plans.ts";
export * from "../contract/project-actions.ts";
export * from "../contract/projects.ts";
export * from "../contract/purges.ts";
export * from "../contract/recurrences.ts";
export * from "../contract/removal.ts";
export * from "../contract/route.ts";
export * from "../contract/search.ts";
export * from "../contract/shape.ts";
export * from "../contract/undo.ts";
export * from "../contract/values.ts";
export * from "../contract/version.ts";
