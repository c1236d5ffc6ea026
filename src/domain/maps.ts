/**
 * A map from texts to JSON values. What grows with a database is kept in such maps, so that a caller can choose whether
 * they are in memory or in a temporary file (`store/scratch.ts`). A value that was put in must not be changed.
 */
export interface KeyedMap<V> {
  readonly size: number;
  has(key: string): boolean;
  get(key: string): V | undefined;
  set(key: string, value: V): unknown;
  delete(key: string): unknown;
  /** The values, in the order in which their keys were added. */
  values(): Iterable<V>;
}

/** Sets of texts, each under the name of its group. */
export interface Groups {
  add(group: string, member: string): void;
  remove(group: string, member: string): void;
  of(group: string): Iterable<string>;
}

/** Makes maps, all of them empty. */
export interface Maps {
  map<V>(): KeyedMap<V>;
  groups(): Groups;
}

export const IN_MEMORY: Maps = {
  map: <V>() => new Map<string, V>(),
  groups: () => groupsInMemory(),
};

function groupsInMemory(): Groups {
  const groups = new Map<string, Set<string>>();
  return {
    add(group, member) {
      const members = groups.get(group) ?? new Set<string>();
      members.add(member);
      groups.set(group, members);
    },
    remove: (group, member) => void groups.get(group)?.delete(member),
    of: (group) => groups.get(group) ?? [],
  };
}
