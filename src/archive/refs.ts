import type { JsonValue } from "../base/json.ts";
import type { Reference } from "../domain/tables/columns.ts";

/**
 * The local ids and the names of rows, by uid. A record of an export refers to another row by its local id, or by its
 * uid, or by both.
 */
export interface Refs {
  readonly ids: { readonly [T in Reference["to"]]: Lookup<number> };
  readonly projectNames: Lookup<string>;
  /** The uids of the projects that are exported. */
  readonly projects: ReadonlySet<string>;
  /** The uid of the project of each issue, by the issue's uid. */
  readonly issueProjects: Lookup<string>;
  /**
   * Whether the export has the whole log, so that its chain can be checked. An export that leaves events out has no
   * chains.
   */
  readonly wholeLog: boolean;
}

interface Lookup<V> {
  get(uid: string): V | undefined;
}

/**
 * For each kind of row, a function that converts a local id of the file into a uid. It throws `validation` with the
 * line's number if no earlier line has defined the id.
 */
export type Uids = { readonly [T in Reference["to"]]: (id: number) => string };

export type RecordOut = Readonly<Record<string, JsonValue | undefined>>;
