import type { importIssues } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];
type Given = "body" | "labels" | "metadata";

/**
 * One item of the route `importIssues` (facts http-api 3.13); labels, metadata and body are always present, even if
 * empty. Comments and links are absent if the source does not have them: then the existing ones stay.
 */
export type ImportItem = Omit<Item, Given> & { [K in Given]: NonNullable<Item[K]> };
