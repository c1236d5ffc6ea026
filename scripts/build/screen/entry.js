import { readRecording, runTui } from "../../../tui/index.ts";

// The build puts this file into an async function, in which nothing can be exported. The function returns
// `screenExports` instead (`../screen.ts`).
screenExports.runTui = runTui;
screenExports.readRecording = readRecording;
