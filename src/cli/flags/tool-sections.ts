import { nearest } from "../../shared/nearest.ts";
import { usage } from "../failure/failure.ts";

interface Flags {
  readonly load?: string | undefined;
  readonly "enable-token-admin": boolean;
  readonly "storage-root"?: string | undefined;
}

/**
 * Parses `--load` of `svc mcp serve`: names of sections of tools with commas between them, or `all`. Refuses a named
 * section if its tools need another flag that is missing. `all` leaves such sections out.
 */
export function toolSections<S extends string>(flags: Flags, known: readonly S[]): readonly S[] {
  if (flags.load === undefined) return [];
  const names = flags.load.split(",").map((name) => name.trim());
  if (names.includes("all")) return known;
  return names.map((name) => {
    const section = known.find((one) => one === name) ?? refuseUnknown(name, known);
    if (section === "tokens" && !flags["enable-token-admin"])
      throw usage("--load tokens needs --all-projects --enable-token-admin");
    if (section === "storage" && flags["storage-root"] === undefined)
      throw usage("--load storage needs --storage-root");
    return section;
  });
}

function refuseUnknown(name: string, known: readonly string[]): never {
  const near = nearest(name, known);
  const question = near === undefined ? "" : `, did you mean ${near}?`;
  throw usage(
    `--load: there is no section ${JSON.stringify(name)}${question}`,
    `the sections are ${known.join(", ")}`,
  );
}
