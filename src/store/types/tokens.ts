import type { Instant } from "../../base/clock.ts";
import type { TokenRow } from "../../domain/state.ts";

export interface StoredToken extends TokenRow {
  readonly id: number;
  readonly last_used_at: Instant | null;
}

export interface Tokens {
  /** The token with this hash, unless it was revoked. */
  active(hash: string): Promise<Pick<StoredToken, "id" | "uid" | "actor"> | undefined>;
  /** Returns the ids among these whose tokens were revoked. */
  revoked(ids: readonly number[]): Promise<readonly number[]>;
  find(id: number): Promise<StoredToken | undefined>;
  /** The token that this event created. */
  createdBy(eventUid: string): Promise<StoredToken | undefined>;
  /** All tokens, revoked ones included, sorted by id. */
  list(): Promise<readonly StoredToken[]>;
}
