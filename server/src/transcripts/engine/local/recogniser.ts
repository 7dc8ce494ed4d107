// A process of its own, started by local-engine.ts: recognition takes 400 MB and may crash without taking the worker with it.
import sherpa from "sherpa-onnx-node";
import { type HeardWord, sampleRate } from "../engine.ts";
import { type Aligner, openAligner } from "./aligner.ts";
import type { RecogniserAnswer, RecogniserRequest } from "./messages.ts";
import { readModel } from "./model.ts";

const [folder = ""] = process.argv.slice(2);
const { name, config, voiceDetector } = await readModel(folder);
const recognizer = new sherpa.OfflineRecognizer({
  featConfig: { sampleRate, featureDim: 80 },
  modelConfig: { ...config, numThreads: 1, provider: "cpu", debug: 0 },
});
const voices =
  voiceDetector &&
  new sherpa.Vad(
    {
      sileroVad: {
        model: voiceDetector,
        threshold: 0.5,
        minSilenceDuration: 0.25,
        minSpeechDuration: 0.1,
        windowSize: 512,
      },
      sampleRate,
      numThreads: 1,
    },
    60,
  );
let aligner: Aligner | undefined;

/** Whether someone speaks. Models invent text for music and ring tones. */
function hasVoice(samples: Float32Array): boolean {
  if (!voices) return true;
  voices.reset();
  voices.acceptWaveform(samples);
  voices.flush();
  let found = false;
  for (; !voices.isEmpty(); voices.pop()) found = true;
  return found;
}

async function recognise({ samples: pcm, language }: RecogniserRequest): Promise<HeardWord[]> {
  const samples = Float32Array.from(pcm, (sample) => sample / 32_768);
  if (!hasVoice(samples)) return [];
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate });
  const { text } = await recognizer.decodeAsync(stream);
  const words = text.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const durationMs = (samples.length / sampleRate) * 1000;
  if (!language.startsWith("en")) return spread(words, durationMs);
  aligner ??= await openAligner();
  return aligner.align(samples, words) ?? spread(words, durationMs);
}

/** Without an alignment, words are spread over the sound by their length. */
function spread(words: readonly string[], durationMs: number): HeardWord[] {
  const total = words.reduce((sum, word) => sum + word.length + 1, 0);
  const within = { startMs: 0, endMs: Math.round(durationMs) };
  let before = 0;
  return words.map((text) => {
    const startMs = Math.round((durationMs * before) / total);
    before += text.length + 1;
    return { text, startMs, endMs: Math.round((durationMs * before) / total), probability: null, within };
  });
}

const send = (message: RecogniserAnswer) => process.send?.(message);

process.on("message", async (request: RecogniserRequest) => {
  try {
    send({ id: request.id, words: await recognise(request) });
  } catch (error) {
    send({ id: request.id, problem: error instanceof Error ? error.message : String(error) });
  }
});
// The worker ended without stopping this process.
process.on("disconnect", () => process.exit());
send({ ready: name });
