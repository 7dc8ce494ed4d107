import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** A speech model in a folder. */
export interface Model {
  readonly name: string;
  /** Settings of sherpa-onnx. */
  readonly config: Record<string, unknown>;
  /** Detects voices; absent if the folder has no such model. */
  readonly voiceDetector: string | undefined;
}

/** Reads which kind of model a folder has from the names of its files, as sherpa-onnx publishes them. */
export async function readModel(folder: string): Promise<Model> {
  const names = (await readdir(folder)).sort();
  const find = (pattern: RegExp) => {
    const name = names.find((each) => pattern.test(each));
    return name && join(folder, name);
  };
  const tokens = find(/tokens\.txt$/);
  const encoder = find(/encoder.*\.onnx$/);
  const decoder = find(/decoder.*\.onnx$/);
  const joiner = find(/joiner.*\.onnx$/);
  const single = find(/^model.*\.onnx$/);
  const config =
    encoder && decoder && joiner
      ? { transducer: { encoder, decoder, joiner } }
      : encoder && decoder && /decoder_model_merged/.test(decoder)
        ? { moonshine: { encoder, mergedDecoder: decoder } }
        : encoder && decoder
          ? { whisper: { encoder, decoder } }
          : single && { senseVoice: { model: single, useInverseTextNormalization: 1 } };
  if (!config || !tokens)
    throw new Error(
      `${folder} has no speech model. Add one: hearback-server models add moonshine-base-en, or copy the files of a model of sherpa-onnx (tokens.txt and .onnx files).`,
    );
  return { name: basename(folder), config: { ...config, tokens }, voiceDetector: find(/^silero_vad.*\.onnx$/) };
}
