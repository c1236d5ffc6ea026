/** The parts of an issue that can be copied. */
export type CopyPart = "id" | "title" | "both" | "command" | "branch" | "text" | "link" | "uid";
