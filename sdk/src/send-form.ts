import type { FormRequest, FormSender, RawResponse } from "./form.ts";

/** Sends forms from a browser, which manages connections itself. */
export const openFormSender = (): FormSender => ({ send: sendForm, close: () => {} });

/** Uses XMLHttpRequest, which streams files and reports upload progress. */
function sendForm({ url, headers, parts, idleTimeoutMs, signal, onProgress }: FormRequest): Promise<RawResponse> {
  const form = new FormData();
  for (const { name, value } of parts) {
    if (typeof value === "string") form.append(name, value);
    else if (value instanceof Blob) form.append(name, value, "recording");
    else if (value instanceof Uint8Array) form.append(name, new Blob([value as BlobPart]), "recording");
    else throw new TypeError("in a browser, the recording must be a File, a Blob or bytes");
  }
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<RawResponse>((resolve, reject) => {
    signal?.throwIfAborted();
    const resetIdleTimer = () => {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(abort, idleTimeoutMs);
    };
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      resetIdleTimer();
      onProgress?.({ sentBytes: loaded, totalBytes: total });
    };
    request.onload = () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText,
      });
    request.onerror = () => reject(new Error("the connection failed"));
    request.onabort = () => reject(signal?.reason ?? new Error(`no traffic for ${idleTimeoutMs / 1000} s`));
    signal?.addEventListener("abort", abort);
    resetIdleTimer();
    request.send(form);
  }).finally(() => {
    clearTimeout(idleTimer);
    signal?.removeEventListener("abort", abort);
  });
}
