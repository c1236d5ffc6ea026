import type { showRecurrence as contract } from "../../contract/recurrences.ts";
import type { Op } from "../deps.ts";
import { recurrenceOut } from "../out/recurrences.ts";
import { requireRecurrence } from "./find.ts";

export const showRecurrence: Op<typeof contract> = async (deps, _who, { params }) =>
  await deps.store.read(async (reader) => {
    const { project, recurrence } = await requireRecurrence(reader, params);
    return { recurrence: recurrenceOut(recurrence, project) };
  });
