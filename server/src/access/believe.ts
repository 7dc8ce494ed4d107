/** What is revoked ends within a second on every process, so nothing found is believed for longer than this. */
const believedMs = 500;
const mostRemembered = 10_000;

/** Remembers for a moment what was found under a hash. One question for all who ask at once; a no is not kept. */
export function believe<Found>(
  lookUp: (hash: Buffer) => Promise<Found | undefined>,
): (hash: Buffer) => Promise<Found | undefined> {
  const remembered = new Map<string, Promise<Found | undefined>>();

  function ask(name: string, hash: Buffer): Promise<Found | undefined> {
    const asked = lookUp(hash);
    const forget = () => {
      if (remembered.get(name) === asked) remembered.delete(name);
    };
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(name, asked);
    // Counted from the question: the answer may have been long on its way.
    setTimeout(forget, believedMs).unref();
    asked.then((found) => {
      if (!found) forget();
    }, forget);
    return asked;
  }

  return (hash) => {
    const name = hash.toString("base64");
    return remembered.get(name) ?? ask(name, hash);
  };
}
