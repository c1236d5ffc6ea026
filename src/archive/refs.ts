import type { JsonValue } from "../base/json.ts";
import type { Reference } from "../domain/tables/columns.ts";

/** Local ids and names by uid: a record refers to other rows by local id, in addition to the uid or instead of it. */
export interface Refs {
  readonly ids: { readonly [T in Reference["to"]]: ReadonlyMap<string, number> };
  readonly projectNames: ReadonlyMap<string, string>;
  /** Uids of the exported projects. */
  readonly projects: ReadonlySet<string>;
  /** Project uid of each exported issue. */
  readonly issueProjects: ReadonlyMap<string, string>;
}

/**
 * Converts a local id of the file into a uid; an id that no earlier line defined throws `validation` with the line's
 * number.
 */
export type Uids = { readonly [T in Reference["to"]]: (id: number) => string };

export type RecordOut = Readonly<Record<string, JsonValue | undefined>>;
