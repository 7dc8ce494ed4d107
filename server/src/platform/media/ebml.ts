import { peek, type Reading } from "./reading.ts";

/** The header of an element: its id, how long the header is, and the size of what follows (Infinity if not told). */
interface Element {
  id: number;
  headerBytes: number;
  size: number;
}

const ID_BYTES = 4;
const SIZE_BYTES = 8;

/** Looks at the next element's header. "end" between two elements, "cut" within one, "lost" where none can be. */
export function* peekElement(): Reading<Element | "end" | "cut" | "lost"> {
  const view = yield* peek(ID_BYTES + SIZE_BYTES);
  if (view.byteLength === 0) return "end";
  const idBytes = lengthAt(view, 0);
  if (idBytes > ID_BYTES) return "lost";
  if (idBytes >= view.byteLength) return "cut";
  const sizeBytes = lengthAt(view, idBytes);
  if (sizeBytes > SIZE_BYTES) return "lost";
  const headerBytes = idBytes + sizeBytes;
  if (headerBytes > view.byteLength) return "cut";

  const size = numberAt(view, idBytes, sizeBytes);
  // All bits set: the writer did not know.
  const known = size < 2 ** (7 * sizeBytes) - 1;
  return { id: unsigned(view, 0, idBytes), headerBytes, size: known ? size : Infinity };
}

/** The number whose first byte tells by its leading zeros how many bytes it has. */
export function numberAt(view: DataView, at: number, bytes = lengthAt(view, at)): number {
  if (at + bytes > view.byteLength) return 0;
  // The marker goes before the rest is added: a long number would lose its last bits to it.
  return (view.getUint8(at) & (0xff >> bytes)) * 256 ** (bytes - 1) + unsigned(view, at + 1, bytes - 1);
}

export function lengthAt(view: DataView, at: number): number {
  return Math.clz32(view.getUint8(at)) - 23;
}

export function unsigned(view: DataView, from = 0, bytes = view.byteLength): number {
  let value = 0;
  for (let at = from; at < from + bytes; at++) value = value * 256 + view.getUint8(at);
  return value;
}

export function float(view: DataView): number {
  if (view.byteLength === 4) return view.getFloat32(0);
  return view.byteLength === 8 ? view.getFloat64(0) : 0;
}
