import { describe, expect, test } from "vitest";
import { NeedsWorker } from "../../../src/base/budget.ts";
import { sha256Hex } from "../../../src/base/hash.ts";
import { canonicalJson } from "../../../src/base/json.ts";
import { createCronJob } from "../../../src/contract/cron-jobs.ts";
import {
  createFederationEnrollment,
  listFederationEnrollments,
  revokeFederationEnrollment,
} from "../../../src/contract/federation.ts";
import { acquireIssueLease } from "../../../src/contract/leases.ts";
import { renameProject } from "../../../src/contract/projects.ts";
import { purgeIssue } from "../../../src/contract/removal.ts";
import { createToken } from "../../../src/contract/tokens.ts";
import { authenticator } from "../../../src/daemon/access/authenticate.ts";
import { SENT_KINDS } from "../../../src/domain/federation/wire.ts";
import { pollFederationProjectEvents } from "../../../src/ops/federation/poll.ts";
import { PastFolds } from "../../../src/ops/past/folds.ts";
import { contentHash } from "../../../src/store/log/content-hash.ts";
import { R as NATIVE } from "../../domain/cron/bases.ts";
import {
  askHub,
  makeHub,
  type PollPage,
  type PollRequest,
  poll,
  push,
  SPOKE,
} from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, type World, world } from "../../support/world.ts";

/** A daemon that the enrollments are not for. */
const OTHER = "01J0000000000000000000TTER";
const EVERYTHING = "svc_fed_everything_0123456789012345678901234567890";

/** A hub of the project `web` with an issue from before it was federated, and a spoke that may read it. */
async function hub(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const old = await w.given.issue({ project, title: "before" });
  await makeHub(w, project);
  const enrollment = await enroll(w, project.id);
  const { token } = enrollment;
  return {
    w,
    project,
    old,
    enrollment,
    token,
    ask: async (asked: PollRequest = {}) => await poll(w, project.id, { token, ...asked }),
  };
}

async function enroll(w: World, project_id: number | null, capabilities = "pull,push,claim") {
  const body = { spoke_instance_uid: SPOKE, project_id, capabilities };
  return await w.call(createFederationEnrollment, { body });
}

const kindsOf = ({ events }: PollPage) => events.map(({ type }) => type);

describeStore("a poll of a spoke", (open) => {
  test("a poll has those events of the project from the horizon on that are sent to copies, with their hashes", async () => {
    const { w, project, old, ask } = await hub(open);
    const other = await w.given.project("other");
    await w.given.issue({ project: other });
    const issue = await w.given.issue({ project, title: "after" });
    await w.call(acquireIssueLease, { params: issue.path, body: {} });
    await w.given.metadata(old, { "x.y": 1 });

    const { status, body } = await ask();
    expect([status, kindsOf(body)]).toEqual([200, ["issue.created", "issue.metadata_updated"]]);
    const head = await w.store.read(async ({ events }) => await events.head());
    expect(body).toMatchObject({
      reset_required: false,
      next_after_id: head.last_event_id,
      epoch: head.epoch,
      chain: head.chain,
      required_event_features: [],
    });
    for (const event of body.events) {
      expect(event).toMatchObject({ project_uid: project.uid, project_name: "web" });
      const { event_uid: uid, payload, ...rest } = event;
      const text = canonicalJson(payload);
      expect(contentHash({ ...rest, uid } as never, text)).toBe(event.content_hash);
    }
    const next = await ask({ after_id: body.next_after_id });
    expect(next.body).toMatchObject({ events: [], next_after_id: head.last_event_id });
  });

  test("a poll names only kinds that are sent to copies, whatever happens in the project", async () => {
    const { w, project, ask } = await hub(open);
    const issue = await w.given.issue({ project });
    const { link } = {
      link: await w.given.link(issue, "blocks", await w.given.issue({ project })),
    };
    expect(link.type).toBe("blocks");
    await w.given.comment({ on: issue });
    await w.call(acquireIssueLease, { params: issue.path, body: {} });
    await w.given.closed(issue);
    const body = { name: "site" };
    await w.call(renameProject, { params: project.path, body });
    const { body: page } = await ask();
    const happened = (await w.events()).map(({ type }) => type);
    expect(happened).toEqual(expect.arrayContaining(["claim.acquired", "project.renamed"]));
    const crossing: readonly string[] = SENT_KINDS;
    expect(kindsOf(page).filter((kind) => !crossing.includes(kind))).toEqual([]);
    expect(kindsOf(page)).toEqual(
      expect.arrayContaining(["issue.linked", "issue.commented", "issue.closed"]),
    );
    expect(new Set(page.events.map(({ project_name }) => project_name))).toEqual(new Set(["site"]));
  });

  test("events are polled in pages, each of which begins where the last one ended, and no event is missed or comes twice", async () => {
    const { w, project, ask } = await hub(open);
    const other = await w.given.project("other");
    for (let n = 0; n < 12; n += 1) await w.given.issue({ project: n % 3 === 0 ? other : project });
    const whole = (await ask()).body.events.map(({ event_uid }) => event_uid);
    const read: string[] = [];
    let [after_id, pages] = [0, 0];
    for (;;) {
      const { body } = await ask({ after_id, limit: 3 });
      expect(body.events.length).toBeLessThanOrEqual(3);
      read.push(...body.events.map(({ event_uid }) => event_uid));
      pages += 1;
      if (body.next_after_id === after_id) break;
      after_id = body.next_after_id;
    }
    expect(read).toEqual(whole);
    expect(whole).toHaveLength(8);
    expect(pages).toBeGreaterThanOrEqual(4);
  });

  test("a poll is cut after two megabytes, and goes on with the next page", async () => {
    const { w, project, ask } = await hub(open);
    const body = "x".repeat(200_000);
    for (let n = 0; n < 20; n += 1) await w.given.issue({ project, body });
    const first = (await ask()).body;
    expect(first.events.length).toBeGreaterThan(4);
    expect(first.events.length).toBeLessThan(20);
    const uids = new Set(first.events.map(({ event_uid }) => event_uid));
    let after_id = first.next_after_id;
    while (uids.size < 20) {
      const page = (await ask({ after_id })).body;
      for (const { event_uid } of page.events) uids.add(event_uid);
      expect(page.next_after_id).toBeGreaterThan(after_id);
      after_id = page.next_after_id;
    }
  });

  test("a page of a poll ends after an event of 400 KB", async () => {
    const { w, project, ask } = await hub(open);
    const body = "x".repeat(400_000);
    for (let n = 0; n < 3; n += 1) await w.given.issue({ project, body });
    let after_id = 0;
    const sizes: number[] = [];
    for (let more = true; more; ) {
      const page = (await ask({ after_id })).body;
      sizes.push(page.events.filter(({ type }) => type === "issue.created").length);
      expect(page.more).toBeDefined();
      [after_id, more] = [page.next_after_id, page.more === true];
    }
    expect(sizes).toEqual([1, 1, 1]);
  });

  test.each(["-1", "1.5", "x", "9007199254740992", "1e3"])(
    "a poll with the cursor %s is refused",
    async (after_id) => {
      const { ask } = await hub(open);
      expect(await ask({ after_id })).toMatchObject({ status: 400, code: "validation" });
    },
  );

  test("a poll with a cursor beyond the end of the log, or of another log, is told to begin from the start", async () => {
    const { w, ask } = await hub(open);
    const { last_event_id, epoch } = await w.store.read(async ({ events }) => await events.head());
    for (const after_id of [last_event_id + 1, 999_999_999_999_999])
      expect((await ask({ after_id })).body).toMatchObject({ reset_required: true, events: [] });
    const of = async (log: string) =>
      (await ask({ after_id: last_event_id, headers: { "x-svc-log": log } })).body.reset_required;
    expect(await of(epoch)).toBe(false);
    expect(await of("01J0000000000000000000TTER")).toBe(true);
    expect(await of(`${epoch}/${"0".repeat(32)}`)).toBe(true);
    expect((await ask({ headers: { "x-svc-log": "nonsense" } })).code).toBe("validation");
  });

  test("a poll is told to begin from the start if an issue was purged since the last one", async () => {
    const { w, project, token, ask } = await hub(open);
    const issue = await w.given.issue({ project });
    const { body: before } = await ask();
    const headers = { "x-svc-confirm": `PURGE ${project.name}#${issue.short_id}` };
    await w.call(purgeIssue, { params: issue.path, headers, body: { actor: "ann" } });
    const { body } = await ask({ after_id: before.next_after_id });
    expect(body).toMatchObject({ reset_required: true, events: [] });
    expect(body.reset_after_id).toBeGreaterThan(before.next_after_id);
    // The new baseline of another reader does not tell this reader what to forget.
    const [asked, metadata] = [await ask(), `/projects/${project.id}/federation/metadata`];
    expect(asked.body.reset_required).toBe(true);
    await askHub(w, metadata, { token });
    expect((await ask({ after_id: before.next_after_id })).body.reset_required).toBe(true);
    expect((await ask()).body.reset_required).toBe(false);
  });

  test("a poll is refused without any cursor if the reader lacks an event feature that the project needs", async () => {
    const { w, project, ask } = await hub(open);
    const parent = await w.given.issue({ project });
    const first = await ask();
    expect(first.headers.get("x-svc-required-event-features")).toBe("");
    const definition = { ...NATIVE, issue: { ...NATIVE.issue, parent_uid: parent.uid } };
    const body = { name: "nightly", definition: definition as never };
    await w.call(createCronJob, { params: project.path, body });
    for (const features of ["", "cron_v1", "cron_v1,other", "xcron_notify_children_v1, cron_v1"]) {
      const refused = await ask({ headers: { "x-svc-event-features": features } });
      expect(refused).toMatchObject({ status: 409, code: "unsupported_event_features" });
      expect(refused.text).not.toMatch(/next_after_id|reset_after_id|horizon|epoch/);
      expect(refused.headers.get("x-svc-replica-stamp")).toBeNull();
    }
    const { status, headers } = await ask();
    expect(status).toBe(200);
    expect(headers.get("x-svc-event-features")).toBe(
      "cron_notify_children_v1, cron_v1, external_roots_v1",
    );
    expect(headers.get("x-svc-required-event-features")).toBe("cron_notify_children_v1, cron_v1");
  });

  test("a poll carries the stamp of the last answer, and a copied replica is refused", async () => {
    const { w, project, ask } = await hub(open);
    await w.given.issue({ project });
    const stampOf = async (stamp?: string) => {
      const headers = stamp === undefined ? {} : { "x-svc-replica-stamp": stamp };
      const { code, body, headers: told } = await ask({ headers });
      if (code === undefined)
        expect(told.get("x-svc-replica-stamp")).toBe(String(body.replica_stamp));
      return code ?? String(body.replica_stamp);
    };
    const copied = await stampOf(await stampOf());
    const original = await stampOf(copied);
    const copy = await stampOf(copied);
    expect(await stampOf(original)).not.toBe("federation_replica_stale");
    expect(await stampOf(copy)).toBe("federation_replica_stale");
    const anew = await stampOf();
    expect(await stampOf(anew)).not.toBe("federation_replica_stale");
    expect(await stampOf(copy)).toBe("federation_replica_stale");
  });
});

describeStore("the token of an enrollment", (open) => {
  test("a token opens its project until it is revoked, and no answer tells why another token is refused", async () => {
    const { w, project, token, enrollment } = await hub(open);
    const other = await w.given.project("other");
    const plain = await w.given.project("plain");
    await makeHub(w, other);
    const pushOnly = await enroll(w, project.id, "push,claim");
    const everywhere = await enroll(w, null);
    const at = async (id: number, sent?: string) => {
      const answer = await poll(w, id, sent === undefined ? {} : { token: sent });
      return answer.code ?? answer.status;
    };
    expect(await at(project.id)).toBe("auth_required");
    expect(await at(project.id, "")).toBe("auth_required");
    expect(await at(project.id, token)).toBe(200);
    expect(await at(project.id, everywhere.token)).toBe(200);
    expect(await at(other.id, everywhere.token)).toBe(200);

    const refused = [
      await poll(w, project.id, { token: `${token}x` }),
      await poll(w, project.id, { token: pushOnly.token }),
      await poll(w, other.id, { token }),
      await poll(w, 99, { token }),
      await poll(w, plain.id, { token: everywhere.token }),
      await poll(w, project.id, { token, headers: { "x-svc-instance": OTHER } }),
      await askHub(w, `/projects/${project.id}/federation/metadata`, {
        token,
        headers: { "x-svc-instance": OTHER },
      }),
    ];
    await w.call(revokeFederationEnrollment, { params: { enrollment_id: enrollment.id } });
    refused.push(await poll(w, project.id, { token }));
    const [first] = refused;
    expect(first).toMatchObject({ status: 403, code: "auth_invalid" });
    for (const { status, text } of refused) expect([status, text]).toEqual([403, first?.text]);
    expect(first?.text).not.toContain(token);

    await w.given.archived(other);
    expect(await at(other.id, everywhere.token)).toBe("project_not_found");
  });

  test("a token gives no access to a reader that does not say which daemon it is", async () => {
    const { w, project, ask } = await hub(open);
    const wrong = await poll(w, project.id, { token: `${EVERYTHING}x` });
    for (const instance of ["", "me", `${SPOKE}, ${SPOKE}`, OTHER]) {
      const { status, text } = await ask({ headers: { "x-svc-instance": instance } });
      expect([status, text]).toEqual([403, wrong.text]);
    }
    expect(wrong.text).toContain("X-Svc-Instance");
    const headers = { "x-svc-instance": SPOKE.toLowerCase() };
    expect((await ask({ headers })).status).toBe(200);
  });

  test("a token is refused while the project's binding is disabled, or if the project is a copy", async () => {
    const { w, project, ask } = await hub(open);
    await makeHub(w, project, { enabled: 0 });
    expect((await ask()).code).toBe("auth_invalid");
    await makeHub(w, project, { role: "spoke" });
    expect((await ask()).code).toBe("auth_invalid");
  });

  test("a token that is revoked after its poll began, and before the page is read, gets nothing of the page", async () => {
    const { w, project, enrollment, ask } = await hub(open);
    await w.given.issue({ project });
    const read = w.store.read.bind(w.store);
    w.store.read = async (work, budget) => {
      w.store.read = read;
      await w.call(revokeFederationEnrollment, { params: { enrollment_id: enrollment.id } });
      return await read(work, budget);
    };
    const { code, text } = await ask();
    expect(code).toBe("auth_invalid");
    expect(text).not.toContain("issue.created");
  });

  test("an enrollment shows when its token was last used", async () => {
    const { w, ask } = await hub(open);
    const used = async () => (await w.call(listFederationEnrollments)).enrollments[0]?.last_used_at;
    expect(await used()).toBeUndefined();
    w.clock.advance(5000);
    await ask();
    expect(await used()).toBe(w.clock.now());
  });
});

describeStore("the requests of spokes on the daemon's own thread", (open) => {
  test("a poll reads at most 50 events, and needs the read worker for more", async () => {
    const { w, project, token } = await hub(open);
    const who = { kind: "enrollment", local: false, enrollmentHash: sha256Hex(token) } as const;
    const pageOf = async (limit: number) => {
      const input = {
        params: { project_id: project.id },
        query: { after_id: 0, limit },
        headers: { "x-svc-instance": SPOKE },
        begun: { replica_stamp: "a stamp", required_event_features: [] },
      };
      const { store, clock } = w;
      const settings = {
        timezone: "UTC",
        close_throttle: { enabled: false, window_ms: 1, limit: 1 },
      };
      const deps = { store, clock, settings, past: new PastFolds(), smallWorkOnly: true };
      return await pollFederationProjectEvents(deps, who, { ...input, body: {} });
    };
    for (let count = 0; count < 49; count += 1) await w.given.issue({ project });
    expect((await pageOf(1000)).events).toHaveLength(49);
    await w.given.issue({ project });
    expect((await pageOf(50)).events).toHaveLength(50);
    await expect(pageOf(1000)).rejects.toBeInstanceOf(NeedsWorker);
  });

  test("the requests of spokes wait for one another, and other requests do not wait for them", async () => {
    const { w, project, ask, token } = await hub(open);
    const end = Promise.withResolvers<void>();
    const gone = new AbortController().signal;
    for (let running = 0; running < 4; running += 1)
      void w.app.spokes.run(gone, async () => await end.promise);
    const answered: string[] = [];
    const requests = [
      ask().then(() => answered.push("poll")),
      push(w, project.id, { token, events: [] }).then(() => answered.push("push")),
      askHub(w, `/projects/${project.id}/federation/metadata`, { token }).then(() =>
        answered.push("metadata"),
      ),
    ];
    const issue = await w.given.issue({ project });
    await w.given.comment({ on: issue });
    expect(answered).toEqual([]);
    end.resolve();
    await Promise.all(requests);
    expect(answered.toSorted()).toEqual(["metadata", "poll", "push"]);
  });
});

describe("where tokens are asked for", () => {
  describeStore("another credential", (open) => {
    test("does not give access to what is for spokes", async () => {
      const configured = "configured-secret-0123456789";
      const guarded = await world({
        store: open,
        authenticate: authenticator({
          mode: "identity",
          token: configured,
          lookup: async () => ({ id: 1, actor: "ann" }),
        }),
      });
      const send = async (method: string, path: string, token: string, body?: object) => {
        const headers: Record<string, string> = {
          authorization: `Bearer ${token}`,
          "x-svc-instance": SPOKE,
        };
        if (body !== undefined) headers["content-type"] = "application/json";
        const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        const response = await guarded.app.fetch(
          new Request(`http://localhost/api/v1${path}`, init),
        );
        const parsed = (await response.json()) as { readonly error?: { readonly code: string } };
        return parsed.error?.code ?? response.status;
      };
      const ann = "svc_ann-0123456789012345678901234567890";
      expect(await send("POST", "/projects", ann, { name: "web" })).toBe(200);
      const [project] = await guarded.store.read(
        async ({ projects }) => await projects.list(false),
      );
      await makeHub(guarded, project ?? { uid: "" });
      const body = { spoke_instance_uid: SPOKE, project_id: 1, capabilities: "pull" };
      const made = { ...body, token: EVERYTHING };
      expect(await send("POST", "/federation/enrollments", configured, made)).toBe(
        "bootstrap_token_write_forbidden",
      );
      expect(await send("POST", "/federation/enrollments", ann, made)).toBe(200);

      const events = "/projects/1/federation/events";
      expect(await send("GET", events, EVERYTHING)).toBe(200);
      for (const token of [configured, ann])
        expect(await send("GET", events, token)).toBe("auth_invalid");
    });
  });
});

describeStore("a token of the API", (open) => {
  test("is not accepted as the token of an enrollment", async () => {
    const { w, project } = await hub(open);
    const { plaintext = "" } = await w.call(createToken, { body: { actor: "tom" } });
    expect(await poll(w, project.id, { token: plaintext })).toMatchObject({ status: 403 });
  });
});
