import { readRecording, runTui } from "../../../tui/index.ts";

// An export of the function around the file; a module that awaits at its top level has no exports of its own.
screenExports.runTui = runTui;
screenExports.readRecording = readRecording;
