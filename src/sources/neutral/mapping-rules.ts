import type { Mapping, StatusRule, TypeRule } from "./mapping.ts";
import type { SourceIssue } from "./record.ts";

export function statusRule({ status }: SourceIssue, { statuses }: Mapping): StatusRule | undefined {
  return Object.hasOwn(statuses, status) ? statuses[status] : undefined;
}

export function typeRule({ type }: SourceIssue, { types }: Mapping): TypeRule | undefined {
  return type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined;
}
