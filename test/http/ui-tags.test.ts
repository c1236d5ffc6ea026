import { describe, expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import type { Input, Output } from "../../src/contract/route.ts";
import { readUIReferences } from "../../src/contract/ui-references.ts";
import { readUISnapshot } from "../../src/contract/ui-snapshot.ts";
import type { Authenticate } from "../../src/daemon/access/authenticate.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import type { Reader } from "../../src/store/types/store.ts";
import { PAGE_ORIGIN, PAGES } from "../support/pages.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type Query = Partial<Input<typeof readUISnapshot>["query"]>;

const DAY = { local_date: "2026-03-10", time_zone: "Europe/Berlin" };
const UID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

describeStore("the ETag of an answer to a page", (open) => {
  describe.each([
    ["snapshot", readUISnapshot],
    ["references", readUIReferences],
  ] as const)("for the page's %s", (_, route) => {
    const ask = async (w: World, tag?: string) =>
      await w.send(route, tag === undefined ? {} : { headers: { "if-none-match": tag } });

    test("is strong, is answered with 304 and no body if sent back, and changes with every event", async () => {
      const w = await world({ store: open, pages: PAGES });
      await w.given.issue();
      const first = await ask(w);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
      expect((await ask(w)).headers.get("etag")).toBe(tag);
      for (const header of [tag, "*", `"x", ${tag}`, `W/${tag}, ${tag}`]) {
        const same = await ask(w, header);
        expect([same.status, same.headers.get("etag"), await same.text()]).toEqual([304, tag, ""]);
      }
      for (const header of [`W/${tag}`, '"x"', tag.slice(1, -1)])
        expect((await ask(w, header)).status).toBe(200);
      await w.given.comment();
      const next = await ask(w, tag);
      expect([next.status, next.headers.get("etag") === tag]).toEqual([200, false]);
    });

    test("is compared after reading only the end of the log, and no issue", async () => {
      const reads: string[] = [];
      const counted: typeof open = Object.assign(
        async (options: Parameters<typeof open>[0]) => counting(await open(options), reads),
        open,
      );
      const w = await world({ store: counted, pages: PAGES });
      await w.given.issue();
      reads.length = 0;
      const tag = (await ask(w)).headers.get("etag") ?? "";
      expect(new Set(reads).size).toBeGreaterThan(1);
      reads.length = 0;
      expect((await ask(w, tag)).status).toBe(304);
      expect(reads).toEqual(["events.head"]);
    });

    test("differs by what the caller may do, by the origin, and by whether the origin is stable", async () => {
      let may: "all" | "read" | "poll" | "person" = "all";
      let origin = PAGE_ORIGIN;
      let stable = true;
      const authenticate: Authenticate = (_event, right) => {
        if (may === "person") return { kind: "db_token", actor: "bea", local: false };
        const isRefused =
          (right === "write" && may !== "all") || (right === "stream" && may === "poll");
        if (isRefused) throw new SvcError("auth_required");
        return { kind: "none", local: true };
      };
      const pages = { origin: async () => ({ origin, stable }) };
      const w = await world({ store: open, pages, authenticate });
      const tags = new Set<string>();
      const capabilities: unknown[] = [];
      const look = async () => {
        const answer = await ask(w, [...tags].join(", "));
        expect(answer.status).toBe(200);
        tags.add(answer.headers.get("etag") ?? "");
        capabilities.push(((await answer.json()) as Output<typeof route>).capabilities);
      };
      for (may of ["all", "read", "poll", "person"] as const) await look();
      origin = "https://tracker.example.com";
      await look();
      stable = false;
      await look();
      expect(tags.size).toBe(6);
      const request = { writable: false, updates: "sse", actor_policy: "request" };
      expect(capabilities.slice(0, 4)).toEqual([
        { ...request, writable: true },
        request,
        { ...request, updates: "poll" },
        { writable: true, updates: "sse", actor_policy: "identity" },
      ]);
    });

    test("is not compared if the daemon serves no pages", async () => {
      const w = await world({ store: open });
      const refused = await w.refused(route, { headers: { "if-none-match": "*" } });
      expect(refused).toMatchObject({ code: "ui_unavailable" });
    });
  });

  test("is equal for equivalent requests, and differs for others", async () => {
    const w = await world({ store: open, pages: PAGES });
    const tag = async (query: Query) =>
      (await w.send(readUISnapshot, { query })).headers.get("etag");
    const same: readonly (readonly [Query, Query])[] = [
      [{}, { view: "Inbox", limit: 500, text: " " }],
      [{ owner: ["bea", "ann"] }, { owner: [" ann", "bea", "ann"] }],
      [{ label: ["ui", "bug"] }, { label: ["BUG", "ui"] }],
      [{ view: "all-open" }, { view: "all-open", status: ["open", "ready"], ...DAY }],
      [{ view: "any" }, { view: "any", status: ["closed", "open"] }],
      [{ view: "any" }, { view: "any", status: ["all", "ready"] }],
      [{ relationship: ["child", "parent"] }, { relationship: ["parent", "child", "child"] }],
      [{ text: "Login" }, { text: "login" }],
      [{ project_uid: UID }, { project_uid: UID.toLowerCase() }],
    ];
    for (const [one, other] of same)
      expect(await tag(other), JSON.stringify(other)).toBe(await tag(one));
    const all: readonly Query[] = [
      ...[{}, { view: "all-open" }, { view: "any" }, { view: "any", project_uid: UID }],
      ...[{ limit: 499 }, { owner: ["ann"] }, { label: ["ann"] }, { text: "ann" }],
      ...[{ status: ["ready" as const] }, { status: ["closed" as const] }],
      ...[{ include_graph: true }, { include_history: true }, { selected_issue_uid: UID }],
      ...[{ relationship: ["child" as const] }, { relationship: ["parent" as const] }],
      ...[
        { view: "today", ...DAY },
        { view: "today", ...DAY, local_date: "2026-03-11" },
      ],
      ...[
        { view: "today", ...DAY, time_zone: "UTC" },
        { view: "upcoming", ...DAY },
      ],
    ];
    const tags = new Set<string | null>();
    for (const query of all) tags.add(await tag(query));
    expect(tags.size).toBe(all.length);
  });

  test.each([
    [{ project_uid: UID.slice(1) }, "project_uid", {}],
    [{ project_uid: "web" }, "project_uid", {}],
    [{ selected_issue_uid: "web#abc4" }, "selected_issue_uid", { search_ref: "web#abc4" }],
    [{ selected_issue_uid: UID.slice(1) }, "selected_issue_uid", { search_ref: UID.slice(1) }],
    [{ status: ["parked" as never] }, "status[0]", {}],
    [{ relationship: ["sibling" as never] }, "relationship[0]", {}],
    [{ limit: 0 }, "limit", {}],
    [{ limit: 1001 }, "limit", {}],
    [{ view: "today", time_zone: "UTC" }, "local_date", {}],
    [{ view: "upcoming", local_date: "2026-03-10" }, "time_zone", {}],
    [{ view: "deadlines" }, "local_date", {}],
    [{ view: "Deadlines", ...DAY, local_date: "2026-02-29" }, "local_date", {}],
    [{ view: "today", ...DAY, local_date: "2026-03-10T00:00" }, "local_date", {}],
    [{ view: "today", ...DAY, time_zone: "Moon/Base" }, "time_zone", {}],
    [{ view: "today", ...DAY, time_zone: "+02:00" }, "time_zone", {}],
  ] as const)("is not computed for the invalid request %j", async (query, field, data) => {
    const w = await world({ store: open, pages: PAGES });
    const refused = await w.refused(readUISnapshot, { query: query as Query });
    expect(refused).toMatchObject({ code: "validation", data: { field, ...data } });
    expect(refused.message).toContain(field.split("[")[0]);
  });

  test("needs no valid day and zone if the view does not depend on them", async () => {
    const w = await world({ store: open, pages: PAGES });
    const query = { view: "logbook", local_date: "soon", time_zone: "Moon/Base" };
    expect((await w.send(readUISnapshot, { query })).status).toBe(200);
  });
});

/** The store, with every read of a table noted as `table.query`. */
function counting(store: AdminStore, reads: string[]): AdminStore {
  return seen(store, (name, value) => {
    if (name !== "read") return value.bind(store);
    const read: AdminStore["read"] = async (work) =>
      await store.read(async (reader) => await work(noted(reader, reads)));
    return read;
  });
}

function noted(reader: Reader, reads: string[]): Reader {
  return new Proxy(reader, {
    get: (target, table) => {
      const found: unknown = Reflect.get(target, table);
      if (typeof found !== "object" || found === null) return found;
      return seen(found, (name, value) => {
        return (...given: readonly unknown[]): unknown => {
          reads.push(`${String(table)}.${name}`);
          return Reflect.apply(value, found, given);
        };
      });
    },
  });
}

/** The object, with each of its functions changed. */
function seen<T extends object>(
  object: T,
  change: (name: string, value: (...given: never[]) => unknown) => unknown,
): T {
  return new Proxy(object, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? change(String(name), value as never) : value;
    },
  });
}
