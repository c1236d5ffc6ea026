import type { FlagInput } from "@oclif/core/interfaces";
import { ME } from "../contract/reserved-actors.ts";

/** The `helpValue`s of flags whose value is a person's name; such a flag accepts `@me`. */
const NAMES: ReadonlySet<unknown> = new Set(["<owner>", "<author>", "<actor>", "<address>"]);

export async function nameMe(
  flags: Record<string, unknown>,
  declared: FlagInput,
  actor: () => Promise<string>,
): Promise<void> {
  for (const [name, flag] of Object.entries(declared)) {
    if (flag.type !== "option" || !NAMES.has(flag.helpValue ?? "")) continue;
    const value = flags[name];
    if (value === ME) flags[name] = await actor();
    if (!Array.isArray(value) || !value.includes(ME)) continue;
    const me = await actor();
    flags[name] = value.map((one) => (one === ME ? me : one));
  }
}
