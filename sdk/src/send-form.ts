import type { FormRequest, RawAnswer } from "./form.ts";

/** Sends a form from a browser, which reads a dropped file while it sends it. XMLHttpRequest tells how far it is. */
export function sendForm({ url, headers, parts, signal, onProgress }: FormRequest): Promise<RawAnswer> {
  const form = new FormData();
  for (const { name, value } of parts) {
    if (typeof value === "string") form.append(name, value);
    else if (value instanceof Blob) form.append(name, value, "recording");
    else if (value instanceof Uint8Array) form.append(name, new Blob([value as BlobPart]), "recording");
    else throw new TypeError("a browser sends a File or a Blob");
  }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.({ sentBytes: loaded, totalBytes: total });
    request.onload = () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText,
      });
    request.onerror = () => reject(new Error("the connection failed"));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}
