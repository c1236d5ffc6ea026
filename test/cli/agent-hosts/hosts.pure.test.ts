import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hostTable } from "../../../bench/support/hosts/table.ts";
import { HOST_NAMES } from "../../../src/cli/agent-hosts/hosts.ts";
import { serveFlags, TRIED } from "../../../src/cli/agent-hosts/tried.ts";

describe("the table of agent hosts", () => {
  test("is the same in docs/mcp.md as in the code (npm run bench -- mcp-hosts write updates docs/mcp.md)", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/mcp.md"), "utf8");
    expect(page).toContain(`\n\n${hostTable(TRIED)}\n\n`);
  });

  test("names each host once, by the name that --client takes", () => {
    const clients = TRIED.flatMap(({ client }) => client ?? []);
    expect(new Set(clients).size).toBe(clients.length);
    expect(HOST_NAMES).toEqual(expect.arrayContaining(clients));
  });

  test("gives a host that was not tried every flag that any host needs", () => {
    const all = new Set(TRIED.flatMap(({ client }) => serveFlags(client)));
    expect(serveFlags("emacs")).toEqual(expect.arrayContaining([...all]));
    expect(serveFlags("emacs")).toContain("--content");
  });
});
