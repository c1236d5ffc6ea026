import { expect, test } from "vitest";
import { importIssues } from "../../src/contract/imports.ts";
import { ROUTES } from "../../src/contract/index.ts";
import { rewriteAuthorIdentity } from "../../src/contract/project-actions.ts";
import { createToken } from "../../src/contract/tokens.ts";
import type { Principal } from "../../src/ops/deps.ts";
import { rawOf } from "../support/broken.ts";
import { describeStore } from "../support/store.ts";
import { seeded, sent, wholeOf } from "../support/whole.ts";
import { world } from "../support/world.ts";

const BROKEN = ["ann\u202e", "an\u200bn", "bootstrap", "system", "@me"];

/** These write no event, so they have no actor. */
const WITHOUT_ACTOR = new Set(["sweepCronJob", "reindexEmbeddings", "testEmbeddings"]);
const WRITES = ROUTES.filter(({ id, access }) => access === "write" && !WITHOUT_ACTOR.has(id));

async function refusalOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: { code: string; data?: object } };
  return `${response.status} ${error?.code} ${JSON.stringify(error?.data)}`;
}

const REFUSED = '400 validation {"field":"actor"}';

describeStore("a name that is forbidden for actors", (open) => {
  test("is refused in each request that names this actor", async () => {
    const w = await world({ store: open });
    const seeds = await seeded(w);
    let asked = 0;
    for (const route of WRITES) {
      const { body, query, ...whole } = wholeOf(route, seeds);
      for (const actor of BROKEN) {
        const inBody = typeof body === "object" && body !== null && "actor" in body;
        if (!inBody && !("actor" in query)) continue;
        const changed = inBody
          ? { ...whole, query, body: { ...body, actor } }
          : { ...whole, body, query: { ...query, actor } };
        const answer = await refusalOf(await sent(w, rawOf(route, changed)));
        expect([route.id, actor, answer]).toEqual([route.id, actor, REFUSED]);
        asked++;
      }
    }
    expect(asked).toBeGreaterThan(40 * BROKEN.length);
  });

  test("is refused in each write whose credential names this actor", async () => {
    let who: Principal = { kind: "none", local: true };
    const w = await world({ store: open, authenticate: () => who });
    const seeds = await seeded(w);
    for (const route of WRITES) {
      const whole = wholeOf(route, seeds);
      for (const actor of BROKEN) {
        who = { kind: "db_token", local: false, actor };
        const answer = await refusalOf(await sent(w, rawOf(route, whole)));
        expect([route.id, actor, answer]).toEqual([route.id, actor, REFUSED]);
      }
    }
  });

  test.each(BROKEN)("%j is refused as a token's actor and an author's new name", async (name) => {
    const w = await world({ store: open });
    const { path } = await w.given.issue({ actor: "bea" });
    const params = { project_id: path.project_id };
    expect(await w.refused(createToken, { body: { actor: name } })).toMatchObject({
      data: { field: "actor" },
    });
    const body = { from: "bea", to: name };
    expect(await w.refused(rewriteAuthorIdentity, { params, body })).toMatchObject({
      data: { field: "to" },
    });
  });

  test.each(BROKEN)("%j is kept if it is the name of an author in an import", async (name) => {
    const w = await world({ store: open });
    const { id: project_id } = await w.given.project();
    const at = "2026-01-01T00:00:00.000Z";
    const comments = [{ external_id: "c", author: name, body: "b", created_at: at }];
    const item = {
      ...{ external_id: "x", title: "t", author: name, owner: name, status: "open" as const },
      ...{ created_at: at, updated_at: at, comments },
    };
    await w.call(importIssues, {
      params: { project_id },
      body: { source: "beads", items: [item] },
    });
    const events = (await w.events()).filter(({ type }) => type.startsWith("issue."));
    expect(JSON.stringify(events)).toContain(`"author":${JSON.stringify(name)}`);
  });
});
