import * as contract from "../../contract/recurrences.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { revisionTag } from "../../ops/guards.ts";
import { createRecurrence } from "../../ops/recurrences/create.ts";
import { deleteRecurrence } from "../../ops/recurrences/delete.ts";
import { patchRecurrence } from "../../ops/recurrences/patch.ts";
import { showRecurrence } from "../../ops/recurrences/show.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

const tagged = {
  headers: ({ recurrence }: { readonly recurrence: { readonly revision: number } }) => ({
    etag: revisionTag(recurrence.revision),
  }),
};

export function recurrenceRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.createRecurrence, createRecurrence, tagged);
  bind(app, deps, contract.showRecurrence, showRecurrence, tagged);
  bind(app, deps, contract.patchRecurrence, patchRecurrence, tagged);
  bind(app, deps, contract.deleteRecurrence, deleteRecurrence);
}
