const origin = "https://console.invalid";

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers remove tabs and line breaks from URLs
const unsafe = /[\\\u0000-\u0020\u007f]/;

/**
 * Returns the path if it is a page of this console, otherwise undefined. Prevents open redirects: anyone can craft a
 * link to the sign-in page.
 */
export function safeNext(next: unknown): string | undefined {
  if (typeof next !== "string" || next.length > 2000 || unsafe.test(next) || !/^\/(?!\/)/.test(next)) return undefined;
  const url = URL.parse(next, origin);
  // `/a/..//evil.test` is a path before normalisation and another host after it.
  if (!url || url.origin !== origin || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}
