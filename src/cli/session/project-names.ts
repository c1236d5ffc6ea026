import { usage } from "../failure/failure.ts";

export function projectNames(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw usage("--projects holds an empty name");
  if (new Set(names).size < names.length) throw usage("--projects names a project twice");
  return names;
}
