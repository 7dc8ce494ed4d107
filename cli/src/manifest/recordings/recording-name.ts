import { extname } from "node:path";

const extensions = new Set(".wav .wave .mp3 .m4a .mp4 .aac .ogg .oga .opus .flac .amr .webm .au .snd".split(" "));

/** Whether the file extension is that of a supported recording. Other files are ignored. */
export const isRecordingName = (path: string): boolean => extensions.has(extname(path).toLowerCase());
