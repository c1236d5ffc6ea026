import type { OpStore } from "../../src/ops/deps.ts";
import { adoptExisting } from "../../src/ops/federation/adopt-existing.ts";
import type { CredentialStore, Federation } from "../../src/ops/federation/far-side.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import type { World } from "../support/world.ts";

export interface MortalDaemon {
  readonly store: OpStore;
  readonly federation: Federation;
  /** Whether the daemon was killed. */
  isDead(): boolean;
}

/**
 * A daemon that is killed after so many calls of its database, its file of credentials and its hub: that call and all
 * later ones throw, and do nothing. Each issue that it hands over needs a write of its own.
 */
export function mortalDaemon({ store, replicas }: World, calls: number): MortalDaemon {
  let left = calls;
  let isDead = false;
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    isDead ||= left === 0;
    if (isDead) throw new Error("the daemon has ended");
    left -= 1;
    return await work();
  };
  const guarded = withGuard(store, {});
  const mortal: OpStore = {
    ...guarded,
    read: async (work, budget) => await alive(async () => await guarded.read(work, budget)),
    write: async (work) => await alive(async () => await guarded.write(work)),
  };
  const { credentials: file } = replicas;
  const credentials: CredentialStore = {
    path: file.path,
    all: async () => await alive(async () => await file.all()),
    status: async (...of) => await alive(async () => await file.status(...of)),
    findManaged: async (...of) => await alive(async () => await file.findManaged(...of)),
    store: async (...of) => await alive(async () => await file.store(...of)),
    delete: async (...of) => await alive(async () => await file.delete(...of)),
    reserve: async (...of) => await alive(async () => await file.reserve(...of)),
    replace: async (...of) => await alive(async () => await file.replace(...of)),
    deleteSame: async (...of) => await alive(async () => await file.deleteSame(...of)),
    rekey: async (...of) => await alive(async () => await file.rekey(...of)),
  };
  const federation: Federation = {
    ...replicas,
    credentials,
    askAt: async (...of) => await alive(async () => await replicas.askAt(...of)),
    adopt: async (request) => await adoptExisting({ store: mortal }, request, 1),
  };
  return { store: mortal, federation, isDead: () => isDead };
}
