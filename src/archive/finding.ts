/** What a check of `svc doctor` found in the database. */
export interface StorageFinding {
  readonly status: "ok" | "warning" | "failed" | "skipped";
  readonly summary: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly fix?: string;
}
