/** A file of a model, within a package. */
interface ModelFile {
  readonly name: string;
  /** Package of the npm registry. The file is taken from it; the package itself is not installed. */
  readonly package: string;
  readonly path: string;
  /** Of the file as it is stored. */
  readonly sha256: string;
  /** Makes the file from that of the package. */
  readonly convert?: (source: Buffer) => Buffer;
}

export interface KnownModel {
  readonly languages: string;
  readonly license: string;
  readonly files: readonly ModelFile[];
}

const moonshine = "@usefulsensors/moonshine-js@0.1.15";

export const knownModels: Readonly<Record<string, KnownModel>> = {
  "moonshine-base-en": {
    languages: "English",
    license: "MIT",
    files: [
      {
        name: "encoder_model.onnx",
        package: moonshine,
        path: "package/dist/model/base/quantized/encoder_model.onnx",
        sha256: "1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751",
      },
      {
        name: "decoder_model_merged.onnx",
        package: moonshine,
        path: "package/dist/model/base/quantized/decoder_model_merged.onnx",
        sha256: "cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3",
      },
      {
        name: "tokens.txt",
        package: "llama-tokenizer-js@1.2.2",
        path: "package/llama-tokenizer.js",
        sha256: "4d1a304b194382083527c0648036ef4925edf1d5063ad5922fe456669325de63",
        convert: moonshineTokens,
      },
      {
        name: "silero_vad_v5.onnx",
        package: "@ricky0123/vad-web@0.0.31",
        path: "package/dist/silero_vad_v5.onnx",
        sha256: "2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f",
      },
    ],
  },
};

const vocabularySize = 32_000;
/** With the tokens that Moonshine adds to Llama's. */
const tokenCount = 32_768;

/** The list of Moonshine's tokens in the format of sherpa-onnx, from the vocabulary of Llama's tokenizer. */
function moonshineTokens(source: Buffer): Buffer {
  const encoded = /llama_vocab_base64 = "([^"]+)"/.exec(source.toString("latin1"))?.[1] ?? "";
  const vocabulary = Buffer.from(encoded, "base64").toString("utf8").split("\n");
  const bytesOf = (id: number): Buffer => {
    if (id >= vocabularySize) return Buffer.from(`<<ST_${id - vocabularySize}>>`);
    const token = vocabulary[id] ?? "";
    const byte = /^<0x([\dA-F]{2})>$/.exec(token)?.[1];
    return byte ? Buffer.from(byte, "hex") : Buffer.from(token.replaceAll("▁", " "));
  };
  const lines = Array.from({ length: tokenCount }, (_, id) => `${bytesOf(id).toString("base64")}\t${id}\n`);
  return Buffer.from(lines.join(""));
}
