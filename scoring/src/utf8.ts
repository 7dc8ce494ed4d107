// In every browser and in Node, but not in the ECMAScript library.
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);
