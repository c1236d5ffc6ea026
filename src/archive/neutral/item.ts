import type { importIssues } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];
type Given = "body" | "labels" | "metadata";

/**
 * One issue as the route `importIssues` takes it (facts http-api 3.13). The body, labels and metadata are always
 * present, even if they are empty. Comments and links are absent if the source has no field for them; the daemon then
 * keeps those that the issue has.
 */
export type ImportItem = Omit<Item, Given> & { [K in Given]: NonNullable<Item[K]> };
