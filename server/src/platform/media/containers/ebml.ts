/** An element: its id, the size of its header, and the size of its content (Infinity if unknown). */
interface Element {
  id: number;
  headerBytes: number;
  size: number;
}

const ID_BYTES = 4;
const SIZE_BYTES = 8;
export const ELEMENT_HEADER = ID_BYTES + SIZE_BYTES;

/**
 * Parses the element header at the start of the view. "cut": the view ends within the header. "lost": not a valid
 * header.
 */
export function elementIn(view: DataView): Element | "cut" | "lost" {
  const idBytes = lengthAt(view, 0);
  if (idBytes > ID_BYTES) return "lost";
  if (idBytes >= view.byteLength) return "cut";
  const sizeBytes = lengthAt(view, idBytes);
  if (sizeBytes > SIZE_BYTES) return "lost";
  const headerBytes = idBytes + sizeBytes;
  if (headerBytes > view.byteLength) return "cut";
  const size = numberAt(view, idBytes);
  const known = size < 2 ** (7 * sizeBytes) - 1;
  return { id: unsigned(view, 0, idBytes), headerBytes, size: known ? size : Infinity };
}

/**
 * Reads a variable-length integer, whose length is given by the leading zeros of its first byte. 0 if the view is too
 * short.
 */
export function numberAt(view: DataView, at: number): number {
  const bytes = lengthAt(view, at);
  if (at + bytes > view.byteLength) return 0;
  // Remove the length marker first: with it, a long number would lose its lowest bits.
  return (view.getUint8(at) & (0xff >> bytes)) * 256 ** (bytes - 1) + unsigned(view, at + 1, bytes - 1);
}

export function lengthAt(view: DataView, at: number): number {
  return Math.clz32(view.getUint8(at)) - 23;
}

export function unsigned(view: DataView, from: number, bytes: number): number {
  let value = 0;
  for (let at = from; at < from + bytes; at++) value = value * 256 + view.getUint8(at);
  return value;
}
