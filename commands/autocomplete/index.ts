export { default } from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/index.js";
