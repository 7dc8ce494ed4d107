/** Chunks smaller than this are held back and joined with the next one. */
const minChunkBytes = 256;

/**
 * Rechunks a multipart body so that no chunk ends right after a delimiter. The parser expects the two bytes that follow
 * a delimiter ("--" or CRLF) in the same chunk.
 */
export function boundarySafeChunks(boundary: string, parse: (chunk: Uint8Array) => void) {
  const delimiter = Buffer.from(`--${boundary}`);
  let held: Buffer | undefined;

  function endsAtDelimiter(chunk: Buffer): boolean {
    const found = chunk.subarray(-(delimiter.length + 1)).indexOf(delimiter);
    return found !== -1;
  }

  return {
    write(chunk: Buffer): void {
      const whole = held ? Buffer.concat([held, chunk]) : chunk;
      held = whole.length < minChunkBytes || endsAtDelimiter(whole) ? whole : undefined;
      if (!held) parse(whole);
    },
    end(): void {
      if (held) parse(held);
      held = undefined;
    },
  };
}
