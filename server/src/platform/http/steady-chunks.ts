/** What multipart parsing needs to see whole: the delimiter's end and the two bytes after it. */
const smallest = 256;

/**
 * Gives the parser chunks that end nowhere near a delimiter: it reads the two bytes that follow one ("--" or a line
 * break) from the same chunk, and a chunk may end between them.
 */
export function steadyChunks(boundary: string, parse: (chunk: Uint8Array) => void) {
  const delimiter = Buffer.from(`--${boundary}`);
  let held: Buffer | undefined;

  function endsAtDelimiter(chunk: Buffer): boolean {
    const found = chunk.subarray(-(delimiter.length + 1)).indexOf(delimiter);
    return found !== -1;
  }

  return {
    write(chunk: Buffer): void {
      const whole = held ? Buffer.concat([held, chunk]) : chunk;
      held = whole.length < smallest || endsAtDelimiter(whole) ? whole : undefined;
      if (!held) parse(whole);
    },
    end(): void {
      if (held) parse(held);
      held = undefined;
    },
  };
}
