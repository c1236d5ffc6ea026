/** What can be copied of an issue. */
export type CopyPart = "id" | "title" | "both" | "command" | "branch" | "text" | "link" | "uid";
