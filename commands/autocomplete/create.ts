export { default } from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/create.js";
