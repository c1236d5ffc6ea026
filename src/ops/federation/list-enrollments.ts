import type { listFederationEnrollments as contract } from "../../contract/federation.ts";
import type { ReadOp } from "../deps.ts";
import { enrollmentOut, projectIdsOf } from "./enrollment-out.ts";

export const listFederationEnrollments: ReadOp<typeof contract> = async ({ store }) =>
  await store.read(async (reader) => {
    const rows = await reader.federation.enrollments();
    const ids = await projectIdsOf(reader, rows);
    return {
      enrollments: rows.map((row) => enrollmentOut(row, ids.get(row.project_uid ?? "") ?? null)),
    };
  });
