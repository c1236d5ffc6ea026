import { expect, test } from "vitest";
import { type Plant, runPlanted } from "../support/planted-run.ts";

/** A fault of what lets a copy write, and the tests that find it. */
interface Case extends Plant {
  readonly by: string;
  readonly titled: RegExp;
}

const GATE = "src/domain/federation/gate.ts";
const ACTOR = "src/domain/federation/bound-actor.ts";
const PUSHED = "src/domain/federation/pushed.ts";
const INGEST = "src/ops/federation/ingest.ts";
const HUB_CLAIM = "src/ops/leases/claim-on-hub.ts";

const refused = (titled: RegExp) => ({ by: "test/ops/federation/ingest.test.ts", titled });
const sent = (titled: RegExp) => ({ by: "test/federation/push.store.test.ts", titled });
const leased = (titled: RegExp) => ({ by: "test/federation/leases.store.test.ts", titled });

/** For each area of issue 33 ("Must show"), the first fault is planted by the suite, and all with SVC_PLANTS=all. */
const CASES: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  gate: {
    "a copy that does not send its changes can be changed": {
      file: GATE,
      from: "return enabled === 0 || push_enabled === 0;",
      to: "return false;",
      ...{ by: "test/http/read-only.test.ts", titled: /is changed by no route/ },
    },
    "a copy may do what only its hub may": {
      file: GATE,
      from: `if (isOfHub) return "federated_admin_required";`,
      to: "",
      ...{ by: "test/store/copies.test.ts", titled: /./ },
    },
  },
  "actor rewriting": {
    "what an event adds keeps its author": {
      file: ACTOR,
      from: "const payload = withAuthor(draft, bound_actor);",
      to: "const { payload } = draft;",
      ...sent(/one history/),
    },
    "an event keeps the name of its writer": {
      file: ACTOR,
      from: "return { ...draft, actor: bound_actor, local_actor: draft.actor, payload };",
      to: "return { ...draft, payload };",
      ...sent(/one history/),
    },
    "nobody remembers who wrote an event": {
      file: ACTOR,
      from: "return { ...draft, actor: bound_actor, local_actor: draft.actor, payload };",
      to: "return { ...draft, actor: bound_actor, payload };",
      ...{ by: "test/federation/who-wins.store.test.ts", titled: /names its writer/ },
    },
  },
  "ingest checks": {
    "events of another daemon are accepted": {
      file: PUSHED,
      from: "if (origin_instance_uid !== grant.spoke_instance_uid)",
      to: "if (false)",
      ...refused(/another origin/),
    },
    "events in another name are accepted": {
      file: PUSHED,
      from: "if (actor !== grant.bound_actor)",
      to: "if (false)",
      ...refused(/another actor/),
    },
    "kinds that only a hub writes are accepted": {
      file: PUSHED,
      from: "if (wireOf(type) === undefined || BASELINE_KINDS.has(type))",
      to: "if (false)",
      ...refused(/a baseline/),
    },
    "other authors are accepted": {
      file: PUSHED,
      from: "if (isOfIssue && !mayNameOthers(type, grant) && namesOthers(payload, grant))",
      to: "if (false)",
      ...refused(/another author of/),
    },
    "progress of recurring jobs is accepted": {
      file: PUSHED,
      from: "if (metadataKeysIn(type, payload).some(isSystemKey))",
      to: "if (false)",
      ...refused(/progress/),
    },
    "a new issue replaces one that is there": {
      file: PUSHED,
      from: `if (creates && there.has(issue_uid)) return { event, why: "its issue exists already" };`,
      to: "",
      ...refused(/an issue that is there/),
    },
    "hashes are not checked": {
      file: "src/store/admit.ts",
      from: "if (contentHash(event, payload) !== event.content_hash.toLowerCase())",
      to: "if (false)",
      ...refused(/a content that its hash does not fit/),
    },
    "a token that was revoked while the request ran is accepted": {
      file: INGEST,
      from: "const enrolled = await enrolledIn(tx);",
      to: "const enrolled = { enrollment, project };",
      ...refused(/revoked between/),
    },
  },
  quarantine: {
    "a batch that the hub refused is sent for ever": {
      file: "src/federation/push.ts",
      from: "if (error instanceof HubFault && isFinal(error))",
      to: "if (false)",
      ...sent(/sets a batch aside/),
    },
    "a hub that gives no answer is taken for one that refuses": {
      file: "src/federation/push.ts",
      from: "return (status === 400 || status === 409) && !PASSING.has(code);",
      to: "return !PASSING.has(code);",
      ...sent(/keeps a batch for a later try/),
    },
    "a skipped batch still counts": {
      file: "src/ops/federation/quarantine.ts",
      from: "return await tx.skipEvents(event_uids);",
      to: "return event_uids.length;",
      ...{ by: "test/ops/federation/quarantine.test.ts", titled: /lets an issue disappear/ },
    },
  },
  "lease order": {
    "a claim is answered before the hub has accepted it": {
      file: HUB_CLAIM,
      from: "if (await hubLeases.sent(project_uid, event_id)) return;",
      to: "return;",
      ...leased(/is answered only once the hub has accepted it/),
    },
    "an issue that is closed or owned at the hub is given": {
      file: HUB_CLAIM,
      from: `if (issue === undefined || issue.status !== "open") return false;`,
      to: "return true;",
      ...leased(/issue closed or owned at the hub/),
    },
    "a lease is released before the hub knows what was done under it": {
      file: "src/ops/leases/on-hub.ts",
      from: "  await requireSent(deps, replica.project_uid, change);",
      to: "",
      ...leased(/once the hub has accepted what was changed under it/),
    },
  },
};

const isAll = process.env["SVC_PLANTS"] === "all";

test.each(
  Object.entries(CASES).flatMap(([area, cases]) =>
    Object.entries(cases)
      .slice(0, isAll ? undefined : 1)
      .map(([name, planted]) => [area, name, planted] as const),
  ),
)("a planted fault of the %s is found: %s", { timeout: 300_000 }, async (_area, _name, planted) => {
  const { failed } = await runPlanted(planted, planted.by, planted.titled);
  expect(Object.values(failed)).toEqual([expect.stringMatching(/^AssertionError/)]);
});

test("no test fails if no fault is planted", { timeout: 300_000 }, async () => {
  const nothing = { file: GATE, from: "return enabled === 0", to: "return enabled === 0" };
  const { by, titled } = sent(/one history/);
  expect(await runPlanted(nothing, by, titled)).toEqual({ passed: 1, failed: {} });
});
