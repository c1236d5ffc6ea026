import { criticalPath, reachableIssueGraph } from "../../contract/graph.ts";
import { listAllIssues, listIssues } from "../../contract/issues.ts";
import type { Input, Route } from "../../contract/route.ts";
import { readyIssues, readyIssuesGlobal } from "../../contract/search.ts";
import type { Principal, ReadDeps } from "../../ops/deps.ts";
import * as critical from "../../ops/graph/critical-path.ts";
import * as reachable from "../../ops/graph/reachable.ts";
import * as list from "../../ops/issues/list.ts";
import * as listAll from "../../ops/issues/list-all.ts";
import * as ready from "../../ops/search/ready.ts";
import * as readyGlobal from "../../ops/search/ready-global.ts";

type Op = (deps: ReadDeps, who: Principal, input: never) => Promise<unknown>;

const op = <T extends Route>(
  route: T,
  run: (deps: ReadDeps, who: Principal, input: Input<T>) => Promise<unknown>,
): readonly [string, Op] => [route.id, run];

/** The operations that read as much as there is, by their route's id. */
export const ASIDE_OPS: ReadonlyMap<string, Op> = new Map([
  op(reachableIssueGraph, reachable.reachableIssueGraph),
  op(criticalPath, critical.criticalPath),
  op(listIssues, list.listIssues),
  op(listAllIssues, listAll.listAllIssues),
  op(readyIssues, ready.readyIssues),
  op(readyIssuesGlobal, readyGlobal.readyIssuesGlobal),
]);
