import { expect } from "vitest";
import { openAs } from "./support/sign-in.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest();

inChromium(
  "no secret of a session is in the address, the history or the storage",
  async ({ web }) => {
    await web.call("POST", "/projects", { name: "web", actor: "ann" });
    await web.call("POST", "/projects/1/issues", { title: "An issue", actor: "ann" });
    const secrets: string[] = [];
    web.context.on("response", (answer) => {
      if (!answer.url().includes("/ui/session/")) return;
      void answer.json().then(({ session, csrf }: { session: string; csrf: string }) => {
        secrets.push(session, csrf);
      });
    });
    const page = await openAs(web, "ann");
    await page.getByText("An issue").first().waitFor();
    await expect.poll(() => secrets.length).toBe(2);
    const kept = await page.evaluate(async () => {
      const databases = await indexedDB.databases();
      const stored = [localStorage, sessionStorage].map((storage) => Object.entries(storage));
      const told: unknown = history.state;
      const cached = await caches.keys();
      return JSON.stringify({ databases, stored, told, cached, at: location.href });
    });
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(40);
      expect(kept).not.toContain(secret);
    }
    const cookies = await web.context.cookies();
    // One of the session, and one that proves that the owner of the machine opened the page.
    expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([
      [true, "Strict"],
      [true, "Strict"],
    ]);
    expect(await page.evaluate(() => document.cookie)).toBe("");
  },
);

inChromium("no answer with issues is in the browser's cache", async ({ web }) => {
  await web.call("POST", "/projects", { name: "web", actor: "ann" });
  await web.call("POST", "/projects/1/issues", { title: "An issue", actor: "ann" });
  const headers: (string | undefined)[] = [];
  web.context.on("response", (answer) => {
    const told = answer.headers();
    // A stream has no end, and is kept by no cache.
    if (told["content-type"] === "text/event-stream") return;
    if (new URL(answer.url()).pathname.startsWith("/api/")) headers.push(told["cache-control"]);
  });
  const page = await openAs(web, "ann");
  await page.getByText("An issue").first().waitFor();
  expect(headers.length).toBeGreaterThan(1);
  expect(new Set(headers)).toEqual(new Set(["private, no-store"]));
});
