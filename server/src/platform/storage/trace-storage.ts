import { SpanKind } from "@opentelemetry/api";
import { endSpan, inSpan, startSpan } from "../tracing/spans.ts";
import type { Storage, Upload } from "./types.ts";

const options = { kind: SpanKind.CLIENT };

/** Ends a span with the upload: it lasts from the first byte until the object is stored. */
function traceUpload(upload: Upload): Upload {
  const span = startSpan("store object", options);
  return {
    write: (chunk) => upload.write(chunk),
    async finish() {
      try {
        await upload.finish();
        endSpan(span);
      } catch (error) {
        endSpan(span, error);
        throw error;
      }
    },
    async abort() {
      await upload.abort();
      span.end();
    },
  };
}

/** The same storage, with a span for each request. Keys are not recorded. */
export const traceStorage = (storage: Storage): Storage => ({
  ...storage,
  create: (key, owner) => traceUpload(storage.create(key, owner)),
  get: (key, range) => inSpan("read object", options, () => storage.get(key, range)),
  size: (key) => inSpan("size of object", options, () => storage.size(key)),
  delete: (key) => inSpan("delete object", options, () => storage.delete(key)),
  deleteWhole: (keys) => inSpan("delete objects", options, () => storage.deleteWhole(keys)),
});
