import type { FormRequest, FormSender, RawAnswer } from "./form.ts";

/** Sends forms from a browser, which keeps its connections itself. */
export const openFormSender = (): FormSender => ({ send: sendForm, close: () => {} });

/** The browser reads a dropped file while it sends it, and XMLHttpRequest tells how far it is. */
function sendForm({ url, headers, parts, silenceMs, signal, onProgress }: FormRequest): Promise<RawAnswer> {
  const form = new FormData();
  for (const { name, value } of parts) {
    if (typeof value === "string") form.append(name, value);
    else if (value instanceof Blob) form.append(name, value, "recording");
    else if (value instanceof Uint8Array) form.append(name, new Blob([value as BlobPart]), "recording");
    else throw new TypeError("a browser sends a File, a Blob or bytes");
  }
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  let silence: ReturnType<typeof setTimeout> | undefined;
  return new Promise<RawAnswer>((resolve, reject) => {
    signal?.throwIfAborted();
    const moved = () => {
      clearTimeout(silence);
      silence = setTimeout(abort, silenceMs);
    };
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      moved();
      onProgress?.({ sentBytes: loaded, totalBytes: total });
    };
    request.onload = () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText,
      });
    request.onerror = () => reject(new Error("the connection failed"));
    request.onabort = () => reject(signal?.reason ?? new Error(`nothing moved for ${silenceMs / 1000} s`));
    signal?.addEventListener("abort", abort);
    moved();
    request.send(form);
  }).finally(() => {
    clearTimeout(silence);
    signal?.removeEventListener("abort", abort);
  });
}
