import type { ErrorCode, SvcError } from "../../contract/errors.ts";
import type { OpSettings, Principal } from "../../ops/deps.ts";

/** What the daemon's thread and the one beside it tell each other. */

export interface AsideData {
  readonly database: { readonly dsn: string; readonly schema?: string };
  readonly settings: OpSettings;
}

export interface AsideTask {
  readonly id: number;
  readonly route: string;
  readonly who: Principal;
  /** As `bind` parsed it. */
  readonly input: unknown;
}

export type AsideOutcome = { readonly id: number } & (
  | { readonly body: Uint8Array }
  | {
      readonly refused: {
        readonly code: ErrorCode;
        readonly data: SvcError["data"];
        readonly message: string;
      };
    }
  | { readonly fault: string }
);
