import { SECTION_NAMES, SECTIONS } from "./sections.ts";

/** How the names of tools are written: `svc.list`, or `svc_list` for hosts that refuse a name with a dot. */
export type NameForm = "dot" | "underscore";

/** The beginning of a tool's name within a text, such as `svc.` of `svc.list` or of `svc.load_…`. */
const NAME_START = new RegExp(
  `\\bsvc\\.(?=load_|(?:${SECTION_NAMES.flatMap((section) => SECTIONS[section]).join("|")})\\b)`,
  "g",
);

/** Returns the text with the names of tools in this form. Everything inside the server has names with dots. */
export function inForm(text: string, form: NameForm): string {
  return form === "dot" ? text : text.replace(NAME_START, "svc_");
}

/** Returns the name with a dot. A call may use either form, because hosts change names in different ways. */
export function dotted(name: string): string {
  return name.replace(/^svc_/, "svc.");
}
