import type { Endpoints } from "./endpoints.ts";
import type { Progress } from "./progress.ts";

/** What a credential is needed for. */
export interface CredentialRequest {
  readonly host: string;
  readonly owner: string;
  readonly endpoints: Endpoints;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}
