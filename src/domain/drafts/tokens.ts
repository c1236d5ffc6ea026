import type { TokenRow } from "../state.ts";
import { SYSTEM_PROJECT_UID } from "../tokens.ts";
import { type Act, keyOf, type Mark, projectEventDraft, stated } from "./draft.ts";

interface NewToken extends Pick<TokenRow, "uid" | "actor" | "name" | "token_hash"> {
  readonly mark?: Mark | undefined;
}

export function tokenCreated({ uid, actor, name, token_hash, mark }: NewToken, act: Act) {
  return projectEventDraft("token.created", SYSTEM_PROJECT_UID, act, {
    ...stated({ token_uid: uid, actor, name }),
    token_hash,
    ...keyOf(mark),
  });
}

export function tokenRevoked({ uid, actor, name }: TokenRow, act: Act) {
  const which = stated({ token_uid: uid, actor, name });
  return projectEventDraft("token.revoked", SYSTEM_PROJECT_UID, act, {
    ...which,
    revoked_at: act.now,
  });
}
