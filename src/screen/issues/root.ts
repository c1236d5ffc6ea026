import type { Issue } from "./issues.ts";

/** The connector of the root, and whether the bridge to it is paused. */
export function rootText({
  connector_instance,
  enabled,
}: NonNullable<Issue["external_root"]>): string {
  return `${short(connector_instance)}${enabled ? "" : ", paused"}`;
}

/**
 * Why one of the issues keeps its title and text and cannot be deleted: a record of another tracker, its root, owns
 * them. `undefined` if none of them has a root.
 */
export function whyOwned(
  issues: readonly Pick<Issue, "qualified_id" | "external_root">[],
): string | undefined {
  for (const { qualified_id: name, external_root: root } of issues)
    if (root !== undefined)
      return `the root of ${name} in ${short(root.connector_instance)} owns title and text: they are changed there`;
  return undefined;
}

/** Blanks, control characters, and marks that change the direction of the text behind them. */
const APART = /[\s\p{Cc}\p{Bidi_Control}]+/gu;
const TOO_LONG = /^(.{160}).+/u;

/** A text of another program or person on one line, cut after 160 characters. */
export function short(text: string): string {
  return text.replaceAll(APART, " ").trim().replace(TOO_LONG, "$1...");
}
