import type { importIssues } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];
type Given = "body" | "labels" | "metadata" | "comments" | "links";

/** One item of the route `importIssues` (facts http-api 3.13), with all of its lists present, even if empty. */
export type ImportItem = Omit<Item, Given> & { [K in Given]: NonNullable<Item[K]> };
