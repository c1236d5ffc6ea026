import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * What axe finds wrong with a page: the rule, and the elements that break it. The script is evaluated by the debugger,
 * since the policy of the page allows no script that is not of its origin.
 */
export async function accessFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const run: unknown = Reflect.get(globalThis, "axe");
    const { violations } = await (run as typeof axe).run(document);
    return violations.map(({ id, nodes }) => {
      return `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`;
    });
  });
}

/** What axe finds wrong with a page, light and dark. */
export async function faultsInBothColours(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(async () => {
      const running = document.getAnimations().map(async ({ finished }) => await finished);
      await Promise.allSettled(running);
    });
    found.push(...(await accessFaults(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}
