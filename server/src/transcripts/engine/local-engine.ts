import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { basename, join } from "node:path";
import { type Engine, EngineError, type HeardWord } from "./engine.ts";
import type { RecogniserAnswer, RecogniserRequest } from "./local/messages.ts";

export interface LocalEngineOptions {
  /** Folder of the speech model. */
  readonly modelDir: string;
  /** Longest time for 30 s of speech. */
  readonly timeoutMs: number;
  /** The process ends after this time without work, to free its memory. */
  readonly idleMs: number;
}

/** Longest start on an idle machine. On a busy one it takes as much longer as recognition does. */
const leastStartMs = 60_000;
const recogniser = join(import.meta.dirname, "local/recogniser.ts");

interface Recogniser {
  ask(request: Omit<RecogniserRequest, "id">, signal: AbortSignal): Promise<readonly HeardWord[]>;
  readonly ended: Promise<unknown>;
  stop(): void;
}

/** Recognition on this machine, in a process of its own that is started when it is needed. One sound at a time. */
export function openLocalEngine({ modelDir, timeoutMs, idleMs }: LocalEngineOptions): Engine {
  let running: Promise<Recogniser> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  async function current(): Promise<Recogniser> {
    if (!running) {
      const started = startRecogniser(modelDir, Math.max(leastStartMs, timeoutMs));
      running = started;
      const forget = () => {
        if (running === started) running = undefined;
      };
      started.then(({ ended }) => ended.then(forget), forget);
    }
    return running;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const stopping = await running?.catch(() => undefined);
    stopping?.stop();
    await stopping?.ended;
  }

  return {
    name: "local",
    model: basename(modelDir),
    packs: false,
    async transcribe({ samples, language }, signal) {
      const only = onlyLanguageOf(modelDir);
      if (only && only !== language.split("-", 1)[0])
        throw new EngineError(
          "language_not_supported",
          `The speech model ${basename(modelDir)} recognises ${only} only, and the campaign's language is ${language}.`,
        );
      clearTimeout(idle);
      const before = last;
      const work = (async () => {
        await before.catch(() => {});
        signal?.throwIfAborted();
        const process = await current();
        const deadline = AbortSignal.timeout(timeoutMs);
        return process.ask({ samples, language }, signal ? AbortSignal.any([signal, deadline]) : deadline);
      })();
      last = work;
      try {
        return await work;
      } finally {
        if (last === work) idle = setTimeout(() => void end(), idleMs).unref();
      }
    },
    close: end,
  };
}

/** The language of a model that was made for one, by its name, such as `moonshine-base-en` and `whisper-base.en`. */
export function onlyLanguageOf(modelDir: string): string | undefined {
  const languages = basename(modelDir)
    .split(/[-._]/)
    .filter((part) => /^[a-z]{2}$/.test(part));
  return languages.length === 1 ? languages[0] : undefined;
}

async function startRecogniser(modelDir: string, startTimeoutMs: number): Promise<Recogniser> {
  const child = fork(recogniser, [modelDir], { serialization: "advanced", stdio: ["ignore", "ignore", "pipe", "ipc"] });
  // Lower priority than processes that serve requests on the same machine.
  if (child.pid) setPriority(child.pid, 10);
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-500);
  });
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(`${signal ?? code}`));
    child.once("error", (error) => resolve(error.message));
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), startTimeoutMs);
  try {
    const end = await Promise.race([ended, ready(child)]);
    if (end !== undefined) {
      const why = complaint.match(/^(?:Error: )(.*)$/m)?.[1] ?? `it ended with ${end}`;
      throw new EngineError("engine_refused", `Speech recognition could not start: ${why}`, { concernsAll: true });
    }
  } finally {
    clearTimeout(timer);
  }
  let id = 0;
  return {
    ended,
    stop: () => child.kill("SIGKILL"),
    ask: (request, signal) => ask(child, ended, { id: ++id, ...request }, signal),
  };
}

const ready = (child: ChildProcess) =>
  new Promise<undefined>((resolve) => child.once("message", () => resolve(undefined)));

function ask(
  child: ChildProcess,
  ended: Promise<string>,
  request: RecogniserRequest,
  signal: AbortSignal,
): Promise<readonly HeardWord[]> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.off("message", onMessage);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const onMessage = (answer: RecogniserAnswer) => {
      if (!("id" in answer) || answer.id !== request.id) return;
      if ("words" in answer) settle(() => resolve(answer.words));
      else
        settle(() => reject(new EngineError("engine_answer_invalid", `Speech recognition failed: ${answer.problem}`)));
    };
    // Recognition cannot be interrupted otherwise.
    const onAbort = () => {
      child.kill("SIGKILL");
      const late = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
      settle(() =>
        reject(late ? new EngineError("engine_unavailable", "Speech recognition took too long.") : signal.reason),
      );
    };
    child.on("message", onMessage);
    signal.addEventListener("abort", onAbort);
    void ended.then((end) =>
      settle(() => reject(new EngineError("engine_unavailable", `Speech recognition ended with ${end}.`))),
    );
    child.send(request, (error) => {
      if (error) settle(() => reject(new EngineError("engine_unavailable", "Speech recognition ended.")));
    });
  });
}
