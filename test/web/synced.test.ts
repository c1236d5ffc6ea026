import { expect } from "vitest";
import { filled, opened } from "./support/filled.ts";
import { webTest } from "./support/web.ts";

const inChromium = webTest({ context: { viewport: { width: 1280, height: 800 } } });

const URL = "https://github.com/ann/web/issues/12";

inChromium(
  "an issue that a code host owns has a link to the host's page, and its form names what the host owns",
  async ({ web }) => {
    const open = (await filled(web, "Wall")).get("Wall");
    let url = URL;
    const synced = () => ({ provider: "github", number: 12, url });
    // No code host is at hand, so the daemon's answers get what they have for an issue that sync reads.
    await web.context.route(
      /\/api\/v1\/(issues|projects\/1\/issues)\b[^/]*(\/[^/]*)?$/,
      async (route) => {
        if (route.request().method() !== "GET") return await route.fallback();
        const response = await route.fetch();
        const body = (await response.json()) as {
          readonly issue?: object;
          readonly issues?: readonly object[];
        };
        const { issue, issues } = body;
        const json = {
          ...body,
          ...(issue === undefined ? {} : { issue: { ...issue, synced: synced() } }),
          ...(issues === undefined
            ? {}
            : { issues: issues.map((one) => ({ ...one, synced: synced() })) }),
        };
        await route.fulfill({ response, json });
      },
    );
    const page = await opened(web, `/svc?issue=${open}`);
    const link = page.locator(".facts").getByRole("link", { name: "GitHub #12" });
    await link.waitFor();
    await page.locator(".row .title").getByText("GitHub #12").first().waitFor();
    expect(await link.getAttribute("href")).toBe(URL);
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    await page.keyboard.press("e");
    await page.locator("dialog .hint").getByText("GitHub #12 owns title and text").waitFor();
    url = "javascript:alert(1)";
    const other = await opened(web, `/svc?issue=${open}`);
    await other.locator(".facts").getByText("GitHub #12").waitFor();
    expect(await other.locator(".facts").getByRole("link", { name: "GitHub #12" }).count()).toBe(0);
  },
);
