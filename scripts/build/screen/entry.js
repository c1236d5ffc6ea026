import { readRecording, runTui } from "../../../tui/index.ts";

// Of the function around the file; one that waits at its top level has no exports of its own.
screenExports.runTui = runTui;
screenExports.readRecording = readRecording;
