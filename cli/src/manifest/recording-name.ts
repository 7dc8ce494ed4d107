import { extname } from "node:path";

const endings = new Set(".wav .wave .mp3 .m4a .mp4 .aac .ogg .oga .opus .flac .amr .webm .au .snd".split(" "));

/** Whether a file is called as a recording is that the service takes. Anything else in a folder is none of our business. */
export const isRecordingName = (path: string): boolean => endings.has(extname(path).toLowerCase());
