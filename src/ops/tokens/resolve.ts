import type { Store } from "../../store/types/store.ts";
import type { StoredToken } from "../../store/types/tokens.ts";
import type { TokenUses } from "./uses.ts";

/**
 * Finds the token whose plaintext has this SHA-256 (64 lower-case hex digits); `undefined` if there is none or it was
 * revoked. A cached token is returned without a promise, so that the request need not await one.
 */
export type TokenLookup = (sha256Hex: string) => KnownToken | Promise<KnownToken>;
type KnownToken = { readonly id: number; readonly actor: string } | undefined;

type ActiveToken = Pick<StoredToken, "id" | "uid" | "actor">;
type ResolveDeps = Pick<Store, "dialect" | "readOne" | "onCommit">;

/**
 * Looks tokens up so that a revocation takes effect with the next request, even when another daemon on the same
 * PostgreSQL database made it.
 */
export function tokenLookup(store: ResolveDeps, uses: TokenUses): TokenLookup {
  const find = store.dialect === "sqlite" ? knownUntilCommit(store) : findByReading(store);
  const noteUse = (token: ActiveToken | undefined): KnownToken => {
    if (token === undefined) return undefined;
    const { id, uid, actor } = token;
    uses.note(uid);
    return { id, actor };
  };
  return (sha256Hex) => {
    const token = find(sha256Hex);
    return token instanceof Promise ? token.then(noteUse) : noteUse(token);
  };
}

type FindToken = (hash: string) => ActiveToken | undefined | Promise<ActiveToken | undefined>;

function findByReading(store: Pick<Store, "readOne">): FindToken {
  return async (hash) => await store.readOne(async ({ tokens }) => await tokens.active(hash));
}

/** Maximum number of active tokens that are cached. */
const MAX_CACHED_TOKENS = 1000;

/**
 * Caches active tokens until the next commit. On SQLite this misses no revocation: this store makes all commits, and it
 * calls its listeners before a write returns. The result of a read is not cached if a commit happened during the read.
 */
function knownUntilCommit(store: ResolveDeps): FindToken {
  const find = findByReading(store);
  const known = new Map<string, ActiveToken>();
  let commits = 0;
  store.onCommit(() => {
    commits += 1;
    known.clear();
  });
  const findInStore = async (hash: string): Promise<ActiveToken | undefined> => {
    const before = commits;
    const token = await find(hash);
    if (token === undefined || before !== commits) return token;
    if (known.size === MAX_CACHED_TOKENS) known.clear();
    known.set(hash, token);
    return token;
  };
  return (hash) => known.get(hash) ?? findInStore(hash);
}
