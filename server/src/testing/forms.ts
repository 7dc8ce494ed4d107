const boundary = "----hearback-test-boundary";

export type Part = readonly [name: string, value: string | Buffer];

/** Builds a multipart body with the parts in the given order. Buffers are sent as files. */
export function aForm(...parts: Part[]): { headers: Record<string, string>; payload: Buffer } {
  const pieces = parts.flatMap(([name, value]) => {
    const filename = typeof value === "string" ? "" : '; filename="call.wav"\r\nContent-Type: audio/wav';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from("\r\n")];
  });
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
