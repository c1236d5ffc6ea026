import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { boundedJson } from "../../src/cli/output/bounded-json.ts";
import { LOCAL_HOST } from "../../src/client/host.ts";
import { JSON_BUDGET_BYTES } from "../../src/contract/list-budget.ts";
import { projectWorld } from "./harness.ts";

/** An older daemon, without the parameters that limit answers: it ignores them, and its health reports its version. */
async function older() {
  const w = await projectWorld();
  const { endpoint } = w.daemon;
  const socketPath = endpoint.network === "unix" ? endpoint.address : "";
  const server = createServer((from, to) => {
    const url = new URL(from.url ?? "", "http://svc.invalid");
    for (const name of ["fields", "max_bytes", "after", "takeable_by", "order"])
      url.searchParams.delete(name);
    const headers = { ...from.headers, host: LOCAL_HOST };
    const path = `${url.pathname}${url.search}`;
    const on = request({ socketPath, method: from.method, path, headers }, (answer) => {
      if (!url.pathname.endsWith("/health")) {
        answer.pipe(to.writeHead(answer.statusCode ?? 0, answer.headers));
        return;
      }
      let body = "";
      answer.on("data", (piece) => (body += String(piece)));
      answer.on("end", () => {
        const { "content-length": _, ...rest } = answer.headers;
        to.writeHead(answer.statusCode ?? 0, rest);
        to.end(JSON.stringify({ ...JSON.parse(body), api_schema_version: "0.14.0" }));
      });
    });
    from.pipe(on);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const env = { SVC_SERVER: `http://127.0.0.1:${port}` };
  return { ...w, old: { env } };
}

test("svc search refuses filters that an older daemon would ignore", async () => {
  const w = await older();
  const ref = await w.issue("falcon");
  for (const flags of [
    ["--status", "open"],
    ["--owner", "ann"],
    ["--unowned"],
    ["--author", "ann"],
    ["--priority", "1"],
    ["--max-priority", "1"],
    ["--parent", ref],
    ["--changed-since", "7d"],
    ["--no-blocked"],
    ["--meta", "area"],
  ]) {
    const { err, code } = await w.refused(["search", "falcon", ...flags], w.old);
    expect(code).toBe(7);
    expect(err).toContain("update the daemon");
  }
  for (const flags of [
    ["--status", "all"],
    ["--label", "bug"],
  ])
    await w.ok(["search", "falcon", ...flags], w.old);
});

describe("the JSON answer of a daemon that has no budgets", () => {
  test("is shortened by the client, has no bodies, and offers no cursor that could not be used", async () => {
    const w = await older();
    for (let n = 0; n < 40; n++)
      await w.issue(`n ${n}`, "--body", "long ".repeat(600), "--label", "x".repeat(64));
    const json = async (...words: string[]) => JSON.parse(await w.ok([...words, "--json"], w.old));
    for (const command of [["list"], ["ready"], ["list", "--all"], ["search", "n"]]) {
      const asked = [...command, "--json"];
      // A search gives 20 rows by default, and an older daemon does not say that there are more.
      const isFull = command[0] === "search";
      const answer = JSON.parse(isFull ? await w.cut(asked, w.old) : await w.ok(asked, w.old));
      const [row] = answer.issues ?? answer.results;
      expect(row.issue ?? row).not.toHaveProperty("body");
      const full = await w.cut([...command, "--full", "--json"], w.old);
      expect(Buffer.byteLength(full)).toBeLessThanOrEqual(JSON_BUDGET_BYTES);
    }
    const cut = JSON.parse(await w.cut(["list", "--max-bytes", "5000", "--json"], w.old));
    expect(cut).toMatchObject({ truncated: true, count: cut.issues.length });
    expect(cut).not.toHaveProperty("next_after");
    expect((await json("list", "--full", "--max-bytes", "0")).issues).toHaveLength(40);
    expect((await json("next")).issue).not.toHaveProperty("body");
    for (const flags of [
      ["--after", "2026-01-01T00:00:00.000Z_1"],
      ["--fields", "id", "--json"],
    ]) {
      const { err, code } = await w.refused(["list", ...flags], w.old);
      expect(code).toBe(7);
      expect(err).toContain("update the daemon");
    }
  });

  test("a shortened answer of events is continued after the last event that was kept", async () => {
    const w = await older();
    for (let n = 0; n < 40; n++) await w.issue(`n ${n}`, "--body", "long ".repeat(300));
    const ids: number[] = [];
    for (let after = 0; ; ) {
      const words = ["events", "--json", "--after", String(after), "--max-bytes", "9000"];
      const { out, err } = await w.run(words, w.old);
      const page = JSON.parse(out);
      expect(err.startsWith("... showing ")).toBe(page.truncated === true);
      if (page.events.length === 0) break;
      ids.push(...page.events.map(({ event_id }: { event_id: number }) => event_id));
      after = page.next_after_id;
    }
    expect(ids).toEqual(Array.from({ length: 42 }, (_, n) => n + 1));
  });
});

describe("a JSON answer that the client shortens", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, n: 1 }));

  test("an answer that fits stays the same byte for byte", () => {
    const json = '{"a":1.0,"rows":[{"n":1e400}]}';
    expect(boundedJson(json, { bytes: 1000 })).toBe(json);
    expect(boundedJson(json, { bytes: undefined })).toBe(json);
    expect(boundedJson(json, { bytes: 1000, without: "body" })).toBe(json);
  });

  test("keeps the first rows, an equal number of each parallel list, and the spelling of numbers", () => {
    const json = `{"v":1.0,"nodes":${JSON.stringify(rows(500))},"edges":${JSON.stringify(rows(500))},"few":[1]}`;
    const text = boundedJson(json, { bytes: 2000 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000);
    const { nodes, edges, few, count, truncated } = JSON.parse(text);
    expect(text).toContain('"v":1.0,');
    expect(truncated).toBe(true);
    expect(count).toBe(nodes.length);
    expect(nodes.length).toBeGreaterThan(20);
    expect(Math.abs(nodes.length - edges.length)).toBeLessThan(3);
    expect(few).toEqual([1]);
  });

  test("is cut inside a row if that row is too large, and keeps at least one row", () => {
    const deep = { reasons: [{ reason: "blocked", blockers: rows(500) }] };
    const text = boundedJson(JSON.stringify(deep), { bytes: 1000 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000);
    expect(JSON.parse(text).reasons[0].blockers.length).toBeGreaterThan(10);
    const one = boundedJson(JSON.stringify({ rows: [{ body: "x".repeat(500) }, 2] }), {
      bytes: 99,
    });
    expect(JSON.parse(one)).toEqual({
      rows: [{ body: "x".repeat(500) }],
      count: 1,
      truncated: true,
    });
  });
});
