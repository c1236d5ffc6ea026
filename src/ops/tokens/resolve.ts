import type { Store } from "../../store/types/store.ts";
import type { StoredToken } from "../../store/types/tokens.ts";
import type { TokenUses } from "./uses.ts";

/**
 * Finds the token with this SHA-256 of its plaintext (64 lower-case hex digits); `undefined` if there is none or it was
 * revoked. What is remembered is found at once: a wait would part requests that came together, and their reads.
 */
export type TokenLookup = (sha256Hex: string) => KnownToken | Promise<KnownToken>;
type KnownToken = { readonly id: number; readonly actor: string } | undefined;

type Active = Pick<StoredToken, "id" | "uid" | "actor">;
type Needs = Pick<Store, "dialect" | "read" | "onCommit">;

/** A revocation takes effect with the next request, also one by another daemon of a PostgreSQL database. */
export function tokenLookup(store: Needs, uses: TokenUses): TokenLookup {
  const find = store.dialect === "sqlite" ? knownUntilCommit(store) : reading(store);
  const used = (found: Active | undefined): KnownToken => {
    if (found === undefined) return undefined;
    const { id, uid, actor } = found;
    uses.note(uid);
    return { id, actor };
  };
  return (sha256Hex) => {
    const found = find(sha256Hex);
    return found instanceof Promise ? found.then(used) : used(found);
  };
}

type Find = (hash: string) => Active | undefined | Promise<Active | undefined>;

function reading(store: Pick<Store, "read">): Find {
  return async (hash) => await store.read(async ({ tokens }) => await tokens.active(hash));
}

/** Active tokens that are remembered at most. */
const MOST = 1000;

/**
 * Remembers active tokens until the next commit. That misses no revocation on SQLite: all commits are made by this
 * store, and it tells its listeners before the write returns. What a read found is not remembered if a commit came
 * while it ran.
 */
function knownUntilCommit(store: Needs): Find {
  const find = reading(store);
  const known = new Map<string, Active>();
  let commits = 0;
  store.onCommit(() => {
    commits += 1;
    known.clear();
  });
  const look = async (hash: string): Promise<Active | undefined> => {
    const before = commits;
    const found = await find(hash);
    if (found === undefined || before !== commits) return found;
    if (known.size === MOST) known.clear();
    known.set(hash, found);
    return found;
  };
  return (hash) => known.get(hash) ?? look(hash);
}
