import type { FlagInput } from "@oclif/core/interfaces";

/** The `helpValue`s of flags whose value is a person's name; such a flag accepts `@me` and `me`. */
const NAME_PLACEHOLDERS: ReadonlySet<unknown> = new Set([
  "<owner>",
  "<author>",
  "<actor>",
  "<address>",
]);

/** Replaces `@me` and `me` by the caller's name, in the values of flags that take a name. */
export async function nameMe(
  flags: Record<string, unknown>,
  declared: FlagInput,
  meant: (name: string) => Promise<string>,
): Promise<void> {
  for (const [name, flag] of Object.entries(declared)) {
    if (flag.type !== "option" || !NAME_PLACEHOLDERS.has(flag.helpValue ?? "")) continue;
    const value = flags[name];
    if (typeof value === "string") flags[name] = await meant(value);
    if (!Array.isArray(value)) continue;
    const names: string[] = [];
    for (const one of value) names.push(await meant(String(one)));
    flags[name] = names;
  }
}
