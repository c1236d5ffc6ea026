import { expect, test } from "vitest";
import type { ErrorBody } from "../../../src/contract/errors.ts";
import { importIssues } from "../../../src/contract/imports.ts";
import {
  disableIssueSync,
  enableIssueSync,
  getIssueSyncStatus,
  runIssueSyncOnce,
} from "../../../src/contract/issue-sync.ts";
import { mergeProject } from "../../../src/contract/project-actions.ts";
import type { PrincipalKind } from "../../../src/domain/access/rights.ts";
import { externalRootUnbound } from "../../../src/domain/drafts/bridges.ts";
import { dueRuns } from "../../../src/ops/issue-sync/claim.ts";
import { ProviderFault } from "../../../src/sync/provider.ts";
import { givenBridge } from "../../support/bridges.ts";
import { describeStore } from "../../support/store.ts";
import { syncWorld } from "./synced.ts";

const CONFIG = { owner: "ann", repo: "web" };

describeStore("the binding of a project to a repository", (open) => {
  test("is stored with the names that the host uses, and is shown with its status", async () => {
    const { w, host, project, params, enable } = await syncWorld(open);
    expect(await w.call(getIssueSyncStatus, { params })).toEqual({
      status: {
        binding_id: 0,
        project_id: project.id,
        provider: "github",
        enabled: false,
        state: "not_enabled",
        last_created: 0,
        last_updated: 0,
        last_unchanged: 0,
        last_comments: 0,
      },
    });
    host.displayName = "Ann/Web";
    const enabled = await enable({ interval: "10m" });
    expect(enabled).toEqual({
      binding: {
        id: project.id,
        project_id: project.id,
        provider: "github",
        source_key: "github:R_1",
        remote_id: "R_1",
        display_name: "Ann/Web",
        config: { host: "github.com", owner: "Ann", repo: "Web", title_prefix: true },
        enabled: true,
        interval_seconds: 600,
        created_at: w.clock.now(),
        updated_at: w.clock.now(),
      },
      status: expect.objectContaining({
        binding_id: project.id,
        state: "enabled",
        next_attempt_at: w.clock.now(),
      }),
    });
    expect(
      await w.call(getIssueSyncStatus, { params: { ...params, provider: " GitHub " } }),
    ).toEqual(enabled);
  });

  test.each([
    ["another provider", { provider: "gitlab" }, {}, "provider"],
    ["an owner with a slash", {}, { config: { owner: "ann/x", repo: "web" } }, "config.owner"],
    ["no repository", {}, { config: { owner: "ann" } as never }, "config.repo"],
    ["an unknown field", {}, { config: { ...CONFIG, branch: "x" } as never }, "config.branch"],
    [
      "a title prefix that is no boolean",
      {},
      { config: { ...CONFIG, title_prefix: "no" } as never },
      "config.title_prefix",
    ],
    [
      "both forms of the interval",
      {},
      { interval: "5m", interval_seconds: 300 },
      "interval_seconds",
    ],
    ["an interval of nothing", {}, { interval: 0 }, "interval"],
    ["a negative interval", {}, { interval_seconds: -1 }, "interval_seconds"],
    ["an interval of half a second", {}, { interval: "500ms" }, "interval"],
    ["an interval of more than a year", {}, { interval_seconds: 31_536_001 }, "interval_seconds"],
    ["a word as interval", {}, { interval: "soon" }, "interval"],
  ])("is refused with %s before the host is called", async (_, path, body, field) => {
    const { w, host, params } = await syncWorld(open);
    const refused = await w.refused(enableIssueSync, {
      params: { ...params, ...path },
      body: { config: CONFIG, ...body },
    });
    expect(refused).toMatchObject({ code: "validation", data: { field } });
    expect(host.validated).toEqual([]);
  });

  test.each([
    [{}, 300],
    [{ interval: 1 }, 1],
    [{ interval: "90" }, 90],
    [{ interval: "1h30m" }, 5400],
    [{ interval_seconds: 31_536_000 }, 31_536_000],
  ])("with the interval %j is run every %i seconds", async (body, seconds) => {
    const { enable } = await syncWorld(open);
    expect((await enable(body)).binding.interval_seconds).toBe(seconds);
  });

  test("is not stored if the host cannot be read, and the error says why", async () => {
    const { w, host, params } = await syncWorld(open);
    host.fault = new ProviderFault("credentials", "there is no credential", "gh auth login");
    const refused = await w.refused(enableIssueSync, { params, body: { config: CONFIG } });
    expect(refused).toMatchObject({
      code: "validation",
      message: "credentials: there is no credential",
      hint: "gh auth login",
    });
    expect((await w.call(getIssueSyncStatus, { params })).binding).toBeUndefined();
  });

  test("keeps its repository: another one is refused", async () => {
    const { w, host, params, enable } = await syncWorld(open);
    await enable();
    host.remoteId = "R_2";
    const refused = await w.refused(enableIssueSync, { params, body: { config: CONFIG } });
    expect(refused.message).toContain("is another repository");
  });

  test("makes the next run read everything again after a change of its config, but not after one of its interval", async () => {
    const { enable, once } = await syncWorld(open);
    await enable();
    const { last_cursor_at } = (await once()).binding;
    expect(last_cursor_at).toBeDefined();
    expect((await enable({ interval: "1h" })).binding).toMatchObject({ last_cursor_at });
    const changed = await enable({ config: { ...CONFIG, title_prefix: false } });
    expect(changed.binding.last_cursor_at).toBeUndefined();
    expect((await enable()).binding.config).toMatchObject({ title_prefix: false });
  });

  test.each([
    ["github:ann/web", "external_root_conflict"],
    ["github:R_1", "external_root_conflict"],
    ["github:ann/site", undefined],
  ])("is refused if an issue has a bridge that was imported as %s: %s", async (source, code) => {
    const { w, project, params } = await syncWorld(open);
    const times = { created_at: w.clock.now(), updated_at: w.clock.now() };
    const item = { external_id: "1", title: "t", author: "ann", status: "open", ...times };
    await w.call(importIssues, { params: project.path, body: { source, items: [item] } as never });
    const found = await w.store.read(
      async ({ marks }) => await marks.importedUnder(project.uid, ["1"]),
    );
    const ask = async () => {
      const response = await w.send(enableIssueSync, { params, body: { config: CONFIG } });
      return ((await response.json()) as Partial<ErrorBody>).error?.code;
    };
    const bridge = await givenBridge(w, { uid: found[0]?.issue_uid ?? "" });
    expect(await ask()).toBe(code);
    await w.store.write(async (tx) => {
      const issue = await tx.issues.find(bridge.issue_uid);
      if (issue === undefined) throw new Error("there is no such issue");
      await tx.append(externalRootUnbound(issue, bridge, { actor: "ann", now: tx.now }));
    });
    expect(await ask()).toBeUndefined();
  });

  test("is refused if somebody changed the binding while the host was called", async () => {
    const { w, host, params, enable } = await syncWorld(open);
    await enable();
    const validate = host.validate.bind(host);
    host.validate = async (place) => {
      w.clock.advance(1);
      await w.call(disableIssueSync, { params, body: {} });
      return await validate(place);
    };
    const refused = await w.refused(enableIssueSync, { params, body: { config: CONFIG } });
    expect(refused.code).toBe("issue_sync_binding_changed");
  });

  test("is kept when it is disabled, but no run may begin then", async () => {
    const { w, params, enable, once } = await syncWorld(open);
    expect((await w.refused(disableIssueSync, { params, body: {} })).code).toBe(
      "issue_sync_not_found",
    );
    expect((await w.refused(runIssueSyncOnce, { params, body: {} })).code).toBe("validation");
    await enable();
    const { binding } = await once();
    const disabled = await w.call(disableIssueSync, { params, body: {} });
    expect(disabled.binding).toMatchObject({
      enabled: false,
      last_cursor_at: binding.last_cursor_at,
    });
    expect(disabled.status).toMatchObject({ state: "disabled", enabled: false });
    expect(disabled.status.next_attempt_at).toBeUndefined();
    expect((await w.refused(runIssueSyncOnce, { params, body: {} })).code).toBe("validation");
    expect(await w.call(disableIssueSync, { params, body: {} })).toEqual(disabled);
  });

  test.each(["db_token", "trusted_proxy"] as const satisfies readonly PrincipalKind[])(
    "can be set by a caller of the kind %s only for repositories that the configuration lists",
    async (kind) => {
      const authenticate = async () => ({ kind, actor: "ann", local: false });
      const { w, host, project } = await syncWorld(open, { authenticate });
      const params = { project_id: project.id, provider: "github" };
      const config = { owner: "ann", repo: "secret" };
      const refused = await w.refused(enableIssueSync, { params, body: { config } });
      expect(refused.code).toBe("issue_sync_repository_forbidden");
      expect(host.validated).toEqual([]);
      await w.call(enableIssueSync, { params, body: { config: { owner: "Ann", repo: "WEB" } } });
      host.displayName = "ann/secret";
      const renamed = await w.refused(enableIssueSync, { params, body: { config: CONFIG } });
      expect(renamed.code).toBe("issue_sync_repository_forbidden");
      const elsewhere = { ...CONFIG, host: "git.example.com" };
      const other = await w.refused(enableIssueSync, { params, body: { config: elsewhere } });
      expect(other.code).toBe("issue_sync_repository_forbidden");
      expect([refused.hint, other.hint]).toEqual([
        'list "ann/secret" in repositories of [provider_sync] in the daemon\'s config.toml, then svc daemon restart',
        'list "git.example.com/ann/web" in repositories of [provider_sync] in the daemon\'s config.toml, then svc daemon restart',
      ]);
    },
  );

  test("forbids merging its project into another, but lets another project be merged into its own", async () => {
    const { w, project, enable } = await syncWorld(open);
    const other = await w.given.project("other");
    await enable();
    const refused = await w.refused(mergeProject, {
      params: other.path,
      body: { source_project_id: project.id },
    });
    expect(refused.code).toBe("project_has_issue_sync");
    await w.call(mergeProject, { params: project.path, body: { source_project_id: other.id } });
  });

  test("is due for a run again after its interval, as long as its project is active", async () => {
    const { w, project, enable, once } = await syncWorld(open);
    const due = async () =>
      await w.store.read(async (reader) => await dueRuns(reader, w.clock.nowMs()));
    await enable({ interval: 60 });
    expect((await due()).projects).toEqual([project.uid]);
    await once();
    const counts = { enabled: 1, failing: 0 };
    expect(await due()).toEqual({ projects: [], nextMs: w.clock.nowMs() + 60_000, ...counts });
    w.clock.advance(59_999);
    expect((await due()).projects).toEqual([]);
    w.clock.advance(1);
    expect((await due()).projects).toEqual([project.uid]);
    await w.given.archived(project);
    expect(await due()).toEqual({ projects: [], nextMs: undefined, enabled: 0, failing: 0 });
  });
});
