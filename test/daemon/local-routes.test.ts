import { expect, test } from "vitest";
import { ROUTES } from "../../src/contract/index.ts";
import { rawOf } from "../support/broken.ts";
import { call, testDaemon } from "../support/daemon.ts";
import { golden } from "../support/golden.ts";
import { openOwnPage, openPage, originOf, WITH_PAGES } from "../support/page.ts";
import { type Seeds, wholeOf } from "../support/whole.ts";

const CLOSED = "web_local_operation_forbidden";
const UID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
/** Ids of things that do not exist: what is asked here is whether a request gets as far as looking for them. */
const NOTHING: Seeds = {
  ...{ id: "9", project_id: "9", ref: UID, uid: UID, comment_ref: UID, label: "ui", link_id: "9" },
  ...{ alias_id: "9", cron_uid: UID, job_event_uid: UID, other: UID, project_uid: UID },
  ...{ provider: "github", instance: "files", enrollment_id: "9", federated: "9" },
  quarantine_id: "9",
};

test("a page that was opened without a token may call the routes that are listed for such pages", () => {
  const text = ROUTES.filter(({ access }) => access !== "open")
    .map(({ id, local }) => {
      const only = typeof local === "object" ? ` with ${local.join(", ")} only` : "";
      return `${id}: ${local === undefined ? "closed" : `open${only}`}\n`;
    })
    .join("");
  expect(text).toBe(golden("test/golden/local-routes.txt", text));
});

/** These routes refuse every page. Those for other daemons require the token of an enrollment. */
const CLOSED_TO_ALL: Readonly<Record<string, string>> = {
  enrollment: "auth_required",
  connectors: "integration_administration_forbidden",
};

test("a page that was opened without a token can call no other routes, and they change nothing", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const page = await openPage(await originOf(daemon));
  const wrong: string[] = [];
  for (const route of ROUTES) {
    if (route.access === "open" || route.responseType !== undefined) continue;
    const raw = rawOf(route, wholeOf(route, NOTHING));
    const path = `${raw.path}${raw.query === "" ? "" : `?${raw.query}`}`;
    const { code } = await page.ask(route.method, path, raw.headers, raw.body?.toString());
    const closed = CLOSED_TO_ALL[route.access] ?? CLOSED;
    if ((code === closed) !== (route.local === undefined)) wrong.push(`${route.id}: ${code}`);
  }
  expect(wrong).toEqual([]);
});

test("a page creates projects by name, and cannot name a folder of the daemon's machine", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const page = await openPage(await originOf(daemon));
  const project = { name: "web", actor: "ann" };
  const extras = [
    { start_path: "/root" },
    { alias: { identity: "git/a", kind: "git" } },
    { replace: true },
    { reassign: false },
  ];
  for (const extra of extras) {
    const { code, body } = await page.ask("POST", "/projects", {}, { ...project, ...extra });
    expect([code, body["error"]]).toMatchObject([
      CLOSED,
      { data: { field: Object.keys(extra)[0] } },
    ]);
  }
  const asked = await page.ask("POST", "/projects/resolve", {}, { start_path: "/root" });
  expect(asked.code).toBe(CLOSED);
  const { body } = await call(daemon.endpoint, "GET", "/events");
  expect(body["events"]).toEqual([]);
  expect((await page.ask("POST", "/projects", {}, project)).status).toBe(200);
  expect((await page.ask("POST", "/projects/resolve", {}, { name: "web" })).status).toBe(200);
});

test("a page reads, creates, changes, deletes, restores and undoes issues", async () => {
  const daemon = await testDaemon(WITH_PAGES);
  const page = await openOwnPage(daemon);
  const unproven = await openPage(await originOf(daemon));
  const ask = async (method: string, path: string, body?: object) => {
    const { status, body: given } = await page.ask(method, path, {}, body);
    expect([path, status, given["error"]]).toEqual([path, 200, undefined]);
    return given;
  };
  const actor = "ann";
  await ask("POST", "/projects", { name: "web", actor });
  const made = await ask("POST", "/projects/1/issues", { title: "one", actor });
  const { uid } = made["issue"] as { readonly uid: string };
  const issue = `/projects/1/issues/${uid}`;
  await ask("PATCH", issue, { title: "two", actor });
  await ask("POST", `${issue}/comments`, { body: "said", actor });
  await ask("POST", `${issue}/actions/close`, {
    ...{
      actor,
      reason: "wontfix",
      message: "not needed after all, since what it asked for is there already",
    },
  });
  await ask("POST", `${issue}/actions/reopen`, { actor });
  await ask("GET", "/issues?limit=10");
  await ask("GET", "/projects/1/search?q=two");
  await ask("GET", "/inbox?for=ann");
  await ask("GET", `${issue}/graph`);
  await ask("GET", "/events");
  await ask("POST", "/undo", {
    actor,
    of_actor: actor,
    since: "2020-01-01T00:00:00.000Z",
    dry_run: true,
  });
  const close = { actor, reason: "done", source: "tui" };
  const forwarded = { "x-forwarded-for": "192.0.2.7" };
  for (const bypass of [
    await page.ask("POST", `${issue}/actions/close`, forwarded, close),
    await unproven.ask("POST", `${issue}/actions/close`, {}, close),
  ])
    expect([bypass.code, bypass.body["error"]]).toMatchObject([
      "validation",
      { data: { field: "source" } },
    ]);
  // The proven owner closes as on the terminal screen.
  expect((await page.ask("POST", `${issue}/actions/close`, {}, close)).status).toBe(200);
});
