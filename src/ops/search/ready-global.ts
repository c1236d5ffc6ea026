import type { readyIssuesGlobal as contract } from "../../contract/search.ts";
import type { StreamOp } from "../deps.ts";
import { answerList } from "../issues/answer-list.ts";
import { globalIssuesOut } from "../out/issues.ts";
import { orderOut, readyList } from "./ready.ts";

export const readyIssuesGlobal: StreamOp<typeof contract> = async (deps, _who, { query }) => ({
  ...(await answerList(deps, query, { ...(await readyList(deps, query)), out: globalIssuesOut })),
  ...orderOut(query),
});
