/** A streamed response body. */
export interface Download {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly mediaType: string;
  /** Total size, if known. */
  readonly bytes: number | undefined;
}

/** Converts read errors of the body with `toFailure`, so that a truncated download fails like any other request. */
export function toDownload(response: Response, toFailure: (error: unknown) => Error): Download {
  const reader = (response.body ?? new Blob().stream()).getReader();
  const length = response.headers.get("content-length");
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(toFailure(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    mediaType: response.headers.get("content-type") ?? "application/octet-stream",
    bytes: length === null ? undefined : Number(length),
  };
}
