import type { importIssues } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];
type Given = "body" | "labels" | "metadata";

/**
 * One item of the route `importIssues` (facts http-api 3.13), with its labels, metadata and body present, even if empty.
 * Comments and links are absent if the source does not tell them: then those that are here stay.
 */
export type ImportItem = Omit<Item, Given> & { [K in Given]: NonNullable<Item[K]> };
