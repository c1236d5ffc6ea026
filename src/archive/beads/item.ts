import type { importIssues } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];
type Given = "body" | "labels" | "metadata" | "comments" | "links";

/** One issue for route importIssues (facts http-api 3.13), with every list there, be it empty. */
export type ImportItem = Omit<Item, Given> & { [K in Given]: NonNullable<Item[K]> };
