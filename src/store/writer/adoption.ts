import { keepRemovals } from "../adopt-links.ts";
import { beginExchange, endExchange, takeOver } from "../adopt-project.ts";
import { issuesToSnapshot, writeSnapshots } from "../adopt-snapshots.ts";
import type { Appending } from "../append.ts";
import type { AdoptionWrites } from "../types/adoption.ts";

type Serialize = <T>(change: () => Promise<T>) => Promise<T>;

export function adoptionWrites(to: Appending, nowMs: number, serialize: Serialize): AdoptionWrites {
  return {
    keepRemovals: async (adopted, from, limit) =>
      await serialize(async () => await keepRemovals(to, adopted, from, limit, nowMs)),
    issuesToSnapshot: async (adopted, limit) =>
      await issuesToSnapshot(to.connection, adopted, limit),
    writeSnapshots: async (adopted, snapshots) =>
      await serialize(async () => await writeSnapshots(to, adopted, snapshots, nowMs)),
    beginExchange: async (adopted) =>
      await serialize(async () => await beginExchange(to, adopted, nowMs)),
    takeOver: async (adopted, limit) =>
      await serialize(async () => await takeOver(to, adopted, limit)),
    endExchange: async (adopted) => await serialize(async () => await endExchange(to, adopted)),
  };
}
