import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";
import { openApiYaml } from "../../src/contract/openapi/text.ts";
import { sqliteDatabase } from "../support/store.ts";
import { world } from "../support/world.ts";

/** A program that uses the generated client. The compiler checks the names, the fields and the answers. */
const PROGRAM = `
import { client } from "./client/client.gen.js";
import { createIssue, listIssues, setIssuePriority, showIssue, whyIssue } from "./client/sdk.gen.js";
import type { IssueOut } from "./client/types.gen.js";

export async function work(fetch: typeof globalThis.fetch, project_id: number) {
  client.setConfig({ baseUrl: "http://localhost", fetch });
  const created = await createIssue({
    path: { project_id },
    body: { title: "written by a generated client", labels: ["made"], priority: 1, actor: "gen" },
    throwOnError: true,
  });
  const issue: IssueOut = created.data.issue;
  const path = { project_id, ref: issue.uid };
  await setIssuePriority({ path, body: { priority: null, actor: "gen" }, throwOnError: true });
  const listed = await listIssues({
    path: { project_id },
    query: { label: ["made"], status: "open" },
    throwOnError: true,
  });
  const why = await whyIssue({ path, throwOnError: true });
  const missing = await showIssue({ path: { project_id, ref: "zzzz" } });
  return {
    titles: listed.data.issues.map(({ title }) => title),
    priority: listed.data.issues[0]?.priority,
    ready: why.data.ready,
    refusal: missing.error?.error.code,
  };
}
`;

test("a client generated from the 3.0 document compiles and talks to the daemon", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-generated-"));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  writeFileSync(join(folder, "openapi.yaml"), openApiYaml("3.0"));
  await createClient({
    input: join(folder, "openapi.yaml"),
    output: join(folder, "client"),
    plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
    logs: { level: "silent" },
  });
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  writeFileSync(join(folder, "package.json"), `{"type":"module"}`);
  expect(compile(folder)).toEqual([]);

  const w = await world({ store: (await sqliteDatabase()).open });
  const project = await w.given.project();
  const { work } = await import(pathToFileURL(join(folder, "program.js")).href);
  expect(await work(async (request: Request) => await w.app.fetch(request), project.id)).toEqual({
    titles: ["written by a generated client"],
    priority: undefined,
    ready: true,
    refusal: "issue_not_found",
  });
});

test("a program that misuses the generated client does not compile", async () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-generated-"));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  writeFileSync(join(folder, "openapi.yaml"), openApiYaml("3.0"));
  await createClient({
    input: join(folder, "openapi.yaml"),
    output: join(folder, "client"),
    plugins: ["@hey-api/typescript"],
    logs: { level: "silent" },
  });
  writeFileSync(
    join(folder, "program.ts"),
    `import type { CreateIssueRequest } from "./client/types.gen.js";
     export const body: CreateIssueRequest = { title: 5, unknown: true };`,
  );
  expect(compile(folder).join("\n")).toMatch(/'number' is not assignable to type 'string'/);
});

/** Compiles in place, with the strict options that the generated code is meant for. Returns the problems. */
function compile(folder: string): readonly string[] {
  const program = ts.createProgram([join(folder, "program.ts")], {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  return problems.map(({ messageText, file }) => {
    return `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}
