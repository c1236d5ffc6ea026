import { instant, nullable, text, uid } from "./columns.ts";
import { table } from "./table.ts";

/** API tokens, revoked ones included. The plaintext is stored nowhere. */
export const api_token = table({
  folded: true,
  numbered: true,
  key: ["uid"],
  columns: {
    uid: uid(),
    actor: text(),
    name: nullable(text()),
    /** SHA-256 of the plaintext, as 64 lower-case hex digits. */
    token_hash: text(),
    created_at: instant(),
    revoked_at: nullable(instant()),
  },
  belongs: { daemon: "a token is of the whole daemon" },
  undo: { none: "a token is revoked by hand" },
  record: { kind: "api_token" },
});

/** When each token was last used, to the minute. */
export const api_token_use = table({
  folded: { not: "a use changes nothing that the log tells about", writable: true },
  numbered: false,
  key: ["token_uid"],
  columns: { token_uid: uid(), last_used_at: instant() },
  belongs: { daemon: "a token is of the whole daemon" },
  record: { kind: "api_token_use" },
});
