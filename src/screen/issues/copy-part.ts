export type CopyPart = "id" | "title" | "both" | "command" | "branch" | "text" | "link" | "uid";
