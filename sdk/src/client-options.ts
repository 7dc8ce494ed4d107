/** The base URL without its last slashes. Throws if no request to it could succeed, so that none is retried. */
export function rootOf(baseUrl: string): string {
  const refuse = (reason: string) => new TypeError(`baseUrl ${reason}`);
  // On a page, paths are relative to its address.
  const isPath = "location" in globalThis && (baseUrl === "" || baseUrl.startsWith("/"));
  if (isPath) return baseUrl.replace(/\/+$/, "");
  if (baseUrl === "") throw refuse("is empty: pass a URL such as https://hearback.example.com");
  const url = /^https?:/i.test(baseUrl) && URL.canParse(baseUrl) && new URL(baseUrl);
  if (!url) throw refuse(`is not a URL that starts with https:// or http://${suggestion(baseUrl)}`);
  // The URL is not repeated: it would put the password into logs.
  if (url.username || url.password) throw refuse("contains a user name or password: pass apiKey instead");
  if (/[?#]/.test(baseUrl)) throw refuse("contains ? or #: pass only the address of the service");
  return baseUrl.replace(/\/+$/, "");
}

function suggestion(baseUrl: string): string {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(baseUrl);
  const hasHost = /^[^\s/@:?#]+(:\d+)?(\/[^?#]*)?$/.test(baseUrl);
  if (!hasHost) return ", such as https://hearback.example.com";
  return `: do you mean ${isLocal ? "http" : "https"}://${baseUrl}?`;
}

export function apiHeaders(apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {};
  if (!/^[\x21-\x7e]*$/.test(apiKey))
    throw new TypeError("apiKey contains a space, a line break or another character that API keys do not have");
  return { "x-api-key": apiKey };
}
