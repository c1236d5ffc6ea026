import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { CHANGED_FILES, type Change } from "../scripts/build/changed-packages.ts";
import { Headers as LateHeaders } from "../scripts/build/h3/headers.ts";
import { FETCH_WHEN_USED } from "../scripts/build/h3.ts";
import { changed, PackageTexts } from "../scripts/build/packages.ts";

const folder = mkdtempSync(path.join(tmpdir(), "svc-packages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PACKAGE = path.join(folder, "node_modules", "some", "index.js");
const OWN = path.join(folder, "own.js");
mkdirSync(path.dirname(PACKAGE), { recursive: true });
writeFileSync(PACKAGE, 'console.log("old")');
writeFileSync(OWN, 'console.log("ours")');

async function bundled(
  plugins: readonly Plugin[],
  listed: ConstructorParameters<typeof PackageTexts>[0] = [],
): Promise<string> {
  const texts = new PackageTexts(listed);
  const stdin = { contents: 'import "some"; import "./own.js";', resolveDir: folder };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    write: false,
    logLevel: "silent",
    plugins: texts.guard(plugins),
  });
  texts.assertAllMet();
  return outputFiles[0]?.text ?? "";
}

function rewriting(filter: RegExp): Plugin {
  return {
    name: "rewriting",
    setup: (builds) => builds.onLoad({ filter }, () => ({ contents: 'console.log("new")' })),
  };
}

function listed(file: RegExp, ...changes: readonly Change[]) {
  return [{ package: "some", file, changes, gain: "", until: "" }];
}

describe("the source text of a dependency", () => {
  test("is changed in the build only if the dependency is Ink", () => {
    expect(CHANGED_FILES.map((entry) => entry.package)).toEqual(["ink"]);
  });

  test("goes into a bundle unchanged", async () => {
    expect(await bundled([])).toContain('"old"');
  });

  test("cannot be changed by a plugin, while our own files can", async () => {
    await expect(bundled([rewriting(/some.index\.js$/)])).rejects.toThrow(
      `rewriting changes the text of ${PACKAGE}`,
    );
    const text = await bundled([rewriting(/own\.js$/)]);
    expect(text).toContain('"new"');
    expect(text).toContain('"old"');
  });

  test("cannot be changed by a plugin under another name or in the finished bundle", async () => {
    const renaming: Plugin = {
      name: "renaming",
      setup: (builds) => {
        builds.onResolve({ filter: /^some$/ }, () => ({ path: PACKAGE, namespace: "copy" }));
        builds.onLoad({ filter: /./, namespace: "copy" }, () => ({
          contents: `${"/".repeat(1000)}\nconsole.log("new")`,
        }));
      },
    };
    await expect(bundled([renaming])).rejects.toThrow(`renaming changes the text of ${PACKAGE}`);
    const ending: Plugin = { name: "ending", setup: (builds) => builds.onEnd(() => undefined) };
    await expect(bundled([ending])).rejects.toThrow("ending looks at what is built");
  });

  test("is changed as the list of changes says", async () => {
    expect(await bundled([], listed(/some.index\.js$/, ["old", "new"]))).toContain('"new"');
  });

  test("fails the build if the text or the file of a listed change is gone", async () => {
    await expect(bundled([], listed(/some.index\.js$/, ["older", ""]))).rejects.toThrow(
      "index.js no longer has older",
    );
    await expect(bundled([], listed(/moved\.js$/))).rejects.toThrow(
      String.raw`no bundle has a file that is /moved\.js$/`,
    );
  });

  test("is changed everywhere a text occurs, and once where a pattern matches", () => {
    expect(changed("file", "one two one", [["one", "1"]])).toBe("1 two 1");
    expect(changed("file", "one two one", [[/one/, "<$&>"]])).toBe("<one> two one");
    expect(() => changed("file", "one two", [[/^two/, ""]])).toThrow("file no longer has /^two/");
  });
});

describe("the Headers class that the build gives h3", () => {
  const kinds = { "Node's": Headers, "the late ones": LateHeaders };
  const filled = (kind: typeof Headers): Headers => {
    const headers = new kind({ Accept: "text/html", "X-One": "1" });
    headers.append("accept", "text/plain");
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    headers.set("x-two", "2");
    headers.delete("x-one");
    return headers;
  };
  const seen = (headers: Headers): unknown => {
    const each: unknown[] = [];
    headers.forEach((value, name) => each.push([name, value]));
    return {
      each,
      pairs: [...headers],
      entries: [...headers.entries()],
      keys: [...headers.keys()],
      values: [...headers.values()],
      cookies: headers.getSetCookie(),
      got: [headers.get("Accept"), headers.get("x-one"), headers.has("X-Two"), headers.has("no")],
      sent: [...new Response(null, { headers }).headers],
      copied: [...new LateHeaders(headers)],
    };
  };

  test("behaves as Node's own", () => {
    expect(seen(filled(LateHeaders))).toEqual(seen(filled(Headers)));
    expect(() => new LateHeaders({ "no name": "1" }).get("a")).toThrow(TypeError);
  });

  test.each(Object.entries(kinds))("has headers of this class as instances: %s", (_name, kind) => {
    expect(filled(kind)).toBeInstanceOf(LateHeaders);
    expect({}).not.toBeInstanceOf(LateHeaders);
  });

  test("lets h3 load no fetch implementation before a response is created", async () => {
    const contents = `import { H3 } from "h3";
      const loaded = () => process.moduleLoadList.some((name) => name.includes("undici/undici"));
      const app = new H3().get("/", () => "hello");
      const before = loaded();
      Promise.resolve(app.fetch(new Request("http://localhost/"))).then(async (answer) => {
        console.log(before, loaded(), await answer.text());
      });`;
    const run = async (options: BuildOptions): Promise<string> => {
      const outfile = path.join(folder, "h3.cjs");
      const stdin = { contents, resolveDir: path.join(import.meta.dirname, "../src/daemon") };
      await build({
        stdin,
        outfile,
        bundle: true,
        platform: "node",
        logLevel: "error",
        ...options,
      });
      return execFileSync(process.execPath, [outfile], { encoding: "utf8" }).trim();
    };
    const define = { "import.meta.url": "__filename" };
    expect(await run({ define, ...FETCH_WHEN_USED })).toBe("false true hello");
    expect(await run({ define })).toBe("true true hello");
  });
});
