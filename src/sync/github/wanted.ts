import type { Endpoints } from "./endpoints.ts";
import type { Progress } from "./progress.ts";

/** For what a credential is looked for. */
export interface Wanted {
  readonly host: string;
  readonly owner: string;
  readonly endpoints: Endpoints;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}
