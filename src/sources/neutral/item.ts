import type { importIssues } from "../../contract/imports.ts";
import type { Input } from "../../contract/route.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];
type AlwaysSentField = "body" | "labels" | "metadata";

/**
 * One issue in the form that the route `importIssues` accepts (docs/contract/http-api.md#313-imports-plans-issue-sync).
 * The body, labels and metadata are always present, even if they are empty. Comments and links are absent if the source
 * has no field for them. The daemon then keeps the comments and links that the issue has.
 */
export type ImportItem = Omit<Item, AlwaysSentField> & {
  [K in AlwaysSentField]: NonNullable<Item[K]>;
};
