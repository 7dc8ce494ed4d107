// In every browser and in Node, but not in the ECMAScript library.
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

export function isBefore(a: Uint8Array, b: Uint8Array): boolean {
  for (let index = 0; index < a.length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
