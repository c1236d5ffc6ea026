/** What a check of `svc doctor` found (docs/contract/command-line.md#29-tools-and-information). */
export interface Finding {
  readonly status: "ok" | "warning" | "failed" | "skipped";
  readonly summary: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly fix?: string;
}

export function skipped(why: string): Finding {
  return { status: "skipped", summary: why };
}
