import { importIssues } from "../../contract/imports.ts";
import type { Input, Route } from "../../contract/route.ts";
import type { Deps, Principal } from "../../ops/deps.ts";
import * as imports from "../../ops/imports/import.ts";

export interface BulkOp {
  readonly route: Route;
  readonly run: (deps: Deps, who: Principal, input: never) => Promise<unknown>;
}

const op = <T extends Route>(
  route: T,
  run: (deps: Deps, who: Principal, input: Input<T>) => Promise<unknown>,
): readonly [string, BulkOp] => [route.id, { route, run }];

/** The operations that may write as much as there is, by their route's id. */
export const BULK_OPS: ReadonlyMap<string, BulkOp> = new Map([
  op(importIssues, imports.importIssues),
]);
