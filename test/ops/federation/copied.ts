import { verifyFederationReplica } from "../../../src/contract/federation-verify.ts";
import { tamperable } from "../../federation/tampered.ts";
import { created, uid } from "../../store/drafts.ts";
import { answer, type joined } from "../../support/replica.ts";
import type { OpenTestStore } from "../../support/store.ts";

type Fill = NonNullable<Parameters<typeof joined>[1]>;

/** A hub of `count` issues and a copy that has read them. With `push` the copy sends what is written there. */
export async function copied(
  open: OpenTestStore,
  count: number,
  { push = false, fill }: { readonly push?: boolean; readonly fill?: Fill } = {},
) {
  const it = await tamperable(
    open,
    async (hub, project) => {
      const drafts = Array.from({ length: count }, (_, n) => created(project.uid, uid(n + 1)));
      await hub.store.write(async (tx) => await tx.appendNewIssues(drafts));
      await fill?.(hub, project);
    },
    { push },
  );
  const { hub, spoke, server, project, pull } = it;
  const { outcome } = await pull();
  if (outcome !== "current") throw new Error(`the copy has not read its hub: ${outcome}`);
  const found = await spoke.store.read(async ({ projects }) => await projects.find(project.uid));
  const params = { project_id: found?.id ?? 0 };
  return {
    ...it,
    params,
    local: { ...project, id: params.project_id, path: params },
    verify: async (rows = false) =>
      await spoke.call(verifyFederationReplica, { params, body: rows ? { rows } : {} }),
    refused: async () => await spoke.refused(verifyFederationReplica, { params, body: {} }),
    /** Lets the hub answer with other values of these fields. */
    saying: (fields: object) =>
      server.intercept((request, response) => {
        void answer(hub, request, response, (text) =>
          JSON.stringify({ ...(JSON.parse(text) as object), ...fields }),
        );
      }),
  };
}
