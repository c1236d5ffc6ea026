import type { JsonValue } from "../base/json.ts";
import type { Reference } from "../domain/tables/columns.ts";

/** Local ids stand in a file beside uids or in their place; they are looked up here. */
export interface Refs {
  readonly ids: { readonly [T in Reference["to"]]: ReadonlyMap<string, number> };
  readonly projectNames: ReadonlyMap<string, string>;
  /** The projects that the file has. */
  readonly projects: ReadonlySet<string>;
  /** Where each issue is. */
  readonly issueProjects: ReadonlyMap<string, string>;
}

/** The uids that a file's local ids stand for; an id that no earlier line gave refuses the line. */
export type Uids = { readonly [T in Reference["to"]]: (id: number) => string };

export type RecordOut = Readonly<Record<string, JsonValue | undefined>>;
