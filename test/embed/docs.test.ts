import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { freePort } from "../support/free-port.ts";
import { accessFaults } from "../web/support/axe.ts";
import { browser } from "../web/support/chromium.ts";
import { watchFaults } from "../web/support/faults.ts";
import { CHROMIUM } from "../web/support/installed-chromium.ts";
import { type Served, serveLived } from "./support/answers.ts";
import { projectWithPackage } from "./support/unpacked.ts";

const root = join(import.meta.dirname, "..", "..");
const docs = readFileSync(join(root, "docs", "embedding.md"), "utf8");
/** The files of docs/embedding.md: their names stand behind the languages of the examples. */
const files = new Map(
  [...docs.matchAll(/^```\w+ ([\w.-]+)\n(.*?)^```/gms)].map(([, name = "", text = ""]) => [
    name,
    text,
  ]),
);

let folder: string;
let served: Served;
let server: ChildProcess | undefined;
let origin: string;

/** Installs the packed package beside the files of the page, and starts the example server with a real daemon. */
beforeAll(async () => {
  folder = projectWithPackage();
  const publicFolder = join(folder, "public");
  mkdirSync(publicFolder);
  for (const [name, text] of files)
    writeFileSync(join(/\.tsx?$/.test(name) ? folder : publicFolder, name), text);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  await build({
    absWorkingDir: folder,
    entryPoints: ["react-page.tsx"],
    outdir: publicFolder,
    bundle: true,
    splitting: true,
    format: "esm",
    jsx: "automatic",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
  });
  writeFileSync(join(publicFolder, "react.html"), REACT_HTML);
  served = await serveLived();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  server = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server.ts"], {
    cwd: folder,
    env: {
      PATH: dirname(process.execPath),
      HOME: folder,
      SVC_HOME: served.home,
      XDG_RUNTIME_DIR: join(served.home, "..", "run"),
      PORT: String(port),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await isAnswering(origin))) await systemClock.sleep(50);
}, 240_000);

afterAll(async () => {
  if (server !== undefined) {
    server.kill();
    await once(server, "exit");
  }
  await served.end();
});

const REACT_HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" /><title>An issue</title>
  <link rel="stylesheet" href="/page.css" />
  <script type="module" src="/react-page.js"></script></head>
  <body><div id="root"></div></body></html>`;

async function isAnswering(address: string): Promise<boolean> {
  if (server?.exitCode !== null) throw new Error("the server of the example ended");
  return await fetch(address).then(
    () => true,
    () => false,
  );
}

test("the examples of docs/embedding.md are the ones tested here", () => {
  expect([...files.keys()]).toEqual([
    "server.ts",
    "index.html",
    "page.css",
    "page.js",
    "react-page.tsx",
  ]);
});

test("the custom properties that docs/embedding.md names are those of the styles", () => {
  const styles = readFileSync(join(root, "web", "styles", "tokens.css"), "utf8");
  const namesIn = (text: string) => [...new Set(text.match(/--svc-[a-z0-9-]*[a-z0-9]/g))].sort();
  const [, section = ""] = docs.split("\n## How it looks\n");
  expect(namesIn(section)).toEqual(namesIn(styles));
});

test("the sizes that docs/embedding.md names are those of the package", () => {
  const [, first = "", markdown = ""] =
    /weighs (\d+) KiB as gzip, and (\d+) KiB more/.exec(docs) ?? [];
  const built = join(folder, "node_modules", "svc", "dist", "ui");
  const sizeOf = (part: string): number => {
    const name = readdirSync(built).find((file) => file.startsWith(part)) ?? "";
    return gzipSync(readFileSync(join(built, name)), { level: 9 }).length / 1024;
  };
  expect(Math.abs(sizeOf("ui.js") - Number(first))).toBeLessThan(1);
  expect(Math.abs(sizeOf("html-") - Number(markdown))).toBeLessThan(1);
});

test.each([
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
])(
  "a strict TypeScript project uses the types with the module resolution %s",
  (resolution, module) => {
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ noEmit: true, target: "es2023", jsx: "react-jsx", module, moduleResolution: resolution },
      ...{ lib: ["es2023", "dom", "dom.iterable"], types: ["node"], skipLibCheck: false },
    };
    writeFileSync(join(folder, "strict.ts"), STRICT);
    const project = join(folder, `tsconfig.${resolution}.json`);
    const sources = ["server.ts", "react-page.tsx", "strict.ts"];
    writeFileSync(project, JSON.stringify({ compilerOptions, files: sources }));
    const tsc = join(root, "node_modules", "@typescript", "native", "bin", "tsc");
    let said = "";
    try {
      said = execFileSync(process.execPath, [tsc, "--project", project], { encoding: "utf8" });
    } catch (error) {
      said = String((error as { readonly stdout: unknown }).stdout);
    }
    expect(said).toBe("");
  },
  120_000,
);

/** Each line that `@ts-expect-error` stands above has to be refused. */
const STRICT = `
import type { health, listAllIssues, listIssueEvents, Output, showIssueByUID } from "svc/contract";
import { supportsApiSchema, type SvcIssueElement, type SvcIssueProperties } from "svc/ui";

export function give(
  issue: Output<typeof showIssueByUID>,
  events: Output<typeof listIssueEvents>,
  peers: Output<typeof listAllIssues>,
  said: Output<typeof health>,
): SvcIssueProperties {
  return { issue, events, peers, comments: issue, health: said };
}
const element: SvcIssueElement = document.createElement("svc-issue");
element.addEventListener("svc-reference", ({ detail }) => {
  const uid: string | undefined = detail.uid;
  // @ts-expect-error the uid may be missing
  const text: string = detail.uid;
  console.log(uid, text, detail.name.length);
});
const follow = ({ detail }: CustomEvent<{ readonly name: string }>) => console.log(detail.name);
element.addEventListener("svc-label", follow);
element.removeEventListener("svc-label", follow);
element.addEventListener("click", ({ clientX }) => console.log(clientX));
// @ts-expect-error an issue is an answer of show
element.issue = { title: "x" };
// @ts-expect-error there is no such property
element.token = "x";
element.issue = null;
const isShown: boolean = supportsApiSchema(undefined);
// @ts-expect-error a version is a text
supportsApiSchema(22);
console.log(isShown);
`;

test("the example server reads all events of an issue, also where they are more than an answer has by default", async () => {
  const { body: found } = await served.call("GET", `/issues/${served.uid}`);
  const { project_id } = (found as { readonly issue: { readonly project_id: number } }).issue;
  const issues = `/projects/${project_id}/issues`;
  const made = await served.call("POST", issues, { title: "Title 0", actor: "ann" });
  const { uid } = (made.body as { readonly issue: { readonly uid: string } }).issue;
  for (let edit = 1; edit <= 120; edit++)
    await served.call("PATCH", `${issues}/${uid}`, { title: `Title ${edit}`, actor: "ann" });
  const answers = (await (await fetch(`${origin}/issues/${uid}.json`)).json()) as Given;
  expect(answers.events.events).toHaveLength(121);
  expect(answers.events.events.at(-1)?.payload).toMatchObject({ title: "Title 120" });
});

interface Given {
  readonly events: { readonly events: readonly { readonly payload: object }[] };
}

describe("in Chromium", () => {
  const pages = [
    ["the plain page", "/"],
    ["the React page", "/react.html"],
  ] as const;

  test.skipIf(CHROMIUM === undefined).each(pages)(
    "%s shows the issue that its server fetches, and follows a click to another",
    async (name, path) => {
      const context = await (await browser()).newContext({ baseURL: origin });
      try {
        const faults = await watchFaults(context, origin);
        const page = await context.newPage();
        await page.goto(`${path}#${served.uid}`);
        await page.getByRole("heading", { name: "Pour the foundation" }).waitFor();
        await page.getByText("The quay wall has to bear").waitFor();
        expect(await accessFaults(page)).toEqual([]);
        await takePictures(page, name);
        if (name === "the React page") {
          await page.getByRole("button", { name: "stone" }).click();
          await page.getByText("You asked for the label stone.").waitFor();
        } else {
          await page.getByRole("button", { name: "bo", exact: true }).first().click();
          await page.getByText("You asked for bo.").waitFor();
          await page.getByRole("link", { name: "#none" }).click();
          await page.getByText("You asked for harbour#none.").waitFor();
        }
        await page.getByRole("link", { name: "Set up the crane" }).first().click();
        await page.getByRole("heading", { name: "Set up the crane" }).waitFor();
        await page.getByRole("tab", { name: "History" }).click();
        await page.getByText("created it: Set up the crane").waitFor();
        expect(faults.seen).toEqual([]);
      } finally {
        await context.close();
      }
    },
    120_000,
  );
});

/** Takes pictures of the page into the folder that SVC_PICTURES names, for a person to look at. */
async function takePictures(page: Page, name: string): Promise<void> {
  const into = process.env["SVC_PICTURES"];
  if (into === undefined) return;
  for (const width of [390, 1280])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const path = join(into, `${name.replaceAll(" ", "-")}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
}
