/**
 * Takes the pictures of docs/pictures: the main views of the page, on a phone, a tablet, a laptop and a large screen,
 * light and dark. They are for people to look at: what is a page for, what is loud that should be quiet. It needs a
 * build.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { daemonProcess } from "../../support/daemon-process.ts";
import { freePort } from "../../support/free-port.ts";
import { lived } from "./lived.ts";
import { goTo, placesOf } from "./places.ts";

const OUT = join(import.meta.dirname, "..", "..", "..", "docs", "pictures");
const SIZES = [
  { width: 360, height: 720 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1440 },
];
const VIEWS = ["board", "lanes", "detail", "graph", "inbox", "fleet"];
/** A picture in the repository is not larger. */
const MAX_BYTES = 100 * 1024;

/** Whether the page follows the daemon and has all of the issue in view; runs in the page. */
function isComplete(): boolean {
  const connection = document.querySelector<HTMLElement>(".connection");
  const tabs = document.querySelector(".detail .tabs");
  const isLive = connection === null || connection.dataset["status"] === "live";
  return isLive && (tabs === null || /\d/.test(tabs.textContent));
}

const TOKEN = "a-token-that-only-the-pictures-know-0000";

async function take(page: Page, name: string): Promise<void> {
  const chromiumPage = await page.context().newCDPSession(page);
  // A screenshot of Playwright is never WebP, which takes a third of the bytes of a PNG.
  const asked = { format: "webp", quality: 85 } as const;
  const { data } = await chromiumPage.send("Page.captureScreenshot", asked);
  const bytes = Buffer.from(data, "base64");
  const path = join(OUT, `${name}.webp`);
  if (bytes.length > MAX_BYTES)
    throw new Error(`${path} has ${bytes.length} bytes, more than ${MAX_BYTES}`);
  writeFileSync(path, bytes);
}

const folder = mkdtempSync(join(tmpdir(), "svc-pictures-"));
mkdirSync(join(folder, "asking", "home"), { recursive: true, mode: 0o700 });
writeFileSync(
  join(folder, "asking", "home", "config.toml"),
  `[auth]\ntoken = "${TOKEN}"\nrequire_token_identity = true\n`,
  { mode: 0o600 },
);
/** The daemon's own listener for pages, which its owner opens without a token. */
const pages = `127.0.0.1:${await freePort()}`;
mkdirSync(join(folder, "home"), { mode: 0o700 });
writeFileSync(join(folder, "home", "config.toml"), `[web]\nlisten = "${pages}"\n`, { mode: 0o600 });
const daemon = await daemonProcess({ folder, args: ["--listen", "127.0.0.1:0"] });
const origin = `http://${pages}`;
/** A daemon whose page asks for a token. */
const asking = await daemonProcess({
  folder: join(folder, "asking"),
  args: ["--listen", "127.0.0.1:0"],
});
const browser = await chromium.launch({
  executablePath: process.env["SVC_TEST_CHROMIUM"] ?? "/usr/bin/chromium",
  chromiumSandbox: false,
  args: ["--disable-gpu", "--disable-quic", "--disable-background-networking"],
});
try {
  const { uid } = await lived({
    call: async (method, path, body) => {
      const headers = { "content-type": "application/json" };
      const asked = { method, headers, body: JSON.stringify(body) };
      const answer = await fetch(`http://${daemon.endpoint.address}/api/v1${path}`, asked);
      return { status: answer.status, body: await answer.json() };
    },
  });
  mkdirSync(OUT, { recursive: true });
  for (const viewport of SIZES)
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ baseURL: origin, viewport, colorScheme });
      await context.addInitScript(() => {
        if (location.protocol === "http:") localStorage.setItem("svc.actor", "ann");
      });
      const page = await context.newPage();
      const name = (place: string): string => `${place}-${viewport.width}-${colorScheme}`;
      for (const place of placesOf(uid).filter(({ name }) => VIEWS.includes(name))) {
        await goTo(page, place);
        await page.waitForFunction(isComplete);
        await take(page, name(place.name));
      }
      await page.goto(`http://${asking.endpoint.address}/svc`);
      await page.locator("input[type=password]").waitFor();
      await take(page, name("login"));
      await context.close();
    }
} finally {
  await browser.close();
  await Promise.all([daemon.end("SIGTERM"), asking.end("SIGTERM")]);
  rmSync(folder, { recursive: true, force: true });
}
