/** An element: its id, where its content begins, and the size of that (Infinity if the writer did not know). */
interface Element {
  id: number;
  headerBytes: number;
  size: number;
}

const ID_BYTES = 4;
const SIZE_BYTES = 8;
export const ELEMENT_HEADER = ID_BYTES + SIZE_BYTES;

/** The element at the beginning of the view: "cut" if it ends within the header, "lost" if no element begins so. */
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

/** The number whose first byte tells by its leading zeros how many bytes it has; 0 where the view ends before. */
export function numberAt(view: DataView, at: number): number {
  const bytes = lengthAt(view, at);
  if (at + bytes > view.byteLength) return 0;
  // The marker goes before the rest is added: a long number would lose its last bits to it.
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
