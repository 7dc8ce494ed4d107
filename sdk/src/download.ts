/** Something that is read while it comes. */
export interface Download {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly mediaType: string;
  /** How many bytes will come, where it is known. */
  readonly bytes: number | undefined;
}

/** A body that ends too early fails as every request does. */
export function toDownload(answer: Response, toFailure: (error: unknown) => Error): Download {
  const reader = (answer.body ?? new Blob().stream()).getReader();
  const length = answer.headers.get("content-length");
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
    mediaType: answer.headers.get("content-type") ?? "application/octet-stream",
    bytes: length === null ? undefined : Number(length),
  };
}
