import type { BrowserContext, ConsoleMessage } from "playwright-core";

/** What no page may do. A test fails if any of its pages did. */
export interface Faults {
  /** Errors of the console and of scripts, refusals by the policy, and requests to other origins. */
  readonly seen: string[];
  /** Answers with a status of 400 and above, which a test may expect: `GET /api/v1/x 401`. */
  readonly refused: string[];
}

/** Watches all pages of a context, those that are opened later too. */
export async function watchFaults(context: BrowserContext, origin: string): Promise<Faults> {
  const faults: Faults = { seen: [], refused: [] };
  await context.exposeFunction(REPORT, (what: string) => void faults.seen.push(`policy: ${what}`));
  await context.addInitScript((report) => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      const tell: unknown = Reflect.get(globalThis, report);
      if (typeof tell === "function") tell(`${violatedDirective} ${blockedURI}`);
    });
  }, REPORT);
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`)) faults.seen.push(`request: ${url}`);
  });
  context.on("response", (response) => {
    if (response.status() < 400) return;
    const { pathname } = new URL(response.url());
    faults.refused.push(`${response.request().method()} ${pathname} ${response.status()}`);
  });
  context.on("console", (message) => {
    if (isFault(message)) faults.seen.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => void faults.seen.push(`script: ${error.error().message}`));
  return faults;
}

/** The browser also writes an error for every answer of 400 and above; these are in `refused`. */
function isFault(message: ConsoleMessage): boolean {
  return message.type() === "error" && !message.text().startsWith("Failed to load resource:");
}

const REPORT = "svcTestReport";
