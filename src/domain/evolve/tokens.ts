import type { TokenRow } from "../state.ts";
import { type Evolver, markOf } from "./evolver.ts";

export const created: Evolver<"token.created"> = {
  touches: () => ({}),
  evolve: (_state, event) => {
    const { token_uid, token_hash, actor, name = null } = event.payload;
    const { created_at } = event;
    const put: TokenRow = { uid: token_uid, actor, name, token_hash, created_at, revoked_at: null };
    return [{ table: "api_token", put }, ...markOf(event)];
  },
};

/** A revoked token keeps the time of its first revocation. */
export const revoked: Evolver<"token.revoked"> = {
  touches: ({ payload }) => ({ rows: { api_token: [payload.token_uid] } }),
  evolve: (state, { payload }) => {
    const token = state.row("api_token", payload.token_uid);
    if (token === undefined || token.revoked_at !== null) return [];
    return [{ table: "api_token", put: { ...token, revoked_at: payload.revoked_at } }];
  },
};
