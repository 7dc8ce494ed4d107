export { recordingFile } from "./recording-file.ts";
